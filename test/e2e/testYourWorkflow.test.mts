import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { readExample } from '../../scripts/lib/examples.mts';
import { cache, npmProgram, root, userFolders } from '../../scripts/lib/places.mts';
import { freePort } from '../../scripts/lib/ports.mts';
import { n8nProgram } from '../../scripts/n8n/environment.mts';

const file = readFileSync(join(root, 'docs', 'test-your-workflow.yml'), 'utf8');

/** The commands of the file by the name of their step, in its order. */
const steps = new Map(
	[...file.matchAll(/^ {6}- name: (.*)\n {8}run: (?:\|\n((?: {10}.*\n|\n)+)|(.*)\n)/gm)].map(
		([, name = '', block, line = '']) => [name, block?.replace(/^ {10}/gm, '') ?? line],
	),
);

/** Stands in for the repository of the person who copies the file. */
let repository: string;
let env: NodeJS.ProcessEnv;
let port: string;
const started: ChildProcess[] = [];

/** Runs a step as GitHub Actions does. @returns its status and what it wrote */
async function runStep(name: string, change = (commands: string) => commands): Promise<[number, string]> {
	const commands = change(steps.get(name)!.replaceAll('4010', port));
	// Its own group of processes: what the step leaves running ends with the test.
	const shell = spawn('bash', ['-e', '-c', commands], { cwd: repository, env, detached: true });
	started.push(shell);
	let output = '';
	for (const stream of [shell.stdout, shell.stderr]) {
		stream.on('data', (chunk) => (output += String(chunk)));
	}
	const [status] = (await once(shell, 'exit')) as [number];
	return [status, output];
}

beforeAll(async () => {
	repository = mkdtempSync(join(userFolders, 'e2e-repository-'));
	port = String(await freePort(harness.firstPort + 10));
	const bin = join(repository, 'bin');
	mkdirSync(bin);
	const sandbox = { 'voice-agent-calling-sandbox': join(root, 'sandbox', 'main.mts') };
	for (const [name, program] of Object.entries({ n8n: n8nProgram, npm: npmProgram(), ...sandbox })) {
		writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
	}
	const settings = file.replaceAll('${{ github.workspace }}', repository).replaceAll('4010', port);
	const own = [...settings.matchAll(/^ {2}([A-Z0-9_]+): '?(.*?)'?$/gm)].map(([, name, value]) => [name, value]);
	const { NODE_COMPILE_CACHE, N8N_DISABLED_MODULES, DB_SQLITE_POOL_SIZE } = harness.fastStart;
	const isForeign = ([name]: [string, unknown]) => /^(N8N_|DB_|JEST_|NODE_(ENV|OPTIONS)$)/.test(name);
	env = {
		// npm needs the registry, the certificates and the proxy of this machine; n8n gets no settings of a user or a test.
		...Object.fromEntries(Object.entries(process.env).filter((entry) => !isForeign(entry))),
		...Object.fromEntries(own),
		NODE_COMPILE_CACHE,
		N8N_DISABLED_MODULES,
		DB_SQLITE_POOL_SIZE,
		PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
		npm_config_prefer_offline: 'true',
		N8N_RUNNERS_BROKER_PORT: String(await freePort(harness.firstPort + 12)),
	};
	// What the editor downloads: the ID of a credential, and a campaign of the real service.
	const workflow = readExample('queue-calls-for-contacts.json');
	for (const node of workflow.nodes.filter(({ type }) => type.startsWith('n8n-nodes-voice-agent-calling.'))) {
		node.credentials = { voiceAgentCallingApi: { id: 'JqX3y0', name: 'Production' } };
		node.parameters.campaign = { __rl: true, mode: 'list', value: 'a-campaign-of-my-own' };
	}
	mkdirSync(join(repository, 'workflows'));
	writeFileSync(join(repository, env.WORKFLOW!), JSON.stringify({ ...workflow, id: 'mine', active: true }));
}, 60_000);

afterAll(() => {
	for (const { pid } of started) {
		try {
			process.kill(-pid!, 'SIGTERM');
		} catch {
			// Nothing of it runs any more.
		}
	}
});

test('the steps of docs/test-your-workflow.yml install, import and run a workflow, and find its calls and their events', async () => {
	// The version of n8n that everything here is tested with.
	const { dependencies } = JSON.parse(readFileSync(join(root, 'tools', 'n8n', 'package.json'), 'utf8'));
	const install = `npm install --global n8n@${dependencies.n8n} voice-agent-calling-sandbox\n`;
	expect(steps.get('Install n8n, the nodes and the sandbox')).toContain(install);
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
	const nodes = join(cache, 'e2e', `n8n-nodes-voice-agent-calling-${version}.tgz`);
	expect([...steps.keys()]).toHaveLength(5);
	for (const name of steps.keys()) {
		// n8n and the sandbox are here already, and the nodes are not published: their tarball takes their place.
		const [status, output] = await runStep(name, (commands) =>
			commands
				.replace(/^npm install --global .*\n/, '')
				.replace('--legacy-peer-deps n8n-nodes-voice-agent-calling', `--legacy-peer-deps ${nodes}`),
		);
		expect([name, status, status === 0 ? '' : output]).toEqual([name, 0, '']);
	}
}, 180_000);

test('its check fails, and shows the difference, when the workflow calls somebody else', async () => {
	const [status, output] = await runStep('Check the calls and their events', (commands) =>
		commands.replace('+442079460002', '+442079460009'),
	);
	expect([status, output]).toEqual([1, expect.stringMatching(/\+ +'\+442079460002'[^]*- +'\+442079460009'/)]);
}, 60_000);
