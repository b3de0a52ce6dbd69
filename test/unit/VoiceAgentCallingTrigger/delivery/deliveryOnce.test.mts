import { EventEmitter } from 'node:events';
import type { IDataObject } from 'n8n-workflow';

import { readEvent } from '../../../../nodes/shared/deliveries/event.ts';
import { newEvents } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/deliveryOnce.ts';
import { readIncoming } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/incoming.ts';
import fc from '../../../fastCheck.mts';
import { triggerOf } from '../trigger.mts';

let nodes = 0;
const owner = { source: 'campaign', ownerId: 'c-1' } as const;
/** A key that no other test uses. */
const newNode = () => `node-${(nodes += 1)}`;

/** One delivery to a node, and the ways in which its response can end. */
function deliver(node: string) {
	const response = Object.assign(new EventEmitter(), { statusCode: 200, writableFinished: false });
	return {
		once: (...events: IDataObject[]) => stateOf(newEvents(node, owner, response as never, events.map(arrival)), events),
		respond(statusCode: number) {
			Object.assign(response, { statusCode, writableFinished: true });
			response.emit('finish');
			response.emit('close');
		},
		finish: () => {
			response.writableFinished = true;
			response.emit('finish');
		},
		disconnect: () => response.emit('close'),
	};
}

/** An event as it arrives. */
const arrival = (event: IDataObject) => ({
	event: readEvent(event),
	bytes: JSON.stringify(event),
	isOwnId: event.headerNamesId === true,
});

/** What became of events that came together: all are new, none is, or how many of them are. */
function stateOf(found: ReturnType<typeof newEvents>, events: readonly IDataObject[]) {
	if (found === 'in flight' || found.length === 0) {
		return found === 'in flight' ? found : 'seen';
	}
	return found.length === events.length ? 'new' : found.length;
}

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const value = fc.oneof(word, fc.nat());
/** What the service may send: with a time and an ID, of whatever the ID may be. */
const told = fc.record({ event: word, id: value, timestamp: word, call_id: value, data: fc.jsonValue() });
const anyEvent = fc.oneof(
	told,
	fc.record({ event: word, id: value, timestamp: word }),
	fc.record({ event: word, call_id: value, timestamp: fc.nat() }),
) as fc.Arbitrary<IDataObject>;

/** Few different values, so that two events often share all but one. */
const similar = fc.record({
	event: fc.constantFrom('campaign_call.completed', 'campaign_call.failed'),
	id: fc.constantFrom('campaign-1', 'campaign-2'),
	timestamp: fc.constantFrom('2030-01-01T10:00:00Z', '2030-01-01T10:00:01Z'),
	campaign: fc.record({ id: fc.constantFrom('campaign-1', 'campaign-2') }),
	call: fc.record({ id: fc.constantFrom('call-1', 'call-2', 'call-3') }),
}) as fc.Arbitrary<object> as fc.Arbitrary<IDataObject>;

test.each([
	['any', anyEvent],
	['similar', similar],
])(
	'the same bytes are one event however often they come, and two with another type, ID, time or call are two: %s',
	(_what, events) => {
		const said = ({ event, id, timestamp, call_id, call }: IDataObject) =>
			JSON.stringify([event, id, timestamp, call_id, call]);
		fc.assert(
			fc.property(fc.uniqueArray(events, { minLength: 1, maxLength: 8, selector: said }), (different) => {
				const node = newNode();
				for (const event of different) {
					const { once, respond } = deliver(node);
					expect(once(event)).toBe('new');
					respond(200);
					for (const repeated of different.slice(0, different.indexOf(event) + 1)) {
						expect(deliver(node).once(repeated)).toBe('seen');
					}
				}
			}),
			{ numRuns: 50 },
		);
	},
);

const own = { event: 'campaign_call.completed', id: 'event-1', timestamp: '2030-01-01T10:00:00Z', call_id: 'call-1' };

test.each<[string, IDataObject]>([
	['a call', own],
	['a call in an object', { ...own, call_id: undefined, call: { id: 'call-1' } }],
	['a call, and the ID is a number', { ...own, id: 4711 }],
	['a call, and the ID is a word that stands for a value', { ...own, id: 'true', answered: true }],
	['the campaign', { ...own, event: 'campaign.paused', call_id: undefined }],
	['a call, all of it below data', { event: own.event, data: { ...own, event: undefined } }],
])('an event of %s with an ID of its own is one event, whatever else its body has', (_what, event) => {
	const node = newNode();
	const { once, respond } = deliver(node);
	expect(once({ ...event, attempt: 1 })).toBe('new');
	expect(deliver(node).once({ ...event, attempt: 2 })).toBe('in flight');
	respond(200);
	expect(deliver(node).once({ ...event, attempt: 2 })).toBe('seen');
});

test.each<[string, IDataObject]>([
	['of the campaign', { ...own, id: 'c-1' }],
	['of the call', { ...own, id: 'call-1' }],
	['of the call, as the event names no other', { ...own, call_id: undefined }],
	['of the webhook', { ...own, webhook_id: 'event-1' }],
	['of the webhook, and both are numbers', { ...own, id: 4711, webhook_id: 4711 }],
	['of something inside', { ...own, data: { list: [{ id: 'event-1' }] } }],
	['that JavaScript has rounded', { ...own, id: 2 ** 60 }],
])('if the ID may be that %s, two bodies are two events', (_what, event) => {
	const node = newNode();
	for (const text of ['first', 'second']) {
		const { once, respond } = deliver(node);
		expect(once({ ...event, text })).toBe('new');
		respond(200);
	}
});

