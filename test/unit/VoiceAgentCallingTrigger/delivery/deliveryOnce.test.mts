import type { IDataObject } from 'n8n-workflow';

import { readEvent } from '../../../../nodes/shared/events/event.ts';
import { identify, newEvents } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/deliveryOnce.ts';
import { readIncoming } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/incoming.ts';
import fc from '../../../fastCheck.mts';
import { WebhookResponse } from '../../n8n.mts';
import { useFakeClock } from '../../shared/client/modelService.mts';
import { triggerOf } from '../trigger.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

let nodes = 0;
const owner = { ownerType: 'campaign', ownerId: 'c-1' } as const;
/** A key that no other test uses. */
const newNode = () => `node-${(nodes += 1)}`;

/** One delivery to a node. */
function deliver(node: string) {
	const response = new WebhookResponse();
	const state = async (arrivals: ReadonlyArray<ReturnType<typeof arrival>>) => {
		const identified = arrivals.map((one) => identify(one, owner));
		const found = await newEvents(node, owner, response as never, identified);
		return found === 'in flight' ? found : found.length;
	};
	return {
		/** @returns how many of the events are new; `in flight` if that is not known in time */
		once: async (...events: IDataObject[]) =>
			await state(
				events.length === 1
					? [arrival(events[0]!)]
					: events.map((event) => ({ ...arrival(event), bytes: JSON.stringify(event) })),
			),
		named: async (event: IDataObject, ...headerIds: string[]) => await state([arrival(event, ...headerIds)]),
		end: (status: number) => response.status(status).end(),
	};
}

/** An event as it arrives. */
const arrival = (event: IDataObject, ...headerIds: string[]) => ({
	event: readEvent(event),
	bytes: Buffer.from(JSON.stringify(event)) as Buffer | string,
	headerIds,
});

/** Delivers an event that n8n stores. @returns whether it is new */
async function stored(node: string, event: IDataObject, ...headerIds: string[]): Promise<boolean> {
	const { named, end } = deliver(node);
	const found = await named(event, ...headerIds);
	end(200);
	return found === 1;
}

const call = { event: 'campaign_call.completed', id: 'event-1', timestamp: '2030-01-01T10:00:00Z', call_id: 'call-1' };
const { id: _id, ...withoutId } = call;
const paused = { event: 'campaign.paused', campaign_id: 'c-1', webhook_id: 'w-1', timestamp: call.timestamp };

test.each<[string, IDataObject]>([
	['of a call', call],
	['of a call, without an ID', withoutId],
	['of a call in an object', { ...withoutId, call_id: undefined, call: { id: 'call-1' } }],
	['of a call, all of it below data', { event: call.event, data: { ...call, event: undefined } }],
	['of a call, with its time in seconds', { ...call, timestamp: 1_900_000_000 }],
	['with the ID of the campaign', { ...call, id: 'c-1' }],
	['with an ID of anything, and no call', { ...call, call_id: undefined }],
	['of the campaign, in the form that the service documents', paused],
	['of the campaign, which it does not name', { event: 'campaign.completed', timestamp: call.timestamp }],
])('An event %s that comes again with the same bytes is the same', async (_what, event) => {
	const node = newNode();
	expect(await stored(node, event)).toBe(true);
	expect(await stored(node, event)).toBe(false);
	expect(await stored(node, event)).toBe(false);
});

