import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { deliveryOnce, identityOf } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/deliveryOnce.ts';
import { nodeKey } from '../../../../nodes/VoiceAgentCallingTrigger/registration/nodeKey.ts';

let nodes = 0;
/** A key that no other test uses. */
const newNode = () => `node-${(nodes += 1)}`;

/** One delivery to a node, and the ways in which its response can end. */
function delivery(node: string) {
	const response = Object.assign(new EventEmitter(), { statusCode: 200, writableFinished: false });
	return {
		once: (event: IDataObject) => deliveryOnce(node, response as never, event, bytes(event)),
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

const bytes = (event: object) => Buffer.from(JSON.stringify(event));

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const named = fc.record({ event: word, id: word.map((id) => `id-${id}`), timestamp: word });
const anyEvent = fc.oneof(
	named,
	fc.record(
		{ event: fc.jsonValue(), id: fc.jsonValue(), timestamp: fc.jsonValue(), call_id: fc.jsonValue() },
		{ requiredKeys: [] },
	),
) as fc.Arbitrary<IDataObject>;

test('an event is seen however often it is repeated after it was acknowledged, and any other event is new', () => {
	fc.assert(
		fc.property(
			fc.uniqueArray(anyEvent, { minLength: 1, maxLength: 6, selector: (event) => JSON.stringify(event) }),
			(events) => {
				const node = newNode();
				for (const event of events) {
					const { once, respond } = delivery(node);
					expect(once(event)).toBe('new');
					respond(200);
					for (const repeated of events.slice(0, events.indexOf(event) + 1)) {
						expect(delivery(node).once(repeated)).toBe('seen');
					}
				}
			},
		),
	);
});

test('an event with type, ID and timestamp is the same in another body; without one of them it is not', () => {
	fc.assert(
		fc.property(named, word, (event, attempt) => {
			const again = { ...event, attempt: `no-${attempt}` };
			expect(identityOf(again, bytes(again))).toEqual(identityOf(event, bytes(event)));
			for (const lacking of ['event', 'id', 'timestamp']) {
				const [one, other] = [event, again].map((whole) => ({ ...whole, [lacking]: undefined }));
				expect(identityOf(one ?? {}, bytes(one ?? {}))).not.toEqual(identityOf(other ?? {}, bytes(other ?? {})));
			}
		}),
	);
});

test('events that differ in type, ID or timestamp have different identities', () => {
	fc.assert(
		fc.property(named, named, (one, other) => {
			fc.pre(JSON.stringify(one) !== JSON.stringify(other));
			expect(identityOf(one, bytes(one))).not.toEqual(identityOf(other, bytes(other)));
		}),
	);
});

test("two events with the call's ID as their ID and the same timestamp are two events", () => {
	const [one, other] = ['book', 'cancel'].map((action) => ({
		event: 'event_action',
		id: 'call-1',
		call_id: 'call-1',
		timestamp: '2030-01-01T10:00:00Z',
		action,
	}));
	const node = newNode();
	for (const event of [one, other]) {
		const { once, respond } = delivery(node);
		expect(once(event as IDataObject)).toBe('new');
		respond(200);
	}
});

test.each([
	['n8n could not store it', (one: ReturnType<typeof delivery>) => one.respond(500)],
	['its connection was closed', (one: ReturnType<typeof delivery>) => one.disconnect()],
])('a repeated event is in flight until the first delivery has ended, and new if %s', (_what, end) => {
	const node = newNode();
	const event = { event: 'a', id: '1', timestamp: 'now' };
	const first = delivery(node);
	expect(first.once(event)).toBe('new');
	expect(delivery(node).once(event)).toBe('in flight');
	end(first);
	expect(delivery(node).once(event)).toBe('new');
});

test('an event is seen as soon as its response is sent, before the connection is closed', () => {
	const node = newNode();
	const event = { event: 'a', id: '1', timestamp: 'now' };
	const { once, finish } = delivery(node);
	once(event);
	finish();
	expect(delivery(node).once(event)).toBe('seen');
});

test.each([300, 404, 503])('an event that was answered with %i is new when it comes again', (status) => {
	const node = newNode();
	const event = { event: 'a', id: '1', timestamp: 'now' };
	const { once, respond } = delivery(node);
	once(event);
	respond(status);
	expect(delivery(node).once(event)).toBe('new');
});

test('an event is new to each workflow, and to a test run beside production', () => {
	const event = { event: 'a', id: '1', timestamp: 'now' };
	const key = (workflow: string, mode: string) =>
		nodeKey({
			getWorkflow: () => ({ id: workflow }),
			getNode: () => ({ id: 'node' }),
			getMode: () => mode,
		} as unknown as IWebhookFunctions);
	const keys = [key('one', 'webhook'), key('one', 'manual'), key('two', 'webhook')];
	for (const { once, respond } of keys.map(delivery)) {
		expect(once(event)).toBe('new');
		respond(200);
	}
});

test('the newest 10,000 events are remembered', () => {
	const node = newNode();
	const event = (id: number) => ({ event: 'a', id: `${id}`, timestamp: 'now' });
	for (let id = 0; id < 10_001; id += 1) {
		const { once, respond } = delivery(node);
		once(event(id));
		respond(200);
	}
	expect(delivery(node).once(event(1))).toBe('seen');
	expect(delivery(node).once(event(10_000))).toBe('seen');
	expect(delivery(node).once(event(0))).toBe('new');
});
