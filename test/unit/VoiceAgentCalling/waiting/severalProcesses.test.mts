import type { IDataObject } from 'n8n-workflow';

import type { AwaitedCall } from '../../../../nodes/VoiceAgentCalling/waiting/state.ts';
import type { Answers } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../sending/modelService.mts';
import { startN8n } from './processes.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const at = (second: number) => ({ timestamp: `2026-11-21T06:00:0${second}.000Z`, call_id: 'call-0' });
const completed = { event: 'campaign_call.completed', status: 'completed', duration: 30, ...at(1) };
const report = { event: 'event_call_report', status: 'completed', summary: 'Reached', ...at(2) };
const transcript = { event: 'event_call_transcript', transcript: [{ role: 'agent', content: 'Hello' }], ...at(3) };
const recording = { event: 'event_recording', recording_url: 'https://files.example/a.mp3', ...at(4) };
const all = { artifacts: ['report', 'transcript', 'recording'] as AwaitedCall['artifacts'] };
const whole = {
	...{ id: 'call-0', outcome: 'completed', status: 'completed', duration: 30, event: completed, missing: [] },
	report: { summary: 'Reached' },
	transcript: transcript.transcript,
	recording: recording.recording_url,
};
/** A campaign that does not list the call, and whose log does not show what was sent. */
const campaign: Answers = async ({ url }) => ({ body: { data: url.endsWith('/logs') ? [{ id: 1 }] : { calls: [] } } });

/** All orders of a list. */
const orders = <Value,>(list: readonly Value[]): Value[][] =>
	list.length < 2
		? [[...list]]
		: list.flatMap((one) => orders(list.filter((other) => other !== one)).map((rest) => [one, ...rest]));

describe('With two processes, the execution goes on with everything that a call brings', () => {
	test.each([0, 1])('in every order, if they take the events in turn (first: %i)', async (first) => {
		for (const order of orders([completed, report, transcript, recording])) {
			const { deliver, outputs } = await startN8n({ calls: [all], service: campaign });
			for (const [index, event] of order.entries()) {
				expect(outputs).toEqual([]);
				expect(await inFakeTime(deliver(event, { to: (first + index) % 2 }))).toBe(200);
			}
			expect(outputs).toEqual([[whole]]);
		}
	});

	test('if a process that has told the other one what it knows is killed', async () => {
		const service: Answers = async ({ url }) =>
			url.endsWith('/logs')
				? { body: { data: [{ id: 1 }] } }
				: { body: { data: { calls: [{ id: 'call-0', status: 'completed' }] } } };
		const { deliver, outputs, restart } = await startN8n({ calls: [all], service });
		await inFakeTime(deliver(completed, { to: 0 }));
		await inFakeTime(deliver(report, { to: 0 }));
		await restart(0);
		await inFakeTime(deliver(transcript, { to: 0 }));
		await inFakeTime(deliver(recording, { to: 0 }));
		const { event: _, duration: __, ...listed } = whole;
		expect(outputs).toEqual([[listed]]);
	});

	test('if the other process is away for a while', async () => {
		const { deliver, outputs, isDown } = await startN8n({ calls: [all], service: campaign });
		isDown.add(1);
		for (const event of [completed, report]) {
			expect(await inFakeTime(deliver(event, { to: 0 }))).toBe(200);
		}
		isDown.delete(1);
		await inFakeTime(deliver(transcript, { to: 1 }));
		await inFakeTime(deliver(recording, { to: 1 }));
		expect(outputs).toEqual([[whole]]);
	});

	test('once, if the last two events arrive at the same time', async () => {
		const { deliver, outputs } = await startN8n({ calls: [all], service: campaign });
		await inFakeTime(deliver(completed, { to: 0 }));
		await inFakeTime(deliver(report, { to: 1 }));
		await inFakeTime(Promise.all([deliver(transcript, { to: 0 }), deliver(recording, { to: 1 })]));
		// n8n refuses to resume an execution a second time.
		expect(outputs.length).toBeGreaterThanOrEqual(1);
		expect(outputs[0]).toEqual([whole]);
	});

	test('for each of several calls', async () => {
		const two = await startN8n({
			calls: [{ artifacts: ['report'] }, { artifacts: ['report', 'transcript'] }],
			service: campaign,
		});
		const of = (event: IDataObject) => ({ ...event, call_id: 'call-1' });
		await inFakeTime(two.deliver(of(transcript), { to: 0, item: 1 }));
		await inFakeTime(two.deliver(completed, { to: 1 }));
		await inFakeTime(two.deliver(report, { to: 0 }));
		await inFakeTime(two.deliver(of(completed), { to: 1, item: 1 }));
		expect(two.outputs).toEqual([]);
		await inFakeTime(two.deliver(of(report), { to: 0, item: 1 }));
		expect(two.outputs).toEqual([
			[
				expect.objectContaining({ id: 'call-0', report: { summary: 'Reached' }, missing: [] }),
				expect.objectContaining({ id: 'call-1', transcript: transcript.transcript, missing: [] }),
			],
		]);
		expect(two.outputs[0][0]).not.toHaveProperty('transcript');
	});
});