test.each<[string, IDataObject, IDataObject]>([
	['with other variables', call, { ...call, text: 'other' }],
	['of another second', call, { ...call, timestamp: '2030-01-01T10:00:01Z' }],
	['of another call in the same second', call, { ...call, call_id: 'call-2' }],
	['of another call with the ID of the campaign', { ...call, id: 'c-1' }, { ...call, id: 'c-1', call_id: 'call-2' }],
	['of another call with the ID of the webhook', { ...call, id: 'w' }, { ...call, id: 'w', call_id: 'call-2' }],
	['of another type', call, { ...call, event: 'campaign_call.failed' }],
	['of a later attempt of the call', { ...call, retries: 0 }, { ...call, retries: 1 }],
	['whose ID JavaScript would round', { ...call, id: '9007199254740992' }, { ...call, id: '9007199254740993' }],
	['with another ID', call, { ...call, id: 'event-2' }],
	['without a time', { ...call, timestamp: undefined }, { ...call, timestamp: undefined }],
	[
		'with the time of the creation of its call or campaign only',
		{ ...paused, timestamp: undefined, created_at: call.timestamp },
		{ ...paused, timestamp: undefined, created_at: call.timestamp },
	],
	['with a time that is not one', { ...call, timestamp: '09:00' }, { ...call, timestamp: '09:00' }],
	['without a call and an ID', { ...withoutId, call_id: undefined }, { ...withoutId, call_id: undefined }],
	['that has only the ID of the campaign', { ...paused, event: 'x', id: 'c-1' }, { ...paused, event: 'x', id: 'c-1' }],
	[
		'that a template has made',
		{ event: call.event, text: 'A call is over' },
		{ event: call.event, text: 'A call is over' },
	],
	['with empty values', { event: call.event, id: '', timestamp: '' }, { event: call.event, id: '', timestamp: '' }],
])('An event %s is another one', async (_what, first, second) => {
	const node = newNode();
	expect(await stored(node, first)).toBe(true);
	expect(await stored(node, second)).toBe(true);
});

describe('If a header gives an event an ID that is in its body once, its other bytes', () => {
	test.each<[string, IDataObject]>([
		['may have the number of the attempt', { ...call, attempt: 2 }],
		['may have the time of the attempt', { ...call, timestamp: '2030-01-01T10:00:05Z' }],
		['may have no time', { ...call, timestamp: undefined }],
	])('%s', async (_what, again) => {
		const node = newNode();
		expect(await stored(node, call, 'event-1')).toBe(true);
		expect(await stored(node, again, 'event-1')).toBe(false);
		// Somebody may leave out the header of a delivery that was recorded, or change it.
		expect(await stored(node, call)).toBe(false);
		expect(await stored(node, again)).toBe(false);
		expect(await stored(node, call, 'event-9')).toBe(false);
	});

	test.each<[string, IDataObject, IDataObject, string]>([
		['are of another event with another call', call, { ...call, call_id: 'call-2' }, 'event-1'],
		['are of another event with another type', call, { ...call, event: 'campaign_call.failed' }, 'event-1'],
		['count if it is not in the body', call, { ...call, attempt: 2 }, 'delivery-1'],
		['count if it is there twice', { ...call, a: 'event-1' }, { ...call, a: 'event-1', b: 2 }, 'event-1'],
		['count if it is the ID of the call', call, { ...call, attempt: 2 }, 'call-1'],
		['count if it is the ID of the campaign', { ...call, of: 'c-1' }, { ...call, of: 'c-1', b: 2 }, 'c-1'],
	])('%s', async (_what, first, second, headerId) => {
		const node = newNode();
		expect(await stored(node, first, headerId)).toBe(true);
		expect(await stored(node, second, headerId)).toBe(true);
	});
});

test.each([
	['campaign_call.completed', 'campaign_call.failed', true],
	['campaign_call.completed', 'campaign_call.completed', false],
	// Whoever has recorded a delivery could make any number of events of it.
	['made.up', 'made.up.too', false],
])('If only headers name the types %s and %s, the same bytes are another event: %s', async (one, other, isAnother) => {
	const node = newNode();
	const { event: _type, ...body } = call;
	const typed = async (type: string) => {
		const { response, caller } = triggerOf();
		const found = await newEvents(node, owner, caller.getResponseObject(), [
			identify({ event: readEvent(body, type), bytes: JSON.stringify(body), headerIds: [] }, owner),
		]);
		response.status(200).end();
		return found.length === 1;
	};
	expect(await typed(one)).toBe(true);
	expect(await typed(other)).toBe(isAnother);
});

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const value = fc.oneof(word, fc.nat());

