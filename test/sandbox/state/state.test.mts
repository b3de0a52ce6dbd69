import { createHash } from 'node:crypto';
import {
	chmodSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SandboxOptions } from '../../../sandbox/options.mts';
import { readState, VERSION, writeState } from '../../../sandbox/state/state.mts';
import { root } from '../../../scripts/lib/places.mts';
import { startClient } from '../client.mts';
import { callsAre, campaign, queued, type Step, sftp, useStories, webhook } from '../story.mts';

const START = Date.UTC(2030, 0, 7, 9);
const { service, receiver, play } = useStories({ startTime: START });
const place = (name: string, to: string, more: object = {}): Step => [
	`POST /agents/{agent}/call 200 > ${name}`,
	{ to, ...more },
];
const callIs = (name: string, expected: object): Step => [`GET /_sandbox/calls/{${name}} 200`, expected];
const act = (name: string, action: string): Step => [`POST /_sandbox/calls/{${name}}/act 200`, { action }];
const put = (content: string): Step => ['POST /_sandbox/campaigns/{c}/sftp 200', { name: 'a.csv', content }];
const until = async (isSo: () => boolean) => {
	while (!isSo()) {
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
};

describe('the state file', () => {
	let folder: string;
	let stateFile: string;
	const start = async (options: Partial<SandboxOptions> = {}) =>
		void Object.assign(service, await startClient({ speed: 0, stateFile, ...options }));
	const restart = async (options: Partial<SandboxOptions> = {}) => {
		await service.close();
		await start(options);
	};
	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
		stateFile = join(folder, 'state');
		await restart({ startTime: START });
	});
	afterEach(async () => {
		await restart({ stateFile: null, startTime: START });
		rmSync(folder, { recursive: true });
	});

	it('keeps everything that the service and the sandbox show', async () => {
		const flow_config = { initial_node_id: 'a', nodes: [{ id: 'a', type: 'end' }] };
		const { c } = await play([
			[
				'POST /agents/{agent}/actions 200',
				{ node_id: 'n', name: 'Own', description: 'Own action', type: 'hold', hold_duration: 5 },
			],
			['POST /agents/{agent}/publish 200'],
			['PUT /agents/{agent}/flow 200', { conversation_mode: 'flow_driven', flow_config }],
			['PUT /sip-trunks/{trunk} 200', { name: 'Other' }],
			[
				'POST /calendars/{calendar}/events 201',
				{ title: 'New', start_at: '2030-02-01T10:00:00Z', end_at: '2030-02-02T10:00:00Z' },
			],
			...campaign('c', { max_retries: 1, end_date: '2031-01-01' }),
			webhook('hook', 'campaigns/{c}', { webhook_secret: 'secret', custom_headers: [{ key: 'A', value: 'b' }] }),
			...sftp('c'),
			['POST /campaigns/{c}/sftp/trigger-import 200'],
			['wait 5'],
			['GET /campaigns/{c} 200 > file=data.files.0.id'],
			['POST /campaigns/{c}/sftp/trigger-export 200', { file_data_ids: ['{file}'] }],
			queued('c', '+12025550002', { context: { order: 7 } }),
			put('to\n+12025550011\n'),
			['POST /_sandbox/faults 200', { kind: 'latency', ms: 1, match: { path: '/none' } }],
			['POST /_sandbox/delays 200', { event: 'event_recording', seconds: null }],
			['POST /_sandbox/script 200', { to: '+12025550123', steps: [{ do: 'answer' }, { do: 'say', text: 'x' }] }],
			['POST /_sandbox/mode 200', { calls: 'manual', ringSeconds: 77 }],
			['POST /_sandbox/credits 200', { credits: 12 }],
			['wait 100'],
		]);
		const lists =
			'agents campaigns calls calls?limit=100 deliveries webhooks calendars script faults mode phone-numbers';
		const { agents, calendar } = service.seed;
		const paths = [
			...[...lists.split(' '), 'requests?limit=100', `agents/${agents.published}`, `calendars/${calendar}`],
			...['', '/sftp', '/calls?limit=9'].map((part) => `campaigns/${String(c)}${part}`),
		];
		const shown = async () => {
			const { counts, credits } = await service.control('status');
			return [...(await Promise.all(paths.map((path) => service.control(path)))), counts, credits];
		};
		const before = await shown();
		const { savedAt: _1, now: _2, ...saved } = readState(await service.snapshot());
		await restart();
		expect(await shown()).toEqual(before);
		expect(readState(await service.snapshot())).toMatchObject(saved);
	});

	it('lets calls in progress go on: automatic, manual, scripted and delayed ones', async () => {
		const steps = [{ do: 'answer' }, { do: 'say', text: 'Still here.' }, { do: 'hangUp' }];
		const names = await play([
			['POST /_sandbox/script 200', { to: '+12025550123', steps: steps.map((step) => ({ after: 10, ...step })) }],
			place('automatic', '+12025550001'),
			place('scripted', '+12025550123'),
			place('delayed', '+12025550002', { delay_seconds: 60 }),
			['POST /_sandbox/mode 200', { calls: 'manual' }],
			place('manual', '+12025550001'),
			['wait 12'],
			act('manual', 'answer'),
		]);
		await restart();
		const spoken = expect.arrayContaining([expect.objectContaining({ role: 'user', content: 'Still here.' })]);
		await play(
			[
				...['automatic', 'scripted', 'manual'].map((name) => callIs(name, { status: 'answered' })),
				callIs('delayed', { status: 'initiated' }),
				['wait 100'],
				act('manual', 'hangUp'),
				callIs('automatic', { status: 'completed', duration: 30 }),
				callIs('scripted', { status: 'completed', duration: 20, transcript: spoken }),
				callIs('delayed', { status: 'busy', duration: 0 }),
				callIs('manual', { status: 'completed', duration: 100 }),
			],
			names,
		);
	});

	it('lets campaigns go on: attempts under way, retries, waiting calls and imports', async () => {
		const names = await play([
			...campaign('c', { max_retries: 1, retry_cooldown_hours: 1 }),
			webhook('hook', 'campaigns/{c}', { events: ['campaign_call.failed'] }),
			...sftp('c', { import_schedule: 'hourly' }),
			put('to\n+12025550011\n+12025550012\n'),
			['POST /campaigns/{c}/sftp/trigger-import 200'],
			queued('c', '+12025550002'),
			queued('c', '+12025550003'),
			['wait 2'],
		]);
		await restart();
		const retried = (status: string) => [1, 2].map(() => ({ status, retries: 1 }));
		const log = { status: 'failed', error: 'The sandbox was stopped.' };
		await play(
			[['wait 60'], callsAre('c', ...retried('scheduled')), ['GET /campaigns/{c}/sftp/logs 200', { data: [log] }]],
			names,
		);
		await restart();
		await play(
			[
				['wait 3700'],
				// The hourly import has queued both contacts of the file.
				callsAre('c', ...retried('failed'), {}, {}),
				['GET /campaigns/{c} 200', { data: { files: [{ status: 'failed' }, { status: 'processed' }] } }],
				['events campaign_call.failed campaign_call.failed'],
			],
			names,
		);
	});

	it('lets deliveries go on: retries, delayed ones, and one that was under way', async () => {
		const sample = (kind: string, more: object): Step => [
			'POST /_sandbox/deliver 200',
			{ webhookId: '{hook}', event: `campaign_call.${kind}`, ...more },
		];
		const names = await play([
			webhook('hook', 'campaigns/{campaign}'),
			['receiver 500'],
			sample('queued', { retries: true }),
			['wait 0'],
			sample('started', { retries: true, delaySeconds: 5 }),
			sample('failed', { delaySeconds: 6, times: 2 }),
		]);
		receiver.respond(null);
		await play([sample('completed', { retries: true })], names);
		await until(() => receiver.received.length === 2);
		await restart();
		receiver.received.length = 0;
		await play([
			['receiver 200'],
			['wait 30'],
			['events completed failed failed queued started'.replaceAll(/ (\w)/g, ' campaign_call.$1')],
			[
				'GET /_sandbox/deliveries?q=campaign_call.completed&limit=9 200',
				{
					items: [
						{ attempt: 2, status: 'success', error: null },
						{ attempt: 1, status: 'failed', error: 'The sandbox was stopped.' },
					],
				},
			],
		]);
	});

	it('is written soon after a change, as a whole, and only for its owner', async () => {
		const access = () => statSync(stateFile).mode & 0o777;
		expect(existsSync(stateFile)).toBe(false);
		await service.control('credits', { credits: 4 });
		await until(() => existsSync(stateFile));
		expect([readState(readFileSync(stateFile)).credits, access()]).toEqual([4, 0o600]);
		expect(readdirSync(folder)).toEqual(['state', 'state.lock']);
		chmodSync(stateFile, 0o644);
		await service.control('credits', { credits: 5 });
		await restart();
		expect([(await service.control('status')).credits, access()]).toEqual([5, 0o600]);
	});

	it('lets the clock run on while the sandbox is stopped, but not one that stands still', async () => {
		await service.advance(3600);
		await restart();
		await play([['GET /_sandbox/status 200', { now: '2030-01-07T10:00:00.000Z' }]]);
		await service.close();
		const saved = readState(readFileSync(stateFile));
		writeFileSync(stateFile, writeState({ ...saved, savedAt: saved.savedAt - 7_200_000 }));
		await start({ speed: 1000 });
		await service.control('clock', { speed: 0 });
		const passed = Date.parse(String((await service.control('status')).now)) - Date.UTC(2030, 0, 7, 10);
		// Two hours, and a few real seconds at the speed of 1000.
		expect([passed >= 7_200_000, passed < 7_200_000 + 30_000_000]).toEqual([true, true]);
	});

	const line = (version: number, digest: string) => `voice-agent-calling-sandbox ${version} ${digest}\n`;
	it.each([
		['{"format":"voice-agent-calling-sandbox","version":1}', 'it is not a state of this sandbox'],
		[line(1, 'a'), `its version is 1, but this sandbox reads version ${VERSION}`],
		[line(VERSION, 'a'), 'it is incomplete, or was changed'],
		[line(VERSION, createHash('sha256').digest('hex')), 'a newer Node.js has written it'],
	])('%j ends the start with a message, and stays as it is', async (text, reason) => {
		await service.close();
		writeFileSync(stateFile, text);
		await expect(start()).rejects.toThrow(`${stateFile} cannot be used: ${reason}. It was left unchanged.`);
		expect(readFileSync(stateFile, 'utf8')).toBe(text);
		rmSync(stateFile);
		await start();
	});
});

