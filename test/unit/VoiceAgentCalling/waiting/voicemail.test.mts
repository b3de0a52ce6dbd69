import type { IDataObject } from 'n8n-workflow';

import type { Answers } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../../shared/client/modelService.mts';
import { startN8n } from './processes.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const call_id = 'call-0';
const ended = { event: 'event_phone_call_ended', status: 'completed', duration: 15, call_id };
const detected = { event: 'event_voicemail_detected', status: 'answered', call_id };
const messageLeft = { ...detected, event: 'event_voicemail_message_left', message: 'Hello' };
const grace = { voicemailWaitMs: 5000 };
const second = (event: IDataObject) => ({ ...event, call_id: 'call-1' });

/** A service that has delivered events, as its logs show, and which lists the call with a status. */
const listing =
	(status = 'ringing', ...events: IDataObject[]): Answers =>
	({ url }) => {
		const log = events.map((event, id) => ({ id, event: event.event, request_payload: event }));
		return { body: { data: url.endsWith('/logs') ? log : [{ id: 'call-0', status }] } };
	};

/** An execution that waits in one process for calls of an agent whose trigger receives the voicemail events. */
const waiting = async (calls: object[] = [grace], service = listing()) =>
	await startN8n({ callerIdField: 'agentId', calls, complete: true, service, processes: 1 });

/** Delivers, and measures how long the response takes. */
const timed = async (delivery: Promise<number>) => {
	const start = Date.now();
	return [await inFakeTime(delivery), Date.now() - start];
};

describe('A call that voicemail answered has the outcome voicemail', () => {
	test.each([[[detected]], [[detected, messageLeft, detected]]])(
		'if %j came before its end: at once',
		async (events) => {
			const { deliver, deliverMeanwhile, outputs } = await waiting();
			for (const event of events) {
				expect(await deliver(event)).toBe(200);
			}
			expect(outputs).toEqual([]);
			expect(await timed(deliverMeanwhile(ended))).toEqual([200, 0]);
			const end = { id: 'call-0', status: 'completed', duration: 15, message: expect.any(String) };
			expect(outputs).toEqual([[{ ...end, outcome: 'voicemail' }]]);
		},
	);

	test('if an event comes after its end, within the grace', async () => {
		const { deliverMeanwhile, outputs } = await waiting();
		const late = new Promise((resolve) => setTimeout(resolve, 4900)).then(() => deliverMeanwhile(messageLeft));
		expect((await timed(deliverMeanwhile(ended)))[1]).toBeLessThanOrEqual(5000);
		expect([await late, outputs]).toMatchObject([200, [[{ outcome: 'voicemail' }]]]);
	});

	test('each of several calls has its own', async () => {
		const { deliver, deliverMeanwhile, outputs } = await waiting([grace, grace]);
		await deliver(second(detected), { item: 1 });
		// Another call is awaited: there is time enough for a late event.
		expect(await timed(deliverMeanwhile(second(ended), { item: 1 }))).toEqual([200, 0]);
		await deliver(ended);
		expect(outputs).toMatchObject([[{ outcome: 'completed' }, { outcome: 'voicemail' }]]);
	});

	test('if the time is up before its end was reported, and the service lists it as completed', async () => {
		const n8n = await waiting([grace], listing('completed'));
		await n8n.deliver(detected);
		await inFakeTime(n8n.timeUp());
		expect(n8n.outputs).toMatchObject([[{ outcome: 'voicemail', status: 'completed' }]]);
	});

	test.each<[string, (n8n: Awaited<ReturnType<typeof waiting>>) => Promise<unknown>]>([
		['its end comes first', async ({ deliver }) => await deliver(ended)],
		['the time is up first', async ({ timeUp }) => await inFakeTime(timeUp())],
	])('if n8n refused the event, as while the node was still placing calls, and %s', async (_what, end) => {
		const n8n = await waiting([grace], listing('completed', detected));
		await end(n8n);
		expect(n8n.outputs).toMatchObject([[{ outcome: 'voicemail' }]]);
	});
});

