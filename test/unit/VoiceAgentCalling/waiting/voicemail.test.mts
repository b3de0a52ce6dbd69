import type { IDataObject } from 'n8n-workflow';

import type { Answers } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from '../sending/modelService.mts';
import { startN8n } from './processes.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const ended = { event: 'event_phone_call_ended', status: 'completed', duration: 15, call_id: 'call-0' };
const detected = { event: 'event_voicemail_detected', status: 'answered', call_id: 'call-0' };
const messageLeft = { ...detected, event: 'event_voicemail_message_left', message: 'Hello' };
const listing: Answers = async ({ url }) => ({
	body: { data: url.endsWith('/logs') ? [] : [{ id: 'call-0', status: 'ringing' }] },
});

/** An execution that waits in one process for calls of an agent whose trigger receives the voicemail events. */
const waiting = async (calls: object[] = [{ voicemailWaitMs: 5000 }]) =>
	await startN8n({ callerIdField: 'agentId', calls, complete: true, service: listing, processes: 1 });

/** Delivers, and measures how long the response takes. */
const timed = async (delivery: Promise<number>) => {
	const start = Date.now();
	return [await inFakeTime(delivery), Date.now() - start];
};

describe('A call that voicemail answered has the outcome voicemail', () => {
	test.each([[[detected]], [[messageLeft]], [[detected, messageLeft, detected]]])(
		'if the events %j came before its end: at once',
		async (events) => {
			const { deliver, outputs } = await waiting();
			for (const event of events) {
				expect(await inFakeTime(deliver(event))).toBe(200);
			}
			expect(outputs).toEqual([]);
			expect(await timed(deliver(ended))).toEqual([200, 0]);
			expect(outputs).toEqual([
				[{ id: 'call-0', outcome: 'voicemail', status: 'completed', duration: 15, event: ended }],
			]);
		},
	);

	test('if an event comes after its end, within the grace', async () => {
		const { deliver, outputs } = await waiting();
		const end = timed(deliver(ended));
		const late = (async () => {
			await new Promise((resolve) => setTimeout(resolve, 4900));
			return await deliver(messageLeft);
		})();
		expect((await end)[1]).toBeLessThanOrEqual(5000);
		expect(await late).toBe(200);
		expect(outputs).toMatchObject([[{ outcome: 'voicemail' }]]);
	});

	test('each of several calls has its own', async () => {
		const { deliver, outputs } = await waiting([{ voicemailWaitMs: 5000 }, { voicemailWaitMs: 5000 }]);
		const second = (event: IDataObject) => ({ ...event, call_id: 'call-1' });
		await inFakeTime(deliver(second(detected), { item: 1 }));
		// Another call is awaited: there is time enough for a late event.
		expect(await timed(deliver(second(ended), { item: 1 }))).toEqual([200, 0]);
		await inFakeTime(deliver(ended));
		expect(outputs).toMatchObject([[{ outcome: 'completed' }, { outcome: 'voicemail' }]]);
	});

	test('if the time is up before its end was reported, and the service lists it as completed', async () => {
		const over: Answers = async ({ url }) => ({
			body: { data: url.endsWith('/logs') ? [] : [{ id: 'call-0', status: 'completed' }] },
		});
		const n8n = await startN8n({
			callerIdField: 'agentId',
			calls: [{ voicemailWaitMs: 5000 }],
			complete: true,
			service: over,
			processes: 1,
		});
		await inFakeTime(n8n.deliver(detected));
		await inFakeTime(n8n.timeUp());
		expect(n8n.outputs).toMatchObject([[{ outcome: 'voicemail', status: 'completed' }]]);
	});
});

