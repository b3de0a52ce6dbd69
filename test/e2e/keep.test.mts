import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { Editor } from '../../scripts/lib/editor.mts';
import { root, userFolders } from '../../scripts/lib/places.mts';
import { comes } from './eventually.mts';

/** The home folder of the processes, in which they keep their data. */
const home = mkdtempSync(join(userFolders, 'e2e-keep-'));
const campaignName = 'Kept campaign';

const starts: Array<{ signal: (signal: NodeJS.Signals) => void; ended: Promise<unknown> }> = [];

/** What `npm start` says about itself. */
type Shown = Record<'editor' | 'email' | 'password' | 'console' | 'folder', string>;

/** Starts `npm start` in a group of its own, to be killed or interrupted as by a terminal. */
function startKept() {
	const command = [join(root, 'scripts', 'start.mjs'), '--keep'];
	const env = { ...process.env, HOME: home, USERPROFILE: home };
	const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
	}
	const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
	const says = async (pattern: RegExp, seconds: number) =>
		await comes(async () => pattern.test(text), String(pattern), seconds).catch((error: Error) => {
			throw new Error(`${error.message} in ${text}`);
		});
	const started = {
		pid: child.pid ?? NaN,
		text: () => text,
		ended,
		says,
		async shown(): Promise<Shown> {
			await says(/^ {2}Logs {2,}\S+$/m, 180);
			const after = (name: string) => new RegExp(`^  ${name} +(\\S+)`, 'm').exec(text)?.[1] ?? '';
			return {
				email: after('Email'),
				password: after('Password'),
				console: after('Console'),
				editor: after('Editor').replace('/home/workflows', ''),
				folder: after('Logs').replace(/.logs$/, ''),
			};
		},
		signal(signal: NodeJS.Signals) {
			if (child.pid && child.exitCode === null && child.signalCode === null) {
				process.kill(-child.pid, signal);
			}
		},
	};
	starts.push(started);
	return started;
}

type Start = ReturnType<typeof startKept>;

let start: Start;

afterAll(async () => {
	for (const left of starts) {
		left.signal('SIGTERM');
		await left.ended;
	}
}, 30_000);

/** The processes that another one has started, and those that they have started. */
function startedBy(pid: number): Array<{ pid: number; command: string }> {
	const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1e8 });
	const all = [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, own, parent, command = '']) => {
		return { pid: Number(own), parent: Number(parent), command };
	});
	const below = (parent: number): typeof all =>
		all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
	return below(pid);
}

function kill({ pid }: Start, command: RegExp): void {
	process.kill(startedBy(pid).find((one) => command.test(one.command))?.pid ?? NaN, 'SIGKILL');
}

/** A request to the sandbox. */
async function sandbox<T>(url: string, path: string, body?: object): Promise<T> {
	const response = await fetch(url + path, {
		method: body ? 'POST' : 'GET',
		headers: { authorization: 'Bearer TOKEN', 'content-type': 'application/json' },
		...(body && { body: JSON.stringify(body) }),
	});
	const answer = await response.json();
	expect({ path, ok: response.ok, answer }).toEqual({ path, ok: true, answer });
	return answer as T;
}

interface Named {
	id: string;
	name: string;
}

const answers = async (url: string) => (await fetch(url)).status;
const queuedIn = async (url: string) =>
	(await sandbox<Array<{ method: string; path: string }>>(url, '/_sandbox/requests')).filter(
		({ method, path }) => method === 'POST' && path.endsWith('/call'),
	).length;
const keyIn = (folder: string) => readFileSync(join(folder, 'user', '.n8n', 'config'), 'utf8');

async function logIn({ editor: url, email, password }: Shown): Promise<Editor> {
	const editor = new Editor(url);
	await editor.logIn({ email, password, firstName: '', lastName: '' });
	return editor;
}

/** What a developer has done in the first start, and what is kept of it. */
let changes: Awaited<ReturnType<typeof use>>;

/** Uses what runs as a developer does: a campaign, a credential, a published workflow, a change to an example. */
async function use(shown: Shown) {
	const editor = await logIn(shown);
	const seed = await sandbox<{ agents: { published: string } }>(shown.console, '/_sandbox/seed');
	const { data: campaign } = await sandbox<{ data: Named }>(shown.console, '/api/v1/campaigns', {
		name: campaignName,
		agent_id: seed.agents.published,
		campaign_type: 'custom',
		start_date: '2020-01-01',
		days_of_week: [1, 2, 3, 4, 5],
		timezone: 'UTC',
		call_time_ranges: [{ start: '00:00', end: '23:59' }],
	});
	const data = { baseUrl: shown.console, environmentToken: 'TOKEN' };
	const own = { name: 'Own credential', type: 'voiceAgentCallingApi', data };
	const { id, name } = await editor.request<Named>('POST', '/rest/credentials', own);
	const trigger = {
		id: randomUUID(),
		name: 'Events',
		type: 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger',
		typeVersion: 1,
		position: [0, 0],
		webhookId: randomUUID(),
		parameters: { campaign: { __rl: true, mode: 'id', value: campaign.id } },
		credentials: { voiceAgentCallingApi: { id, name } },
	};
	const workflow = { name: 'Own workflow', active: false, nodes: [trigger], connections: {}, settings: {} };
	const { id: workflowId } = await editor.request<Named>('POST', '/rest/workflows', workflow);
	await editor.publish(workflowId);
	await editor.request('PATCH', '/rest/workflows/queueForContacts', { name: 'Changed example' });
	const webhook = async () => {
		const hooks = await sandbox<Array<{ id: string; campaign_id: string }>>(shown.console, '/_sandbox/webhooks');
		return hooks.find(({ campaign_id }) => campaign_id === campaign.id)?.id;
	};
	const webhookId = await comes(webhook, 'a webhook');
	const [queued, keptKey] = [await queuedIn(shown.console), keyIn(shown.folder)];
	return { shown, campaignId: campaign.id, webhookId, workflowId, queued, keptKey };
}

