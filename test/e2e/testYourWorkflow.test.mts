import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { readExample } from '../../scripts/lib/examples.mts';
import { n8nProgram } from '../../scripts/lib/n8n.mts';
import { cache, npmProgram, root, userFolders } from '../../scripts/lib/places.mts';
import { freePort } from '../../scripts/lib/process.mts';
import { comes } from './eventually.mts';

const file = readFileSync(join(root, 'docs', 'test-your-workflow.yml'), 'utf8');

/** The commands of the file by the name of their step, in its order. */
const steps = new Map(
	[...file.matchAll(/^ {6}- name: (.*)\n {8}run: (?:\|\n((?: {10}.*\n|\n)+)|(.*)\n)/gm)].map(
		([, name = '', block, line = '']) => [name, block?.replace(/^ {10}/gm, '') ?? line],
	),
);

/** The packed nodes. */
function tarball(): string {
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
	return join(cache, 'e2e', `n8n-nodes-voice-agent-calling-${version}.tgz`);
}

/** Stands in for the repository of the person who copies the file. */
let repository: string;
let env: NodeJS.ProcessEnv;
let port: string;
const started: ChildProcess[] = [];

/** Runs a step as GitHub Actions does. @returns its status and what it wrote */
async function runStep(name: string, change = (commands: string) => commands): Promise<[number, string]> {
	return await runCommands(change(steps.get(name)!.replaceAll('4010', port)));
}

