import type { IDataObject } from 'n8n-workflow';

import type { AwaitedCall } from '../../../../nodes/VoiceAgentCalling/waiting/wait.ts';
import { type Answer, type Answers, cut } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../../shared/client/modelService.mts';
import { listed, startN8n } from './processes.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const at = (second: number) => ({ timestamp: `2026-11-21T06:00:0${second}.000Z`, call_id: 'call-0' });
const completed = { event: 'campaign_call.completed', status: 'completed', duration: 30, ...at(1) };
const report = { event: 'event_call_report', status: 'completed', summary: 'Reached', ...at(2) };
const transcript = { event: 'event_call_transcript', transcript: [{ role: 'agent', content: 'Hello' }], ...at(3) };
const recording = { event: 'event_recording', recording_url: 'https://files.example/a.mp3', ...at(4) };
const all = { artifacts: ['report', 'transcript', 'recording'] as AwaitedCall['artifacts'] };
const summary = { summary: 'Reached' };
const whole = {
	id: 'call-0',
	outcome: 'completed',
	status: 'completed',
	duration: 30,
	message: expect.any(String),
	missing: [],
	report: summary,
	transcript: transcript.transcript,
	recording: recording.recording_url,
};

/** A campaign that lists these calls, and whose log does not show what was sent. */
const campaign =
	(calls: IDataObject[] = [], log: Answer = { body: { data: [{ id: 1 }] } }): Answers =>
	({ url }) =>
		url.endsWith('/logs') ? log : { body: { data: { calls } } };

/** All orders of a list. */
const orders = <Value,>(list: readonly Value[]): Value[][] =>
	list.length < 2
		? [[...list]]
		: list.flatMap((one) => orders(list.filter((other) => other !== one)).map((rest) => [one, ...rest]));

describe('With two processes, the execution goes on with everything that a call brings', () => {
	test('in every order, if they take the events in turn', async () => {
		for (const order of orders([completed, report, transcript, recording])) {
			const { deliver, outputs } = await startN8n({ calls: [all], service: campaign() });
			for (const [index, event] of order.entries()) {
				expect(outputs).toEqual([]);
				expect(await deliver(event, { to: index % 2 })).toBe(200);
			}
			expect(outputs).toEqual([[whole]]);
		}
	});

	test('if the other process is away for a while', async () => {
		const { deliver, outputs, isDown } = await startN8n({ calls: [all], service: campaign() });
		isDown.add(1);
		expect([await deliver(completed), await deliver(report)]).toEqual([200, 200]);
		isDown.delete(1);
		await deliver(transcript, { to: 1 });
		await deliver(recording, { to: 1 });
		expect(outputs).toEqual([[whole]]);
	});

	test('at the time limit, if the call is not over then: an event of another kind does not end it', async () => {
		const { deliver, timeUp, outputs } = await startN8n({ calls: [all], service: campaign() });
		expect(await deliver({ event: 'campaign_call.retry_scheduled', ...at(1) })).toBe(200);
		await deliver(report);
		expect(outputs).toEqual([]);
		await inFakeTime(timeUp());
		const arrived = { report: summary, transcript: null, recording: null, missing: ['transcript', 'recording'] };
		expect(outputs).toMatchObject([[{ outcome: 'timedOut', ...arrived }]]);
	});

	test('once, if the last two events arrive at the same time', async () => {
		const { deliver, deliverMeanwhile, outputs } = await startN8n({ calls: [all], service: campaign() });
		await deliver(completed);
		await deliver(report, { to: 1 });
		await inFakeTime(Promise.all([deliverMeanwhile(transcript), deliverMeanwhile(recording, { to: 1 })]));
		// n8n refuses to resume an execution a second time.
		expect(outputs[0]).toEqual([whole]);
	});
});