test('Of any events with a time and a call, each starts once, however often and in whatever order they come', async () => {
	const timestamp = fc.date({ noInvalidDate: true, min: new Date(2000, 0), max: new Date(2100, 0) });
	const event = fc.record({
		event: word,
		id: value,
		timestamp: timestamp.map((time) => time.toISOString()),
		call_id: word,
		data: fc.jsonValue(),
	});
	const events = fc.uniqueArray(event as fc.Arbitrary<object> as fc.Arbitrary<IDataObject>, {
		minLength: 1,
		maxLength: 6,
		selector: (one) => JSON.stringify(one),
	});
	await fc.assert(
		fc.asyncProperty(events, fc.array(fc.nat(5), { maxLength: 20 }), async (different, order) => {
			const node = newNode();
			const begun = new Set<IDataObject>();
			for (const one of order.flatMap((index) => (index < different.length ? [different[index] as IDataObject] : []))) {
				expect(await stored(node, one)).toBe(!begun.has(one));
				begun.add(one);
			}
		}),
		{ numRuns: 50 },
	);
});

describe('An event that comes again while n8n stores it', () => {
	test.each([
		['is known when n8n has stored it', 200, 0],
		['is new when n8n could not store it', 500, 1],
		['is new when n8n does not know the workflow', 404, 1],
	])('waits, and %s', async (_what, status, count) => {
		const node = newNode();
		const first = deliver(node);
		expect(await first.once(call)).toBe(1);
		const again = deliver(node).once(call);
		await jest.advanceTimersByTimeAsync(24_000);
		first.end(status);
		expect(await again).toBe(count);
	});

	test('starts once, if several wait and n8n could not store the first', async () => {
		const node = newNode();
		const first = deliver(node);
		expect(await first.once(call)).toBe(1);
		const second = deliver(node);
		const third = deliver(node);
		const again = [second.once(call), third.once(call)];
		first.end(503);
		await jest.advanceTimersByTimeAsync(0);
		second.end(200);
		expect(await Promise.all(again)).toEqual([1, 0]);
	});

	test('is another one if nothing tells it from another: it does not wait', async () => {
		const node = newNode();
		const timeless = { event: 'campaign_call.completed', text: 'A call is over' };
		expect(await deliver(node).once(timeless)).toBe(1);
		expect(await deliver(node).once(timeless)).toBe(1);
	});
});

test('Several events in one delivery are new or known each by itself, and all new again if n8n could not store them', async () => {
	const node = newNode();
	const two = { ...call, call_id: 'call-2' };
	const failed = deliver(node);
	expect(await failed.once(call, two)).toBe(2);
	failed.end(500);
	expect(await stored(node, call)).toBe(true);
	const both = deliver(node);
	expect(await both.once(call, two)).toBe(1);
	both.end(200);
	expect(await deliver(node).once(two, call)).toBe(0);
	// The same one twice is one, and two if nothing tells them apart, or if JavaScript has rounded what does.
	expect(await deliver(newNode()).once({ ...call, id: 2 ** 60 }, { ...call, id: 2 ** 60 })).toBe(2);
	expect(await deliver(newNode()).once(call, call)).toBe(1);
	expect(await deliver(newNode()).once({ text: 'over' }, { text: 'over' })).toBe(2);
});

test('An event is new to each workflow, and to a test run beside production', async () => {
	const key = async (workflowId: string, mode: 'webhook' | 'manual') =>
		(await readIncoming(triggerOf({ workflowId, mode }).caller)).node;
	for (const node of [await key('one', 'webhook'), await key('one', 'manual'), await key('two', 'webhook')]) {
		expect(await stored(node, call)).toBe(true);
	}
});

test('The newest 10,000 events are remembered', async () => {
	const node = newNode();
	const event = (number: number) => ({ ...call, id: `event-${number}` });
	for (let number = 0; number < 10_001; number += 1) {
		await stored(node, event(number), `event-${number}`);
	}
	expect(await stored(node, event(1))).toBe(false);
	expect(await stored(node, event(10_000))).toBe(false);
	expect(await stored(node, event(0))).toBe(true);
});