/** Runs commands in the repository. @returns their status and what they wrote */
async function runCommands(commands: string): Promise<[number, string]> {
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

/** Asks the sandbox that the steps have started, or lets it do something. */
async function sandbox<Answer>(path: string, body?: object): Promise<Answer> {
	const options = body && {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	};
	return (await (await fetch(`${env.SANDBOX}/_sandbox/${path}`, options)).json()) as Answer;
}

beforeAll(async () => {
	repository = mkdtempSync(join(userFolders, 'e2e-repository-'));
	port = String(await freePort(harness.firstPort + 10));
	const bin = join(repository, 'bin');
	mkdirSync(bin);
	const ours = { 'voice-agent-calling-sandbox': join(root, 'sandbox', 'main.mts') };
	for (const [name, program] of Object.entries({ n8n: n8nProgram, npm: npmProgram(), ...ours })) {
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
		// One item that fails does not stop the others.
		Object.assign(node, { onError: 'continueRegularOutput' });
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
	expect([...steps.keys()]).toHaveLength(5);
	for (const name of steps.keys()) {
		// n8n and the sandbox are here already, and the nodes are not published: their tarball takes their place.
		const [status, output] = await runStep(name, (commands) =>
			commands
				.replace(/^npm install --global .*\n/, '')
				.replace('--legacy-peer-deps n8n-nodes-voice-agent-calling', `--legacy-peer-deps ${tarball()}`),
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

test('the curl of the page lets a call fail: with drop-after it is unknown, with 422 failed; without match, a read fails', async () => {
	const page = readFileSync(join(root, 'docs', 'test-your-workflow.md'), 'utf8');
	const [, indented = ''] = /^ *```sh\n([^]*?)^ *```$/m.exec(page) ?? [];
	const curl = indented.replace(/^ {2}/gm, '');
	const [match, drop] = ['"match": {"method": "POST", "path": "/api/v1/campaigns/*"}, ', '"kind": "drop-after"'];
	const refuse = '"kind": "status", "status": 422';
	expect(page).toContain(refuse);
	const withoutMatch = curl.replace(match, '').replace(drop, '"kind": "status", "status": 503');
	await sandbox('reset', {});
	for (const commands of [withoutMatch, curl, curl.replace(drop, refuse)]) {
		expect(await runCommands(commands)).toEqual([0, expect.stringContaining('"success":true')]);
	}
	const [status, output] = await runStep('Run the workflow');
	expect([status, [...output.matchAll(/"result": "(\w+)"/g)].map(([, result]) => result).sort()]).toEqual([
		0,
		['failed', 'queued', 'queued', 'queued', 'unknown'],
	]);
	const requests: Array<{ method: string; status: number | null }> = await sandbox('requests');
	const statuses = (method: string) => requests.filter((one) => one.method === method).map((one) => one.status);
	expect(statuses('GET')[0]).toBe(503);
	expect(statuses('POST').sort()).toEqual([201, 201, 201, 422, null]);

	// The path for Place.
	expect(page).toContain('/api/v1/agents/*');
	await runCommands(curl.replace('campaigns/*', 'agents/*'));
	const { url, token, seed } = JSON.parse(readFileSync(join(repository, 'sandbox.json'), 'utf8'));
	const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
	const body = JSON.stringify({ to: '+12025550101' });
	const place = fetch(`${url}/api/v1/agents/${seed.agents.published}/call`, { method: 'POST', headers, body });
	await expect(place).rejects.toThrow();
}, 120_000);

test('the command that docs/install.md runs in a container installs the nodes for n8n', async () => {
	const page = readFileSync(join(root, 'docs', 'install.md'), 'utf8');
	const commands = [...page.matchAll(/^docker exec n8n sh -c '(.*)'$/gm)].map(([, command]) => command!);
	expect(commands).toHaveLength(2);
	for (const [index, command] of commands.entries()) {
		const home = mkdtempSync(join(repository, 'home-'));
		// Neither the package nor a container is there: the tarball takes the place of both names.
		const inner = command.replace(/(--legacy-peer-deps) \S+$/, `$1 ${tarball()}`);
		expect([index, ...(await runCommands(`export HOME='${home}'\n${inner}`)).slice(0, 1)]).toEqual([index, 0]);
		const installed = join(home, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-voice-agent-calling', 'package.json');
		expect(existsSync(installed)).toBe(true);
	}
}, 60_000);

test('a workflow that begins with the trigger: published and started as the page says, it gets the events that are sent', async () => {
	await sandbox('reset', {});
	const id = (value: string) => ({ __rl: true, mode: 'id', value });
	const node = (name: string, type: string, typeVersion: number, parameters: object) => {
		return { id: name, name, type: `n8n-nodes-voice-agent-calling.${type}`, typeVersion, position: [0, 0], parameters };
	};
	const trigger = node('Events', 'voiceAgentCallingTrigger', 2, { campaign: id('mine') });
	const call = { resource: 'call', operation: 'place', agent: id('mine'), phoneNumber: '={{ $json.to }}' };
	const workflow = {
		name: 'Mine',
		nodes: [{ ...trigger, webhookId: crypto.randomUUID() }, node('Call', 'voiceAgentCalling', 1, call)],
		connections: { Events: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
		settings: {},
	};
	writeFileSync(join(repository, env.WORKFLOW!), JSON.stringify(workflow));
	expect(await runStep('Import the workflow and a credential for the sandbox')).toEqual([0, expect.anything()]);
	const page = readFileSync(join(root, 'docs', 'test-your-workflow.md'), 'utf8');
	const [publish, start] = ['n8n publish:workflow --id=test', 'n8n start'];
	expect([page.includes(`\`${publish}\``), page.includes(`\`${start}\``)]).toEqual([true, true]);
	const own = `export N8N_PORT=${await freePort(harness.firstPort + 14)}`;
	expect(await runCommands(`${own}\n${publish}\n${start} > n8n.log 2>&1 &`)).toEqual([0, expect.anything()]);
	const [webhook] = await comes(
		async () => {
			const webhooks: Array<{ id: string; name: string }> = await sandbox('webhooks');
			return webhooks.length > 0 && webhooks;
		},
		'the webhook of the trigger',
		60,
	);
	const placed = async (count: number) =>
		await comes(async () => {
			const requests: Array<{ method: string; path: string; body: { is_testing?: boolean } }> =
				await sandbox('requests');
			const calls = requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/call'));
			return calls.length === count && calls.map(({ body }) => body.is_testing);
		}, `${count} calls`);
	const event = { webhookId: webhook!.id, event: 'campaign_call.completed' };
	await sandbox('deliver', event);
	expect(await placed(1)).toEqual([true]);
	const notATest = JSON.parse(`{${/`("data": \{"is_testing": false\})`/.exec(page)![1]}}`);
	await sandbox('deliver', { ...event, ...notATest });
	expect(await placed(2)).toEqual([true, false]);
}, 180_000);
