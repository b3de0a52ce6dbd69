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
import { asList, asText, type Json, type SandboxClient, startClient } from '../client.mts';
import { act, place, statusesOf, timelineOf, wordsOf } from '../control/calls.mts';
import { activeCampaign, agentWebhookOn, callsOf, queue, sftpOn, webhookOn } from '../objects.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../webhookReceiver.mts';

const START = Date.UTC(2030, 0, 7, 9);

describe('the state file', () => {
	let folder: string;
	let stateFile: string;
	let service: SandboxClient;
	let receiver: WebhookReceiver;
	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
		stateFile = join(folder, 'state');
		receiver = await startWebhookReceiver();
		await start({ startTime: START });
	});
	afterEach(async () => {
		await service.close();
		receiver.close();
		rmSync(folder, { recursive: true });
	});

	const start = async (options: Partial<SandboxOptions> = {}) => {
		service = await startClient({ speed: 0, stateFile, ...options });
	};
	const restart = async (options: Partial<SandboxOptions> = {}) => {
		await service.close();
		await start(options);
	};
	const now = async () => asText((await service.control('status')).now);

	it('keeps everything that the service and the sandbox show', async () => {
		const { agents, calendar, sipTrunk } = service.seed;
		const agent = `/agents/${agents.published}`;
		const hold = { node_id: 'n', name: 'Own', description: 'Own action', type: 'hold', hold_duration: 5 };
		const flow_config = { initial_node_id: 'a', nodes: [{ id: 'a', type: 'end' }] };
		const campaign = await activeCampaign(service, { max_retries: 1, end_date: '2031-01-01' });
		const custom_headers = [{ key: 'A', value: 'b' }];
		await webhookOn(service, campaign, receiver.url, { webhook_secret: 'secret', custom_headers });
		const path = await sftpOn(service, campaign);
		for (const [method, url, body] of [
			['POST', `${agent}/actions`, hold],
			['POST', `${agent}/publish`],
			['PUT', `${agent}/flow`, { flow_config }],
			['PUT', `/sip-trunks/${sipTrunk}`, { name: 'Other' }],
			['POST', `/calendars/${calendar}/events`, { title: 'New', start_at: '2030-02-01T10:00Z', end_at: '2030-02-02' }],
			['POST', `${path}/trigger-import`],
		] as const) {
			await service.api(method, url, body);
		}
		await service.advance(5);
		const [file] = asList((await service.api('GET', `/campaigns/${campaign}`)).data.data.files);
		await service.api('POST', `${path}/trigger-export`, { file_data_ids: [file!.id] });
		await queue(service, campaign, '+12025550002', { context: { order: 7 } });
		for (const [control, body] of [
			[`campaigns/${campaign}/sftp`, { name: 'a.csv', content: 'to\n+12025550011\n' }],
			['faults', { kind: 'latency', ms: 1, match: { path: '/none' } }],
			['delays', { event: 'event_recording', seconds: null }],
			['script', { to: '+12025550123', steps: [{ do: 'answer' }, { do: 'say', text: 'x' }] }],
			['mode', { calls: 'manual', ringSeconds: 77 }],
			['credits', { credits: 12 }],
		] as const) {
			await service.control(control, body);
		}
		await service.advance(100);

		const shown = async (): Promise<Json[]> => {
			const lists = 'agents campaigns calls calls?limit=100 deliveries webhooks calendars script faults mode'.split(
				' ',
			);
			const paths = [
				...lists,
				'phone-numbers',
				'requests?limit=100',
				`agents/${agents.published}`,
				`calendars/${calendar}`,
				...['', '/sftp', '/calls?limit=9'].map((part) => `campaigns/${campaign}${part}`),
			];
			const { counts, credits } = await service.control('status');
			return [...(await Promise.all(paths.map((own) => service.control(own)))), counts!, credits!];
		};
		const before = await shown();
		const { savedAt: _1, now: _2, ...saved } = readState(await service.snapshot());
		await restart();
		expect(await shown()).toEqual(before);
		expect(readState(await service.snapshot())).toMatchObject(saved);
		const logs = ['export', 'import'].map((type) => ({ type, status: 'succeeded' }));
		expect(asList((await service.api('GET', `${path}/logs`)).data.data)).toMatchObject(logs);
	});

	it('lets calls in progress go on: automatic, manual, scripted and delayed ones', async () => {
		await service.control('script', {
			to: '+12025550123',
			steps: [{ do: 'answer' }, { do: 'say', text: 'Still here.' }, { do: 'hangUp' }].map((step) => ({
				after: 10,
				...step,
			})),
		});
		const ids = [
			await place(service, '+12025550001'),
			await place(service, '+12025550123'),
			await place(service, '+12025550002', { delay_seconds: 60 }),
		];
		await service.control('mode', { calls: 'manual' });
		ids.push(await place(service, '+12025550001'));
		await service.advance(12);
		await act(service, ids[3]!, 'answer');
		await restart();
		const calls = () => Promise.all(ids.map((id) => timelineOf(service, id)));
		expect((await calls()).map(({ status }) => status)).toEqual(['answered', 'answered', 'initiated', 'answered']);
		await service.advance(100);
		await act(service, ids[3]!, 'hangUp');
		const over = await calls();
		const ends = over.map(({ status, duration }) => `${asText(status)} ${Number(duration)}`);
		expect(ends).toEqual(['completed 30', 'completed 20', 'busy 0', 'completed 100']);
		expect(statusesOf(over[1]!).at(-1)).toEqual(['completed', 31]);
		expect(wordsOf(over[1]!)).toContain('user: Still here.');
	});

	it('lets campaigns go on: attempts under way, retries, waiting calls and imports', async () => {
		const campaign = await activeCampaign(service, { max_retries: 1, retry_cooldown_hours: 1 });
		await webhookOn(service, campaign, receiver.url);
		const path = await sftpOn(service, campaign, { import_schedule: 'hourly' });
		await service.control(`campaigns/${campaign}/sftp`, { name: 'a.csv', content: 'to\n+12025550011\n+12025550012\n' });
		await service.api('POST', `${path}/trigger-import`);
		await queue(service, campaign, '+12025550002');
		await queue(service, campaign, '+12025550003');
		await service.advance(2);
		await restart();
		await service.advance(60);
		const retried = (status: string) => [1, 2].map(() => ({ status, retries: 1 }));
		expect(await callsOf(service, campaign)).toMatchObject(retried('scheduled'));
		const log = { status: 'failed', error: 'The sandbox was stopped.' };
		expect(asList((await service.api('GET', `${path}/logs`)).data.data)).toMatchObject([log]);
		await restart();
		await service.advance(3700);
		const calls = await callsOf(service, campaign);
		expect(calls.slice(0, 2)).toMatchObject(retried('failed'));
		// The hourly import has brought both contacts of the file.
		expect(calls).toHaveLength(4);
		const files = asList((await service.api('GET', `/campaigns/${campaign}`)).data.data.files);
		expect(files.map(({ status }) => status)).toEqual(['failed', 'processed']);
		expect(receiver.events().filter((event) => event === 'campaign_call.failed')).toHaveLength(2);
	});

	it('lets deliveries go on: retries, delayed ones, and one that was under way', async () => {
		const campaign = service.seed.campaigns.active;
		const webhook = await webhookOn(service, campaign, receiver.url);
		const sample = (event: string, more: object) => service.control('deliver', { webhookId: webhook, event, ...more });
		receiver.answer(500);
		await sample('campaign_call.queued', { retries: true });
		await service.advance(0);
		await sample('campaign_call.started', { retries: true, delaySeconds: 5 });
		await sample('campaign_call.failed', { delaySeconds: 6, times: 2 });
		receiver.answer(null);
		await sample('campaign_call.completed', { retries: true });
		while (receiver.received.length < 2) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		await restart();
		receiver.answer(200);
		await service.advance(30);
		const kinds = ['completed', 'failed', 'failed', 'queued', 'started'].map((kind) => `campaign_call.${kind}`);
		expect(receiver.events().slice(2).sort()).toEqual(kinds);
		expect(asList((await service.control('deliveries?q=campaign_call.completed&limit=9')).items)).toMatchObject([
			{ attempt: 2, status: 'success', error: null },
			{ attempt: 1, status: 'failed', error: 'The sandbox was stopped.' },
		]);
	});

	it('is written soon after a change, as a whole, and only for its owner', async () => {
		expect(existsSync(stateFile)).toBe(false);
		await service.control('credits', { credits: 4 });
		while (!existsSync(stateFile)) {
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		expect(readState(readFileSync(stateFile)).credits).toBe(4);
		expect(statSync(stateFile).mode & 0o777).toBe(0o600);
		expect(readdirSync(folder)).toEqual(['state', 'state.lock']);
		chmodSync(stateFile, 0o644);
		await service.control('credits', { credits: 5 });
		await restart();
		expect(statSync(stateFile).mode & 0o777).toBe(0o600);
		expect((await service.control('status')).credits).toBe(5);
	});

	it('lets the clock run on while the sandbox is stopped, but not one that stands still', async () => {
		await service.advance(3600);
		await restart();
		expect(await now()).toBe('2030-01-07T10:00:00.000Z');
		await service.close();
		const saved = readState(readFileSync(stateFile));
		writeFileSync(stateFile, writeState({ ...saved, savedAt: saved.savedAt - 7_200_000 }));
		await start({ speed: 1000 });
		await service.control('clock', { speed: 0 });
		const passed = Date.parse(await now()) - Date.UTC(2030, 0, 7, 10);
		expect(passed).toBeGreaterThanOrEqual(7_200_000);
		// Two hours, and a few real seconds at the speed of 1000.
		expect(passed).toBeLessThan(7_200_000 + 30_000_000);
	});

	const line = (version: number, digest: string) => `voice-agent-calling-sandbox ${version} ${digest}\n`;
	it.each([
		['{"format":"voice-agent-calling-sandbox","version":1}', 'it is no state of this sandbox'],
		[line(1, 'a'), `its version is 1, but this sandbox reads version ${VERSION}`],
		[line(VERSION, 'a'), 'it is incomplete, or was changed'],
		[line(VERSION, createHash('sha256').digest('hex')), 'a newer Node.js has written it'],
	])('%j ends the start with a message, and stays as it is', async (text, reason) => {
		await service.close();
		writeFileSync(stateFile, text);
		await expect(start()).rejects.toThrow(`${stateFile} cannot be used: ${reason}. It was left as it is.`);
		expect(readFileSync(stateFile, 'utf8')).toBe(text);
		rmSync(stateFile);
		await start();
	});

	it('has another version after each change of what a world has', () => {
		const folder = join(root, 'sandbox', 'world');
		const files = readdirSync(folder).sort();
		const all = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
		// Without comments and white space.
		const code = all.replace(/\/\*\*[\s\S]*?\*\/|\/\/.*|\s/g, '');
		expect([VERSION, createHash('sha256').update(code).digest('hex').slice(0, 8)]).toEqual([5, 'c353bc99']);
	});
});

describe('a snapshot', () => {
	it('brings back what was, at the time that it was, and calls go on from there', async () => {
		const service = await startClient({ speed: 0, startTime: START });
		const receiver = await startWebhookReceiver();
		await agentWebhookOn(service, service.seed.agents.published, receiver.url, { events: ['event_phone_call_ended'] });
		const id = await place(service, '+12025550001');
		await service.advance(10);
		const snapshot = await service.snapshot();
		await service.advance(100);
		const other = await place(service, '+12025550001');
		expect((await timelineOf(service, id)).status).toBe('completed');
		for (const times of [1, 2]) {
			expect(await service.control('snapshot', snapshot)).toEqual({ success: true, now: '2030-01-07T09:00:10.000Z' });
			expect((await timelineOf(service, id)).status).toBe('answered');
			expect((await service.controlResponse('GET', `calls/${other}`)).status).toBe(404);
			await service.advance(25);
			expect(await timelineOf(service, id)).toMatchObject({ status: 'completed', duration: 30 });
			expect(receiver.received).toHaveLength(1 + times);
		}
		receiver.close();
		await service.close();
	});
});
