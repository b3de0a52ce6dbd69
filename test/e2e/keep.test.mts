import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { root, userFolders } from '../../scripts/lib/places.mts';
import { until } from '../../scripts/lib/waiting.mts';
import { Editor } from '../../scripts/n8n/editor.mts';

/** The home folder of the processes, in which they keep their data. */
const home = mkdtempSync(join(userFolders, 'e2e-keep-'));
const campaignName = 'Kept campaign';

/** What `npm start` says about itself. */
interface Shown {
	editor: string;
	email: string;
	password: string;
	console: string;
	folder: string;
}

/** A running `npm start`, with everything that it has printed. */
class Start {
	private readonly child: ChildProcess;
	private output = '';
	readonly ended: Promise<number | null>;

	constructor(args: string[]) {
		const command = [join(root, 'scripts', 'start.mjs'), ...args];
		const env = { ...process.env, HOME: home, USERPROFILE: home };
		// In a group of its own, to be killed or interrupted as by a terminal.
		this.child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
		for (const stream of [this.child.stdout, this.child.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => {
				this.output += text;
			});
		}
		this.ended = new Promise((resolve) => this.child.on('close', resolve));
	}

	get pid(): number {
		return this.child.pid ?? NaN;
	}

	get text(): string {
		return this.output;
	}

	async says(pattern: RegExp, seconds: number): Promise<void> {
		const otherwise = () => new Error(`${pattern} did not come: ${this.output}`);
		await until(async () => pattern.test(this.output) || undefined, { seconds, otherwise });
	}

	async shown(): Promise<Shown> {
		await this.says(/^ {2}Logs {2,}\S+$/m, 180);
		const after = (name: string) => new RegExp(`^  ${name} +(\\S+)`, 'm').exec(this.output)?.[1] ?? '';
		return {
			editor: after('Editor').replace('/home/workflows', ''),
			email: after('Email'),
			password: after('Password'),
			console: after('Console'),
			folder: after('Logs').replace(/.logs$/, ''),
		};
	}

	signal(signal: NodeJS.Signals): void {
		if (this.child.pid && this.child.exitCode === null && this.child.signalCode === null) {
			process.kill(-this.child.pid, signal);
		}
	}
}

let start: Start | undefined;
const others: Start[] = [];

afterAll(async () => {
	for (const left of [start, ...others]) {
		left?.signal('SIGTERM');
		await left?.ended;
	}
}, 30_000);

interface ListedProcess {
	pid: number;
	parent: number;
	command: string;
}

/** The processes that another one has started, and those that they have started. */
function startedBy(pid: number): ListedProcess[] {
	const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1e8 });
	const all = [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, own, parent, command = '']) => ({
		pid: Number(own),
		parent: Number(parent),
		command,
	}));
	const below = (parent: number): ListedProcess[] =>
		all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
	return below(pid);
}

function isAlive({ pid }: ListedProcess): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

function kill(start: Start, command: RegExp): void {
	const found = startedBy(start.pid).find((one) => command.test(one.command));
	process.kill(found?.pid ?? NaN, 'SIGKILL');
}

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

/** What the tests of this file change in the first start. */
interface Changes {
	shown: Shown;
	campaignId: string;
	webhookId: string;
	workflowId: string;
	queued: number;
	keptKey: string;
}
let changes: Changes;

const keyIn = (folder: string) => readFileSync(join(folder, 'user', '.n8n', 'config'), 'utf8');

/** Uses what runs as a developer does: a campaign, a credential, a published workflow, a change to an example. */
async function use(shown: Shown): Promise<Changes> {
	const editor = new Editor(shown.editor);
	await editor.logIn({ email: shown.email, password: shown.password, firstName: '', lastName: '' });
	const seed = await sandbox<{ agents: { published: string } }>(shown.console, '/_sandbox/seed');
	const created = await sandbox<{ data: Named }>(shown.console, '/api/v1/campaigns', {
		name: campaignName,
		agent_id: seed.agents.published,
		campaign_type: 'custom',
		start_date: '2020-01-01',
		days_of_week: [1, 2, 3, 4, 5],
		timezone: 'UTC',
		call_time_ranges: [{ start: '00:00', end: '23:59' }],
	});
	const campaignId = created.data.id;
	const data = { baseUrl: shown.console, environmentToken: 'TOKEN' };
	const credential = await editor.request<Named>('POST', '/rest/credentials', {
		name: 'Own credential',
		type: 'voiceAgentCallingApi',
		data,
	});
	const trigger = {
		id: randomUUID(),
		name: 'Events',
		type: 'n8n-nodes-voice-agent-calling.voiceAgentCallingTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: { campaign: { __rl: true, mode: 'id', value: campaignId } },
		webhookId: randomUUID(),
		credentials: { voiceAgentCallingApi: { id: credential.id, name: credential.name } },
	};
	const own = { name: 'Own workflow', active: false, nodes: [trigger], connections: {}, settings: {} };
	const { id: workflowId } = await editor.request<Named>('POST', '/rest/workflows', own);
	await editor.publish(workflowId);
	await editor.request('PATCH', '/rest/workflows/queueForContacts', { name: 'Changed example' });
	const webhookId = await until(
		async () => {
			const hooks = await sandbox<Array<{ id: string; campaign_id: string }>>(shown.console, '/_sandbox/webhooks');
			return hooks.find(({ campaign_id }) => campaign_id === campaignId)?.id;
		},
		{ seconds: 30, otherwise: () => new Error('No webhook was registered') },
	);
	return {
		shown,
		campaignId,
		webhookId,
		workflowId,
		queued: await queuedIn(shown.console),
		keptKey: keyIn(shown.folder),
	};
}

