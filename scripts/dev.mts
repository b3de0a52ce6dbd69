// Runs n8n and the sandbox for work on the nodes: npm run dev
// After each change of the sources, it builds the nodes, and n8n loads them again without a restart.
// Workflows and credentials are kept for the next start.
import './lib/endWithParent.cjs';

import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Editor, newOwner, type Owner } from './lib/editor.mts';
import { importInto, installPackage, type N8nServer, reloadPackage, startN8n } from './lib/n8n.mts';
import { packPackage } from './lib/packPackage.mts';
import { keptFolder, root } from './lib/places.mts';
import { runCaptured } from './lib/process.mts';
import { claimKeptFolder, emptyFolder, placesIn, printedSteps } from './lib/quickStart.mts';
import { Sandbox } from './lib/sandbox.mts';

/** This folder differs from that of `npm start -- --keep`, so that both can run at the same time. */
const folder = `${keptFolder}-dev`;
const { userFolder, stateFile, log } = placesIn(folder);
const ownerFile = join(folder, 'owner.json');
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string };
const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', name);
/** Editors write a file in several steps, and save several files at once. */
const QUIET_MS = 200;

const started: { n8n?: N8nServer; sandbox?: Sandbox } = {};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => void stop().finally(() => process.exit(0)));
}

/** Stops n8n, then the sandbox that it uses. */
async function stop(): Promise<void> {
	await started.n8n?.stop();
	await started.sandbox?.process.stop();
}

/** Returns the login of an earlier run, or creates one in a new n8n. */
async function logIn({ url }: N8nServer): Promise<Owner> {
	if (existsSync(ownerFile)) {
		return JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner;
	}
	const owner = newOwner('Node', 'Developer');
	await new Editor(url).setUpOwner(owner);
	writeFileSync(ownerFile, JSON.stringify(owner), { mode: 0o600 });
	return owner;
}

/** Builds the nodes and lets n8n load them. After a compiler error, n8n keeps the present nodes. */
async function update(): Promise<void> {
	const { status, output } = await runCaptured([join('node_modules', 'gulp', 'bin', 'gulp.js'), 'build'], root);
	if (status !== 0) {
		console.log(`${output.trimEnd()}\nThe build failed: n8n keeps the present nodes.`);
		return;
	}
	const isLoaded = await reloadPackage(join(root, 'dist'), installed, name, log('n8n'));
	console.log(
		isLoaded
			? 'n8n has loaded the changed nodes. Reload the editor if it does not show them.'
			: 'n8n has not loaded the changed nodes: start npm run dev again.',
	);
}

/** Updates n8n after each change of the sources, one update at a time. */
function watchSources(): void {
	let timer: NodeJS.Timeout | undefined;
	let updates = Promise.resolve();
	for (const source of ['nodes', 'credentials', 'icons']) {
		watch(join(root, source), { recursive: true }, () => {
			clearTimeout(timer);
			timer = setTimeout(() => (updates = updates.then(update)), QUIET_MS);
		});
	}
}

try {
	if (!(await claimKeptFolder(folder))) {
		throw new Error('npm run dev is running already. End it with Ctrl-C first.');
	}
	if (!existsSync(folder)) {
		emptyFolder(folder);
	}
	const step = printedSteps(3);
	await step('Building the package and installing it into an n8n of its own', async () => {
		await installPackage(await packPackage(folder, log('pack')), userFolder, log('install'));
	});
	const sandbox = await step('Starting the sandbox of the service', async () => {
		const own = (started.sandbox = await Sandbox.start(1, log('sandbox'), undefined, ['--state', stateFile]));
		const data = { baseUrl: own.url, environmentToken: own.token };
		const credential = { id: 'devSandbox', name: 'Sandbox', type: 'voiceAgentCallingApi', data };
		await importInto(userFolder, 'credentials', [credential], log('import'));
		return own;
	});
	const { n8n, owner } = await step('Starting n8n', async () => {
		const server = (started.n8n = await startN8n({ userFolder, logFile: log('n8n'), env: { N8N_DEV_RELOAD: 'true' } }));
		return { n8n: server, owner: await logIn(server) };
	});
	watchSources();
	console.log(`
  Editor    ${n8n.url}
  Email     ${owner.email}
  Password  ${owner.password}
  Console   ${sandbox.url} (the credential "Sandbox" is for it)
  Logs      ${join(folder, 'logs')}

Change a file below nodes/, credentials/ or icons/: n8n has it some seconds later. Ctrl-C ends everything. To start over,
end it and delete ${folder}.
`);
	console.log(`n8n ${await n8n.process.ended}.`);
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
}
await stop();
process.exit(1);