/** The log of a webhook, as the service shows it for agents. */
const logOf = (...events: IDataObject[]) => ({
	body: {
		data: events.map((event, id) => ({
			id,
			event: event.event,
			created_at: new Date().toISOString(),
			request_payload: event,
		})),
		pagination: { current_page: 1, last_page: 1 },
	},
});

describe('What a process has received that is gone, the log of the webhook still has', () => {
	const agentEnd = { event: 'event_phone_call_ended', status: 'completed', ...at(1) };
	const detected = { event: 'event_voicemail_detected', ...at(0) };
	const withLog =
		(...events: IDataObject[]): Answers =>
		async ({ url }) =>
			url.endsWith('/logs') ? logOf(...events) : { body: { data: [{ id: 'call-0', status: 'ringing' }] } };

	test('a voicemail event before the end of the call', async () => {
		const service = withLog(agentEnd, detected);
		const n8n = await startN8n({ callerIdField: 'agentId', calls: [{ voicemailWaitMs: 5000 }], service, processes: 1 });
		expect(await inFakeTime(n8n.deliver(detected, { to: 0 }))).toBe(200);
		await n8n.restart(0);
		await inFakeTime(n8n.deliver(agentEnd, { to: 0 }));
		expect(n8n.outputs).toMatchObject([[{ outcome: 'voicemail', status: 'completed', event: agentEnd }]]);
		expect(n8n.requests.map(({ url }) => url)).toContain(
			'https://service.example/api/v1/agents/owner-1/webhooks/w-1/logs',
		);
	});

	test('the recording of an agent, and a report of a campaign where the service shows what it has sent', async () => {
		const ofAgent = await startN8n({
			callerIdField: 'agentId',
			calls: [{ artifacts: ['recording'] }],
			service: withLog(recording, agentEnd),
			processes: 1,
		});
		await inFakeTime(ofAgent.deliver(recording, { to: 0 }));
		await ofAgent.restart(0);
		await inFakeTime(ofAgent.deliver(agentEnd, { to: 0 }));
		expect(ofAgent.outputs).toMatchObject([
			[{ outcome: 'completed', recording: recording.recording_url, missing: [] }],
		]);
		const service: Answers = async ({ url }) =>
			url.endsWith('/logs') ? logOf(report) : { body: { data: { calls: [] } } };
		const ofCampaign = await startN8n({ calls: [{ artifacts: ['report', 'transcript'] }], service, processes: 1 });
		await inFakeTime(ofCampaign.deliver(completed, { to: 0 }));
		await inFakeTime(ofCampaign.deliver(transcript, { to: 0 }));
		expect(ofCampaign.outputs).toMatchObject([[{ outcome: 'completed', report: { summary: 'Reached' }, missing: [] }]]);
	});

	test('not the events of another call, and nothing if it does not show what was sent: that is missing at the end', async () => {
		const other = { ...report, call_id: 'call-x' };
		for (const log of [logOf(other), { body: { data: [{ id: 1, event: 'event_call_report' }] } }]) {
			const service: Answers = async ({ url }) => (url.endsWith('/logs') ? log : { body: { data: { calls: [] } } });
			const n8n = await startN8n({ calls: [{ artifacts: ['report', 'transcript'] }], service, processes: 1 });
			await inFakeTime(n8n.deliver(completed, { to: 0 }));
			await inFakeTime(n8n.deliver(transcript, { to: 0 }));
			expect(n8n.outputs).toEqual([]);
			await inFakeTime(n8n.timeUp());
			expect(n8n.outputs).toMatchObject([
				[{ outcome: 'completed', report: null, transcript: [{}], missing: ['report'] }],
			]);
		}
	});

	test.each([
		[500, 503],
		[429, 503],
		[404, 200],
		[200, 200],
	])('if the service answers %i, the event is answered with %i', async (refusal, answer) => {
		const service: Answers = async ({ url }) =>
			url.endsWith('/logs')
				? { status: refusal, body: {} }
				: { body: { data: [{ id: 'call-0', status: 'completed' }] } };
		const n8n = await startN8n({ callerIdField: 'agentId', calls: [{ voicemailWaitMs: 0 }], service, processes: 1 });
		expect(await inFakeTime(n8n.deliver(agentEnd, { to: 0 }))).toBe(answer);
		expect(n8n.outputs.length).toBe(answer === 200 ? 1 : 0);
	});

	test('the log is not read for a wait that began in this process, or whose calls bring nothing else', async () => {
		const n8n = await startN8n({ callerIdField: 'agentId', calls: [{}], service: withLog(), processes: 1 });
		await inFakeTime(n8n.deliver(agentEnd, { to: 0 }));
		expect([n8n.requests, n8n.outputs.length]).toEqual([[], 1]);
	});
});