test('npm start -- --keep begins with the quick start, and is not started twice; without n8n the sandbox goes on', async () => {
	start = startKept();
	const shown = await start.shown();
	expect(start.text()).toMatch(/Calls queued by the first workflow +5$/m);
	expect(start.text()).toContain('--keep --reset');
	expect(shown.folder.startsWith(home)).toBe(true);
	expect(statSync(shown.folder).mode & 0o077).toBe(0);
	expect(await answers(`${shown.console}/`)).toBe(200);
	changes = await use(shown);

	const second = startKept();
	expect(await second.ended).toBe(1);
	expect(second.text()).toContain(`is running already: ${shown.editor}. End it with Ctrl-C first.`);

	kill(start, /bin.n8n start$/);
	await start.says(/n8n was ended by SIGKILL/, 20);
	expect(start.text()).toContain('The sandbox goes on.');
	expect(await answers(`${shown.console}/_sandbox/status`)).toBe(200);
	// A kill, as by the system when memory is short. The sandbox notices, and ends.
	start.signal('SIGKILL');
	await start.ended;
}, 300_000);

test('the next start has everything as it was, also after a kill, and events start the published workflow', async () => {
	const { shown: first, campaignId, webhookId, workflowId, queued, keptKey } = changes;
	start = startKept();
	const shown = await start.shown();
	expect(shown).toEqual(first);
	expect(start.text()).toContain('workflows: 3 (2 published), credentials: 2');
	expect(keyIn(shown.folder)).toBe(keptKey);

	const editor = await logIn(shown);
	const namesOf = async (list: string) =>
		(await editor.request<Named[]>('GET', `/rest/${list}`)).map(({ name }) => name).sort();
	expect(await namesOf('workflows')).toEqual(['Changed example', 'Own workflow', 'React to campaign events']);
	expect(await namesOf('credentials')).toEqual(['Own credential', 'Sandbox']);
	const campaigns = await sandbox<Named[]>(shown.console, '/_sandbox/campaigns');
	expect(campaigns.find(({ id }) => id === campaignId)?.name).toBe(campaignName);
	expect(await queuedIn(shown.console)).toBe(queued);

	const before = (await editor.executions(workflowId)).length;
	const event = { webhookId, event: 'campaign_call.completed' };
	expect(await sandbox(shown.console, '/_sandbox/deliver', event)).toMatchObject({ attempts: [{ status: 200 }] });
	await comes(async () => (await editor.executions(workflowId)).length === before + 1, 'an execution');
}, 180_000);

test('without the sandbox n8n goes on, the printed command brings the data back, and Ctrl-C leaves nothing behind', async () => {
	const { shown, campaignId } = changes;
	kill(start, /sandbox.main\.mts /);
	await start.says(/The sandbox was ended by SIGKILL/, 20);
	expect(start.text()).toContain('n8n goes on.');
	expect(await answers(`${shown.editor}/healthz`)).toBe(200);

	const command = /npm run sandbox -- (--port.*)$/m.exec(start.text())?.[1] ?? '';
	const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
	const again = harness.startProcess({
		name: 'The sandbox',
		args: [join(root, 'sandbox', 'main.mts'), ...args],
		cwd: root,
		env: process.env,
		logFile: join(home, 'again.log'),
	});
	await comes(async () => (await answers(`${shown.console}/`).catch(() => undefined)) === 200, 'the sandbox');
	const campaigns = await sandbox<Named[]>(shown.console, '/_sandbox/campaigns');
	expect(campaigns.some(({ id }) => id === campaignId)).toBe(true);
	await again.stop();

	const running = startedBy(start.pid);
	for (const command of [/start\.mts/, /n8n start$/]) {
		expect(running.map((one) => one.command)).toContainEqual(expect.stringMatching(command));
	}
	const asked = Date.now();
	start.signal('SIGINT');
	expect(await start.ended).toBe(1);
	expect(Date.now() - asked).toBeLessThan(20_000);
	const { stdout } = spawnSync('ps', ['-o', 'pid=', '-p', running.map(({ pid }) => pid).join()], { encoding: 'utf8' });
	expect(stdout).toBe('');
	await expect(answers(`${shown.editor}/healthz`)).rejects.toThrow();
	await expect(answers(`${shown.console}/`)).rejects.toThrow();
}, 120_000);