/** The log of a webhook, as the service shows it for agents. */
const logOf = (...events: IDataObject[]): Answer => ({
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
	/** An execution that waits in one process for a call of an agent, with this log. */
	const ofAgent = async (call: Partial<AwaitedCall>, log: Answer, status = 'ringing') =>
		await startN8n({
			callerIdField: 'agentId',
			calls: [call],
			processes: 1,
			service: ({ url }) => (url.endsWith('/logs') ? log : listed({ id: 'call-0', status })),
		});
	const ofCampaign = async (log: Answer) =>
		await startN8n({ calls: [{ artifacts: ['report', 'transcript'] }], service: campaign([], log), processes: 1 });

	test('a voicemail event before the end of the call', async () => {
		const n8n = await ofAgent({ voicemailWaitMs: 5000 }, logOf(agentEnd, detected));
		expect(await n8n.deliver(detected)).toBe(200);
		await n8n.restart(0);
		await n8n.deliver(agentEnd);
		expect(n8n.outputs).toMatchObject([[{ outcome: 'voicemail', status: 'completed' }]]);
		const url = 'https://service.example/api/v1/agents/owner-1/webhooks/w-1/logs';
		expect(n8n.requests.map((request) => request.url)).toContain(url);
	});

	test('the recording of an agent, and a report of a campaign where the service shows what it has sent', async () => {
		const agent = await ofAgent({ artifacts: ['recording'] }, logOf(recording, agentEnd));
		await agent.deliver(recording);
		await agent.restart(0);
		await agent.deliver(agentEnd);
		const file = recording.recording_url;
		expect(agent.outputs).toMatchObject([[{ outcome: 'completed', recording: file, missing: [] }]]);
		const n8n = await ofCampaign(logOf(report));
		await n8n.deliver(completed);
		await n8n.deliver(transcript);
		expect(n8n.outputs).toMatchObject([[{ outcome: 'completed', report: summary, missing: [] }]]);
	});

	test.each([
		['the events of another call', () => logOf({ ...report, call_id: 'call-x' })],
		['what the service does not show', (): Answer => ({ body: { data: [{ id: 1, event: 'event_call_report' }] } })],
	])('not %s: that is missing at the end', async (_what, log) => {
		const n8n = await ofCampaign(log());
		await n8n.deliver(completed);
		await n8n.deliver(transcript);
		expect(n8n.outputs).toEqual([]);
		await inFakeTime(n8n.timeUp());
		expect(n8n.outputs).toMatchObject([
			[{ outcome: 'completed', report: null, transcript: [{}], missing: ['report'] }],
		]);
	});

	test.each<[string, Answer]>([
		['no answer', cut],
		['500', { status: 500 }],
		['503', { status: 503 }],
		['429', { status: 429 }],
	])('if reading the log gets %s, the event has to come again', async (_what, log) => {
		const n8n = await ofAgent({ voicemailWaitMs: 0 }, log, 'completed');
		const logs = [{ level: 'warn', text: expect.stringContaining('could not handle an event of its wait') }];
		expect(await n8n.send({ item: 0, event: agentEnd })).toMatchObject({ status: 503, output: undefined, logs });
	});

	test.each<[string, Answer]>([
		['403', { status: 403 }],
		['404', { status: 404 }],
		['499', { status: 499 }],
		['something else', { body: { data: 'none' } }],
	])('if reading the log gets %s, the execution goes on, and the log of n8n says why', async (_what, log) => {
		const n8n = await ofAgent({ voicemailWaitMs: 0 }, log, 'completed');
		const { output, logs } = await n8n.send({ item: 0, event: agentEnd });
		expect(output).toMatchObject([{ outcome: 'completed' }]);
		expect(logs).toMatchObject([{ level: 'warn', text: expect.stringMatching(/^"[^"]+".*what it has delivered/) }]);
	});

	test('the log is not read for a wait whose calls bring nothing else', async () => {
		const n8n = await ofAgent({}, logOf());
		await n8n.deliver(agentEnd);
		expect([n8n.requests, n8n.outputs.length]).toEqual([[], 1]);
	});
});