describe('Otherwise the outcome stays', () => {
	test('completed, when the grace has passed without such an event', async () => {
		const { deliver, outputs } = await waiting();
		expect(await timed(deliver(ended))).toEqual([200, 5000]);
		expect(outputs).toMatchObject([[{ outcome: 'completed' }]]);
	});

	test.each([
		['with a grace of zero', { voicemailWaitMs: 0 }],
		['if the trigger does not receive such events', {}],
	])('completed, %s: at once', async (_what, call) => {
		const { deliver, outputs } = await waiting([call]);
		expect(await timed(deliver(ended))).toEqual([200, 0]);
		expect(outputs).toMatchObject([[{ outcome: 'completed' }]]);
	});

	test.each(['busy', 'no-answer', 'failed'])('%s, whatever such an event says: at once', async (status) => {
		const { deliver, outputs } = await waiting();
		await inFakeTime(deliver(detected));
		const event = { event: 'event_phone_call_did_not_connect', status, call_id: 'call-0' };
		expect(await timed(deliver(event))).toEqual([200, 0]);
		expect(outputs).toMatchObject([[{ status, event }]]);
		expect(outputs[0][0].outcome).not.toBe('voicemail');
	});

	test('completed, if the event is of another call', async () => {
		const { deliver, outputs } = await waiting([{ voicemailWaitMs: 0 }, { voicemailWaitMs: 0 }]);
		expect(await inFakeTime(deliver({ ...detected, call_id: 'call-1' }))).toBe(409);
		await inFakeTime(deliver(ended));
		await inFakeTime(deliver({ ...ended, call_id: 'call-1' }, { item: 1 }));
		expect(outputs).toMatchObject([[{ outcome: 'completed' }, { outcome: 'completed' }]]);
	});

	test('timedOut, when the time is up during the call: at once', async () => {
		const { deliver, timeUp, outputs } = await waiting();
		await inFakeTime(deliver(detected));
		expect(await timed(timeUp())).toEqual([200, 0]);
		expect(outputs).toMatchObject([[{ outcome: 'timedOut' }]]);
	});
});

test('Of many calls that end at the same time, twenty wait; the others go on when the service delivers their end again', async () => {
	const all = await Promise.all(Array.from({ length: 22 }, async () => await waiting()));
	const first = Promise.all(all.map(async ({ deliver }) => await deliver(ended)));
	const statuses = await inFakeTime(first);
	expect(statuses.map((status) => status === 503)).toEqual(all.map((_each, index) => index >= 20));
	expect(all.map(({ outputs }) => outputs.length)).toEqual(all.map((_each, index) => (index < 20 ? 1 : 0)));
	for (const { deliver, outputs } of all.slice(20)) {
		expect(await timed(deliver(ended))).toEqual([200, 0]);
		expect(outputs).toMatchObject([[{ outcome: 'completed' }]]);
	}
});

test('The end of the time limit ends the grace', async () => {
	const { deliver, timeUp, outputs } = await waiting();
	const end = deliver(ended);
	await jest.advanceTimersByTimeAsync(1000);
	expect(await timeUp()).toBe(200);
	expect(outputs).toMatchObject([[{ outcome: 'completed' }]]);
	expect(await inFakeTime(end)).toBe(200);
	expect(outputs).toHaveLength(1);
});

test.each([0, 1])('Two processes: the event that process %i received makes the outcome voicemail', async (to) => {
	for (const order of [
		[detected, ended],
		[ended, messageLeft],
	]) {
		const log: IDataObject[] = [];
		const service: Answers = async ({ url }) => ({ body: { data: url.endsWith('/logs') ? log : [] } });
		const n8n = await startN8n({ callerIdField: 'agentId', calls: [{ voicemailWaitMs: 5000 }], service });
		const deliveries = order.map(async (event, index) => {
			await new Promise((resolve) => setTimeout(resolve, index * 3000));
			log.unshift({ request_payload: event });
			return await n8n.deliver(event, { to: (to + index) % 2 });
		});
		expect(await inFakeTime(Promise.all(deliveries))).toEqual([200, 200]);
		expect(n8n.outputs[0]).toMatchObject([{ outcome: 'voicemail' }]);
	}
});
