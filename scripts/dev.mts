// n8n for the work on the nodes: npm run dev -- [--sandbox] [--reset]
// After each change of their source it builds them and hands them to n8n, which loads them again without a restart.
import './lib/endWithParent.cjs';

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { reloadAfter } from './dev/reload.mts';
import { watchSources } from './dev/sources.mts';
import { syncFolder } from './dev/sync.mts';
import { packPackage } from './lib/packPackage.mts';
import { keptFolder, root } from './lib/places.mts';
import { runCaptured } from './lib/process.mts';
import { importInto } from './n8n/cli.mts';
import { Editor, newOwner, type Owner } from './n8n/editor.mts';
import { installPackage } from './n8n/install.mts';
import { type N8nServer, startN8n } from './n8n/server.mts';
import { claimKeptFolder, emptyFolder, placesIn } from './quickstart/folder.mts';
import { Sandbox } from './quickstart/sandbox.mts';
import { Steps } from './quickstart/steps.mts';

/** Beside what `npm start -- --keep` keeps, so that both can run at the same time. */
const folder = `${keptFolder}-dev`;
const { userFolder, stateFile, log } = placesIn(folder);
const ownerFile = join(folder, 'owner.json');
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string };
const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', name);

const { values } = parseArgs({ options: { sandbox: { type: 'boolean' }, reset: { type: 'boolean' } } });
const started: { n8n?: N8nServer; sandbox?: Sandbox } = {};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => void stop().finally(() => process.exit(0)));
}

/** Stops n8n, then the sandbox that it uses. */
async function stop(): Promise<void> {
	await started.n8n?.stop();
	await started.sandbox?.process.stop();
}

/** Enters the credential for the sandbox, or corrects the one of an earlier run. */
async function importCredential({ url, token }: Sandbox): Promise<void> {
	const data = { baseUrl: url, environmentToken: token };
	const credential = { id: 'devSandbox', name: 'Sandbox', type: 'voiceAgentCallingApi', data };
	await importInto(userFolder, 'credentials', [credential], log('import'));
}

/** The login: that of an earlier run, or a new one for an n8n that has none. */
async function logIn({ url }: N8nServer): Promise<Owner> {
	if (existsSync(ownerFile)) {
		return JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner;
	}
	const owner = newOwner('Node', 'Developer');
	await new Editor(url).setUpOwner(owner);
	writeFileSync(ownerFile, JSON.stringify(owner), { mode: 0o600 });
	return owner;
}

/** Builds the nodes and hands them to n8n. What the compiler complains about is shown, and n8n keeps what it has. */
async function update(): Promise<void> {
	const begun = Date.now();
	const { status, output } = await runCaptured([join('node_modules', 'gulp', 'bin', 'gulp.js'), 'build'], root);
	if (status !== 0) {
		console.log(`${output.trimEnd()}\nNot built: n8n keeps the nodes as they were.`);
		return;
	}
	const seconds = () => `${((Date.now() - begun) / 1000).toFixed(1)} s`;
	let changed: string[] = [];
	const isLoaded = await reloadAfter(
		() => {
			changed = syncFolder(join(root, 'dist'), join(installed, 'dist'));
		},
		{ folder: installed, name, logFile: log('n8n') },
	);
	const files = `${changed.length} changed ${changed.length === 1 ? 'file' : 'files'}`;
	console.log(
		isLoaded
			? `n8n has ${files} after ${seconds()}. Reload the editor if it does not show them.`
			: `n8n has not loaded ${files}: start npm run dev again.`,
	);
}

async function main(): Promise<void> {
	if (!(await claimKeptFolder(folder))) {
		throw new Error('npm run dev is running already. End it with Ctrl-C first.');
	}
	if (values.reset || !existsSync(folder)) {
		emptyFolder(folder);
	}
	const steps = new Steps(values.sandbox ? 3 : 2);
	await steps.step('Building the package and installing it into an n8n of its own', async () => {
		await installPackage(await packPackage(folder, log('pack')), userFolder, log('install'));
	});
	if (values.sandbox) {
		await steps.step('Starting the sandbox of the service', async () => {
			const sandbox = await Sandbox.start(1, log('sandbox'), undefined, ['--state', stateFile]);
			started.sandbox = sandbox;
			await importCredential(sandbox);
		});
	}
	const owner = await steps.step('Starting n8n', async () => {
		const env = { N8N_DEV_RELOAD: 'true' };
		started.n8n = await startN8n({ userFolder, logFile: log('n8n'), env });
		return await logIn(started.n8n);
	});
	watchSources(root, update);
	const { n8n, sandbox } = started;
	console.log(`
  Editor    ${n8n?.url}
  Email     ${owner.email}
  Password  ${owner.password}${sandbox ? `\n  Console   ${sandbox.url} (the credential "Sandbox" is for it)` : ''}
  Logs      ${join(folder, 'logs')}

Change a file below nodes/, credentials/ or icons/: n8n has it some seconds later. Ctrl-C ends everything.
`);
	console.log(`n8n ${await n8n?.process.ended}.`);
	await stop();
	process.exit(1);
}

try {
	await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	await stop();
	process.exit(1);
}
