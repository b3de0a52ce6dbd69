import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { enter, importExample } from './example.mts';
import { Instance } from './instance.mts';

interface Agent {
	id: string;
	name: string;
}

let repository: string;
let n8n: Instance;
let workflowId: string;
let agents: Agent[];

/** Runs Git as a person does in a terminal. */
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
const commits = () => Number(git('rev-list', '--all', '--count'));

beforeAll(async () => {
	n8n = await Instance.share({ options: ['--rate-limit', '100000'] });
	repository = join(n8n.folder, 'files', 'voice-agents');
	mkdirSync(repository);
	git('init', '--initial-branch', 'main');
	git('config', 'user.name', 'n8n');
	git('config', 'user.email', 'n8n@example.com');
	agents = (await n8n.service.get('/api/v1/agents?per_page=100')).data.data;
	workflowId = await importExample(n8n, 'export-agents-to-git.json', (workflow) =>
		enter(workflow, 'Repository', { folder: repository }),
	);
});

/** Runs the example until it is over; gives the ID of the execution. */
async function run(): Promise<string> {
	const { id, status } = await n8n.run(workflowId, 'Every Night at 2');
	expect(status).toBe('success');
	return id;
}

/** The name and the text of an agent's file. */
function fileOf({ id }: Agent): [name: string, text: string] {
	const [file = '', ...others] = readdirSync(repository).filter((name) => name.endsWith(`-${id.slice(0, 8)}.json`));
	expect(others).toEqual([]);
	return [file, readFileSync(join(repository, file), 'utf8')];
}

test('every agent has a file in the repository, and a commit has only what changed', async () => {
	const [first, second] = agents as [Agent, Agent];
	await n8n.service.post(`/api/v1/agents/${first.id}/webhooks`, {
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
		const [, text] = fileOf(agent);
		const document = JSON.parse(text);
		expect(document).toMatchObject({ schemaVersion: 1, settings: { name: agent.name } });
		expect(text).toBe(JSON.stringify(document, null, 2));
		expect(text).not.toContain(agent.id);
	}
	expect(git('grep', '-l', 'crm.example.com')).toBe(fileOf(first)[0]);
	expect(() => git('grep', 'sentinel')).toThrow();
	expect(git('log', '--format=%an: %s')).toMatch(/^n8n: Voice agents on \d{4}-\d\d-\d\d$/);

	// Nothing has changed: nothing is committed.
	await run();
	expect([commits(), git('status', '--porcelain')]).toEqual([1, '']);

	await n8n.givePrompt(second.id, 'You sell umbrellas.');
	await run();
	expect(commits()).toBe(2);
	expect(git('show', '--format=', '--name-only')).toBe(fileOf(second)[0]);
	expect(git('show', '--format=', '--unified=0')).toContain('+    "description": "You sell umbrellas.",');
});

test('an agent that cannot be read keeps its file, somebody is told, and the others are committed', async () => {
	const [first, second] = agents as [Agent, Agent];
	const before = fileOf(first);
	await n8n.givePrompt(first.id, 'You sell boats.');
	await n8n.givePrompt(second.id, 'You sell cars.');
	await n8n.fault('GET', `/api/v1/agents/${first.id}/flow`, { kind: 'status', status: 403, times: 1 });
	const id = await run();
	expect(git('show', '--format=', '--name-only')).toBe(fileOf(second)[0]);
	expect([commits(), fileOf(first)]).toEqual([3, before]);
	const message = expect.stringMatching(new RegExp(`^The agent ${first.name} was not exported\\. .+`));
	expect(await n8n.outputOf(id, 'Tell Somebody')).toMatchObject([{ message }]);
});
