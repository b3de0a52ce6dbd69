import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { importExample, nodeOf } from './example.mts';
import { outputOf } from './executionData.mts';
import { Instance } from './instance.mts';

interface Agent {
	id: string;
	name: string;
}

/** n8n may use this folder alone. */
const allowed = mkdtempSync(join(tmpdir(), 'allowed-'));
const repository = join(allowed, 'voice-agents');

let n8n: Instance;
let workflowId: string;
let agents: Agent[];
let runs = 0;

/** Runs Git as a person does in a terminal. */
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();

/** The number of commits. */
const commits = () => Number(git('rev-list', '--all', '--count'));

beforeAll(async () => {
	mkdirSync(repository);
	git('init', '--initial-branch', 'main');
	git('config', 'user.name', 'n8n');
	git('config', 'user.email', 'n8n@example.com');
	n8n = await Instance.start({ env: { N8N_RESTRICT_FILE_ACCESS_TO: allowed }, options: ['--rate-limit', '100000'] });
	agents = (await n8n.service.get('/api/v1/agents?per_page=100')).data.data;
	workflowId = await importExample(n8n, 'export-agents-to-git.json', inFolder(repository));
}, 120_000);

afterAll(async () => await n8n?.stop(), 30_000);

/** Enters the folder of the repository, as a person does. */
function inFolder(folder: string): Parameters<typeof importExample>[2] {
	return (workflow) => {
		const { assignments } = nodeOf(workflow, 'Repository').parameters.assignments as {
			assignments: [{ value: string }];
		};
		assignments[0].value = folder;
	};
}

/** Runs the example until it is over; gives the ID of the execution. */
async function run(): Promise<string> {
	const id = await n8n.editor.run(workflowId, 'Every Night at 2');
	runs++;
	const [execution] = await n8n.finished(workflowId, runs);
	expect(execution).toMatchObject({ id, status: 'success' });
	return id;
}

/** The file of an agent. */
function fileOf({ id }: Agent): string {
	const [file, ...others] = readdirSync(repository).filter((name) => name.endsWith(`-${id.slice(0, 8)}.json`));
	expect(others).toEqual([]);
	return String(file);
}

test('every agent has a file in the repository, and a commit has only what changed', async () => {
	const [first, second] = agents as [Agent, Agent];
	const path = `/api/v1/agents/${first.id}`;
	await n8n.service.post(`${path}/webhooks`, {
		name: 'CRM',
		webhook_url: 'https://crm.example.com/events',
		events: ['event_recording'],
		webhook_secret: 'sentinel-signing-secret',
		custom_headers: [{ key: 'X-Key', value: 'sentinel-header' }],
	});
	await run();
	expect(commits()).toBe(1);
	expect(git('ls-files').split('\n')).toHaveLength(agents.length);
	for (const agent of agents) {
		const text = readFileSync(join(repository, fileOf(agent)), 'utf8');
		const document = JSON.parse(text);
		expect(document).toMatchObject({ schemaVersion: 1, settings: { name: agent.name } });
		expect(text).toBe(JSON.stringify(document, null, 2));
		expect(text).not.toContain(agent.id);
	}
	expect(git('grep', '-l', 'crm.example.com').split('\n')).toEqual([fileOf(first)]);
	expect(() => git('grep', 'sentinel')).toThrow();
	expect(git('log', '--format=%an: %s')).toMatch(/^n8n: Voice agents on \d{4}-\d\d-\d\d$/);

	// Nothing has changed: nothing is committed.
	await run();
	expect(commits()).toBe(1);
	expect(git('status', '--porcelain')).toBe('');

	await n8n.givePrompt(second.id, 'You sell umbrellas.');
	await run();
	expect(commits()).toBe(2);
	expect(git('show', '--format=', '--name-only')).toBe(fileOf(second));
	expect(git('show', '--format=', '--unified=0')).toContain('+    "description": "You sell umbrellas.",');
}, 120_000);

test('an agent that cannot be read keeps its file, somebody is told, and the others are committed', async () => {
	const [first, second] = agents as [Agent, Agent];
	const before = readFileSync(join(repository, fileOf(first)), 'utf8');
	await n8n.givePrompt(first.id, 'You sell boats.');
	await n8n.givePrompt(second.id, 'You sell cars.');
	const match = { method: 'GET', path: `/api/v1/agents/${first.id}/flow` };
	await n8n.service.post('/_sandbox/faults', { kind: 'status', status: 403, match, times: 1 });
	const count = commits();
	const id = await run();
	expect(commits()).toBe(count + 1);
	expect(git('show', '--format=', '--name-only')).toBe(fileOf(second));
	expect(readFileSync(join(repository, fileOf(first)), 'utf8')).toBe(before);
	expect(await outputOf(n8n.editor, id, 'Tell Somebody')).toMatchObject([
		{ message: expect.stringMatching(new RegExp(`^The agent ${first.name} was not exported\\. .+`)) },
	]);
}, 120_000);

test('a folder that n8n may not use is an error, as the note says', async () => {
	const elsewhere = mkdtempSync(join(tmpdir(), 'not-allowed-'));
	const other = await importExample(n8n, 'export-agents-to-git.json', inFolder(elsewhere));
	await n8n.editor.run(other, 'Every Night at 2');
	expect(await n8n.finished(other, 1)).toMatchObject([{ status: 'error' }]);
	expect(readdirSync(elsewhere)).toEqual([]);
}, 120_000);
