import { existsSync, renameSync, rmSync } from 'node:fs';

import { packPackage } from '../lib/packPackage.mts';
import { Sandbox } from '../lib/sandbox.mts';
import { Editor, type Owner } from '../n8n/editor.mts';
import { installPackage } from '../n8n/install.mts';
import { type N8nServer, startN8n } from '../n8n/server.mts';
import { placesIn } from './folder.mts';
import type { Kept } from './kept.mts';
import { type Started, speed } from './run.mts';
import { printedSteps } from './steps.mts';

/**
 * Starts again what an earlier quick start has left in its folder, with the package as it is now. It imports nothing
 * and places no calls.
 *
 * @param started filled with each process as soon as it starts, so that the caller can stop it at any time
 * @returns how many workflows and credentials n8n has; undefined if the user has changed the login
 */
export async function continueKept(folder: string, kept: Kept, started: Started): Promise<string | undefined> {
	const { userFolder, stateFile, logs, log } = placesIn(folder);
	// The logs of a crash are needed after the next start, too.
	rmSync(`${logs}-before`, { recursive: true, force: true, maxRetries: 3 });
	if (existsSync(logs)) {
		renameSync(logs, `${logs}-before`);
	}
	const step = printedSteps(3);
	await step('Building the package and installing it into the n8n that was kept', async () => {
		await installPackage(await packPackage(folder, log('pack')), userFolder, log('install'));
	});
	const sandbox = await step('Starting the sandbox with its data', async () => {
		// Its clock stands still until n8n runs: a retry that is due would fail.
		return (started.sandbox = await Sandbox.start(0, log('sandbox'), kept.sandboxPort, ['--state', stateFile]));
	});
	return await step('Starting n8n with its workflows', async () => {
		const server = (started.n8n = await startN8n({ userFolder, logFile: log('n8n'), port: kept.n8nPort }));
		await sandbox.setSpeed(speed);
		return await contentsOf(server, kept.owner);
	});
}

async function contentsOf({ url }: N8nServer, owner: Owner): Promise<string | undefined> {
	const editor = new Editor(url);
	try {
		await editor.logIn(owner);
	} catch {
		return undefined;
	}
	const all = await editor.request<Array<{ active: boolean; isArchived?: boolean }>>('GET', '/rest/workflows');
	const workflows = all.filter(({ isArchived }) => !isArchived);
	const published = workflows.filter(({ active }) => active);
	const credentials = await editor.request<unknown[]>('GET', '/rest/credentials');
	return `workflows: ${workflows.length} (${published.length} published), credentials: ${credentials.length}`;
}