test('if a header says that the ID is its own, an event is one, also if its time is that of the attempt or missing', () => {
	const node = newNode();
	const { once, respond } = deliver(node);
	const named = { ...own, headerNamesId: true };
	expect(once(named)).toBe('new');
	respond(200);
	for (const timestamp of ['2030-01-01T10:00:05Z', undefined]) {
		expect(deliver(node).once({ ...named, timestamp })).toBe('seen');
	}
	// Somebody could leave the header out of what was recorded, or name another ID in it.
	expect(deliver(node).once({ ...named, headerNamesId: false })).toBe('seen');
	expect(deliver(node).once({ ...own, timestamp: '2030-01-01T10:00:05Z' })).toBe('new');
	expect(deliver(newNode()).once({ ...named, id: 'call-1' }, { ...named, id: 'call-1', text: 'other' })).toBe('new');
});

test('an event is in flight if it comes again under another of its names meanwhile', () => {
	const node = newNode();
	expect(deliver(node).once(own)).toBe('new');
	expect(deliver(node).once({ ...own, headerNamesId: true })).toBe('in flight');
});

test('several events in one delivery are new or seen each by itself, and all new again if n8n could not store them', () => {
	const node = newNode();
	const two = { ...own, id: 'event-2', call_id: 'call-2' };
	const failed = deliver(node);
	expect(failed.once(own, two)).toBe('new');
	failed.respond(500);
	const first = deliver(node);
	expect(first.once(own)).toBe('new');
	first.respond(200);
	const both = deliver(node);
	expect(both.once(own, two)).toBe(1);
	expect(deliver(node).once(two)).toBe('in flight');
	both.respond(200);
	expect(deliver(node).once(two, own)).toBe('seen');
	// They are one if they are the same, and two if nothing tells whether they are.
	expect(deliver(newNode()).once(own, own)).toBe(1);
	expect(deliver(newNode()).once({ text: 'over' }, { text: 'over' })).toBe('new');
});

test("two calls that end in the same second are two events, also where the ID is the campaign's in a nested object", () => {
	const node = newNode();
	for (const call of ['call-1', 'call-2']) {
		const { once, respond } = deliver(node);
		const event = {
			event: 'campaign_call.completed',
			id: 'campaign-1',
			timestamp: '2030-01-01T10:00:00Z',
			data: { campaign: { id: 'campaign-1' }, call: { id: call } },
		};
		expect(once(event)).toBe('new');
		respond(200);
	}
});

test.each([
	['a payload template without a time and an ID', { event: 'campaign_call.completed', text: 'A call is over' }],
	['one without a time', { event: 'event_action', call_id: 'call-1' }],
	['one without an ID', { event: 'campaign_call.completed', timestamp: '2030-01-01T10:00:00Z' }],
	['empty values', { event: 'campaign_call.completed', id: '', timestamp: '' }],
])(
	'%s makes each delivery a new event, except for one that comes while the same bytes are in flight',
	(_what, event) => {
		const node = newNode();
		for (let time = 0; time < 3; time += 1) {
			const { once, respond } = deliver(node);
			expect(once(event)).toBe('new');
			expect(deliver(node).once(event)).toBe('in flight');
			respond(200);
		}
	},
);

type End = (delivery: ReturnType<typeof deliver>) => void;

test.each<[string, 'new' | 'seen', End]>([
	['n8n could not store it', 'new', ({ respond }) => respond(500)],
	...[300, 404, 503].map((status): [string, 'new', End] => [
		`it got ${status}`,
		'new',
		({ respond }) => respond(status),
	]),
	['its connection was closed', 'new', ({ disconnect }) => disconnect()],
	['its response is sent, before the connection is closed', 'seen', ({ finish }) => finish()],
])('a repeated event is in flight until the first delivery has ended; then, if %s, it is %s', (_what, state, end) => {
	const node = newNode();
	const event = { event: 'a', id: '1', timestamp: 'now' };
	const first = deliver(node);
	expect(first.once(event)).toBe('new');
	expect(deliver(node).once(event)).toBe('in flight');
	end(first);
	expect(deliver(node).once(event)).toBe(state);
});

test('an event whose sender had hung up before it was checked is new when it comes again', () => {
	const node = newNode();
	const event = { event: 'a', id: '1', timestamp: 'now' };
	const response = Object.assign(new EventEmitter(), { statusCode: 200, writableFinished: false, destroyed: true });
	expect(newEvents(node, owner, response as never, [arrival(event)])).toEqual([event]);
	expect(deliver(node).once(event)).toBe('new');
});

test('an event is new to each workflow, and to a test run beside production', async () => {
	const event = { event: 'a', id: '1', timestamp: 'now' };
	const key = async (workflowId: string, mode: 'webhook' | 'manual') =>
		(await readIncoming(triggerOf({ workflowId, mode }).caller)).node;
	const keys = [await key('one', 'webhook'), await key('one', 'manual'), await key('two', 'webhook')];
	for (const { once, respond } of keys.map(deliver)) {
		expect(once(event)).toBe('new');
		respond(200);
	}
});

test('the newest 10,000 events are remembered', () => {
	const node = newNode();
	const event = (id: number) => ({ ...own, id: `event-${id}`, headerNamesId: true });
	for (let id = 0; id < 10_001; id += 1) {
		const { once, respond } = deliver(node);
		once(event(id));
		respond(200);
	}
	expect(deliver(node).once(event(1))).toBe('seen');
	expect(deliver(node).once(event(10_000))).toBe('seen');
	expect(deliver(node).once(event(0))).toBe('new');
});