test('the state file has another version after each change of what a world has', () => {
	const folder = join(root, 'sandbox', 'world');
	const all = readdirSync(folder).sort();
	const code = all.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
	// Without comments and white space.
	const bare = code.replace(/\/\*\*[\s\S]*?\*\/|\/\/.*|\s/g, '');
	expect([VERSION, createHash('sha256').update(bare).digest('hex').slice(0, 8)]).toEqual([5, 'e252b3b7']);
});

test('a snapshot brings back what was, at the time that it was, and calls go on from there', async () => {
	const names = await play([
		webhook('hook', 'agents/{agent}', { events: ['event_phone_call_ended'] }),
		place('call', '+12025550001'),
		['wait 10'],
	]);
	const snapshot = await service.snapshot();
	const ended: Step = ['events event_phone_call_ended'];
	Object.assign(names, await play([['wait 100'], place('other', '+12025550001'), ended], names));
	for (let times = 0; times < 2; times += 1) {
		expect(await service.control('snapshot', snapshot)).toEqual({ success: true, now: '2030-01-07T09:00:10.000Z' });
		await play(
			[
				callIs('call', { status: 'answered' }),
				['GET /_sandbox/calls/{other} 404'],
				['wait 25'],
				callIs('call', { status: 'completed', duration: 30 }),
				ended,
			],
			names,
		);
	}
});