describe('Otherwise the outcome stays', () => {
	test.each([
		['when the grace has passed without such an event', grace, 5000],
		['with a grace of zero: at once', { voicemailWaitMs: 0 }, 0],
		['if the trigger does not receive such events: at once', {}, 0],
	])('completed, %s', async (_what, call, took) => {
		const { deliverMeanwhile, outputs } = await waiting([call]);
		expect(await timed(deliverMeanwhile(ended))).toEqual([200, took]);
		expect(outputs).toMatchObject([[{ outcome: 'completed' }]]);
	});

	test('completed, if the clock moves on while it is asked what time it is', async () => {
		const { now } = Date;
		for (let late = 0; late < 12; late += 1) {
			const { deliverMeanwhile, outputs } = await waiting();
			let asked = 0;
			// Node.js may end a timer up to a millisecond early: one question comes before that millisecond is over.
			jest.spyOn(Date, 'now').mockImplementation(() => now() - Number(asked++ === late));
			expect(await inFakeTime(deliverMeanwhile(ended))).toBe(200);
			jest.mocked(Date.now).mockRestore();
			expect([late, outputs]).toMatchObject([late, [[{ outcome: 'completed' }]]]);
		}
	});

	test.each([
		['busy', 'busy'],
		['no-answer', 'noAnswer'],
		['failed', 'failed'],
	])('%s, whatever such an event says: at once', async (status, outcome) => {
		const { deliver, deliverMeanwhile, outputs } = await waiting();
		await deliver(detected);
		const event = { event: 'event_phone_call_did_not_connect', status, call_id };
		expect(await timed(deliverMeanwhile(event))).toEqual([200, 0]);
		expect(outputs).toMatchObject([[{ status, outcome }]]);
	});

	test('completed, if the event is of another call', async () => {
		const { deliver, outputs } = await waiting([{ voicemailWaitMs: 0 }, { voicemailWaitMs: 0 }]);
		expect(await deliver(second(detected))).toBe(409);
		await deliver(ended);
		await deliver(second(ended), { item: 1 });
		expect(outputs).toMatchObject([[{ outcome: 'completed' }, { outcome: 'completed' }]]);
	});

	test('timedOut, when the time is up during the call: at once', async () => {
		const { deliver, timeUp, outputs } = await waiting();
		await deliver(detected);
		expect(await timed(timeUp())).toEqual([200, 0]);
		expect(outputs).toMatchObject([[{ outcome: 'timedOut' }]]);
	});
});

test('Of many calls that end at the same time, twenty wait; the others go on when the service delivers their end again', async () => {
	const all = await Promise.all(Array.from({ length: 22 }, async () => await waiting()));
	const deliver = async (some: typeof all) =>
		await inFakeTime(Promise.all(some.map(async ({ deliverMeanwhile }) => await deliverMeanwhile(ended))));
	const states = () => all.map(({ outputs }) => outputs.flat().map(({ outcome }) => outcome));
	const over = (count: number) => all.map((_each, index) => (index < count ? ['completed'] : []));
	expect(await deliver(all)).toEqual(all.map((_each, index) => (index < 20 ? 200 : 503)));
	expect(states()).toEqual(over(20));
	expect(await timed(deliver(all.slice(20)).then(([status]) => status))).toEqual([200, 0]);
	expect(states()).toEqual(over(22));
});

test.each([
	['goes on where it has received every event', true, 200, [[{ outcome: 'completed' }]]],
	['has the event delivered again where another process may have resumed it', false, 503, []],
])('An n8n that is too slow to say whether the execution still waits %s', async (_what, complete, status, outputs) => {
	const n8n = await startN8n({ callerIdField: 'agentId', calls: [grace], complete, service: listing(), processes: 1 });
	n8n.isDown.add(0);
	expect(await n8n.deliver(ended)).toBe(status);
	expect(n8n.outputs).toMatchObject(outputs);
});

test('The end of the time limit ends the grace', async () => {
	const { deliverMeanwhile, timeUp, outputs } = await waiting();
	const end = deliverMeanwhile(ended);
	await jest.advanceTimersByTimeAsync(1000);
	expect(await timeUp()).toBe(200);
	expect(outputs).toMatchObject([[{ outcome: 'completed' }]]);
	expect(await inFakeTime(end)).toBe(200);
	expect(outputs).toHaveLength(1);
});