test('npm start -- --keep begins with the quick start, and is not started twice; without n8n the sandbox goes on', async () => {
	start = new Start(['--keep']);
	const shown = await start.shown();
	expect(start.text).toMatch(/Calls queued by the first workflow +5$/m);
	expect(start.text).toContain('--keep --reset');
	expect(shown.folder.startsWith(home)).toBe(true);
	expect(statSync(shown.folder).mode & 0o077).toBe(0);
	expect(await answers(`${shown.console}/`)).toBe(200);
	changes = await use(shown);

	const second = new Start(['--keep']);
	others.push(second);
	expect(await second.ended).toBe(1);
	expect(second.text.trim()).toBe(`npm start -- --keep is running already: ${shown.editor}. End it with Ctrl-C first.`);

	kill(start, /bin.n8n start$/);
	await start.says(/n8n was ended by SIGKILL/, 20);
	expect(start.text).toContain('The sandbox goes on.');
	expect(await answers(`${shown.console}/_sandbox/status`)).toBe(200);
	// A kill, as by the system when memory is short. The sandbox notices, and ends.
	start.signal('SIGKILL');
	await start.ended;
}, 300_000);

test('the next start has everything as it was, also after a kill, and events start the published workflow', async () => {
	const { shown: first, campaignId, webhookId, workflowId, queued, keptKey } = changes;
	start = new Start(['--keep']);
	const shown = await start.shown();
	expect(shown).toEqual(first);
	expect(start.text).toContain('workflows: 3 (2 published), credentials: 2');
	expect(keyIn(shown.folder)).toBe(keptKey);

	const editor = new Editor(shown.editor);
	await editor.logIn({ email: shown.email, password: shown.password, firstName: '', lastName: '' });
	const workflows = await editor.request<Named[]>('GET', '/rest/workflows');
	expect(workflows.map(({ name }) => name).sort()).toEqual([
		'Changed example',
		'Own workflow',
		'React to campaign events',
	]);
	const credentials = await editor.request<Named[]>('GET', '/rest/credentials');
	expect(credentials.map(({ name }) => name).sort()).toEqual(['Own credential', 'Sandbox']);
	const campaigns = await sandbox<Named[]>(shown.console, '/_sandbox/campaigns');
	expect(campaigns.find(({ id }) => id === campaignId)?.name).toBe(campaignName);
	expect(await queuedIn(shown.console)).toBe(queued);

	const before = (await editor.executions(workflowId)).length;
	const { attempts } = await sandbox<{ attempts: Array<{ status: number }> }>(shown.console, '/_sandbox/deliver', {
		webhookId,
		event: 'campaign_call.completed',
	});
	expect(attempts.map(({ status }) => status)).toEqual([200]);
	await until(async () => (await editor.executions(workflowId)).length === before + 1 || undefined, {
		seconds: 30,
		otherwise: () => new Error('The delivery started no execution'),
	});
}, 180_000);

test('without the sandbox n8n goes on, the printed command brings the data back, and Ctrl-C leaves nothing behind', async () => {
	const { shown, campaignId } = changes;
	kill(start!, /sandbox.main\.mts /);
	await start!.says(/The sandbox was ended by SIGKILL/, 20);
	expect(start!.text).toContain('n8n goes on.');
	expect(await answers(`${shown.editor}/healthz`)).toBe(200);

	const command = /npm run sandbox -- (--port.*)$/m.exec(start!.text)?.[1] ?? '';
	const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
	const again = harness.startProcess({
		name: 'The sandbox',
		args: [join(root, 'sandbox', 'main.mts'), ...args],
		cwd: root,
		env: process.env,
		logFile: join(home, 'again.log'),
	});
	await until(async () => (await answers(`${shown.console}/`).catch(() => undefined)) === 200 || undefined, {
		seconds: 20,
		otherwise: () => again.failure('did not start'),
	});
	const campaigns = await sandbox<Named[]>(shown.console, '/_sandbox/campaigns');
	expect(campaigns.some(({ id }) => id === campaignId)).toBe(true);
	await again.stop();

	const running = startedBy(start!.pid);
	expect(running.map(({ command }) => /start\.mts|n8n start$/.exec(command)?.[0]).sort()).toEqual(
		expect.arrayContaining(['n8n start', 'start.mts']),
	);
	const asked = Date.now();
	start!.signal('SIGINT');
	expect(await start!.ended).toBe(1);
	expect(Date.now() - asked).toBeLessThan(20_000);
	expect(running.filter(isAlive)).toEqual([]);
	await expect(answers(`${shown.editor}/healthz`)).rejects.toThrow();
	await expect(answers(`${shown.console}/`)).rejects.toThrow();
}, 120_000);
