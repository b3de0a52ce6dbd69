import fc from 'fast-check';

import { isLate } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/callOrder.ts';

let nodes = 0;
/** A key that no other test uses. */
const newNode = () => `node-${(nodes += 1)}`;

const start = Date.UTC(2030, 0, 1);
const anyEvents = fc.array(fc.record({ call: fc.constantFrom('one', 'two'), seconds: fc.nat(20) }), { maxLength: 30 });

test('an event is late if and only if a newer one of its call was received before', () => {
	fc.assert(
		fc.property(anyEvents, (events) => {
			const node = newNode();
			events.forEach(({ call, seconds }, index) => {
				const before = events.slice(0, index).filter((event) => event.call === call);
				const newer = before.some((event) => event.seconds > seconds);
				const timestamp = new Date(start + seconds * 1000).toISOString();
				expect(isLate(node, { call_id: call, timestamp })).toBe(newer);
			});
		}),
	);
});

test('events in the order of their timestamps are never late', () => {
	fc.assert(
		fc.property(fc.array(fc.nat(1e9)), (times) => {
			const node = newNode();
			const late = times
				.sort((one, other) => one - other)
				.map((time) => isLate(node, { call_id: 'one', timestamp: new Date(start + time).toISOString() }));
			expect(late).not.toContain(true);
		}),
	);
});

test('an event without a call or a valid timestamp is never late, and makes no other event late', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.jsonValue(), (call_id, timestamp) => {
			const node = newNode();
			const noTime = typeof timestamp !== 'string' || Number.isNaN(Date.parse(timestamp));
			fc.pre(typeof call_id !== 'string' || noTime);
			isLate(node, { call_id: 'one', timestamp: new Date(start).toISOString() });
			expect(isLate(node, { call_id, timestamp } as never)).toBe(false);
			expect(isLate(node, { call_id: 'one', timestamp: new Date(start).toISOString() })).toBe(false);
		}),
	);
});

test('timestamps are compared as times, not as text', () => {
	const node = newNode();
	expect(isLate(node, { call_id: 'one', timestamp: '2030-01-01T10:00:00.123456Z' })).toBe(false);
	expect(isLate(node, { call_id: 'one', timestamp: '2030-01-01T12:00:00.123+02:00' })).toBe(false);
	expect(isLate(node, { call_id: 'one', timestamp: '2030-01-01T10:00:00Z' })).toBe(true);
});

test.each([
	['without a call', { call_id: undefined }],
	['with a call that is no text', { call_id: 7 }],
	['with a timestamp that is no text', { timestamp: 1_893_456_000_000 }],
	['with a timestamp that is no time', { timestamp: 'yesterday' }],
])('two events %s are in no order', (_what, changes) => {
	const node = newNode();
	const event = (hour: string) => ({ call_id: 'one', timestamp: `2030-01-01T${hour}:00:00Z`, ...changes });
	expect([isLate(node, event('12')), isLate(node, event('10'))]).toEqual([false, false]);
});

test('two calls, and two nodes, have their own order', () => {
	const [one, other] = [newNode(), newNode()];
	const event = (call_id: string, hour: string) => ({ call_id, timestamp: `2030-01-01T${hour}:00:00Z` });
	expect(isLate(one, event('one', '12'))).toBe(false);
	expect(isLate(one, event('two', '10'))).toBe(false);
	expect(isLate(other, event('one', '10'))).toBe(false);
	expect(isLate(one, event('one', '10'))).toBe(true);
});
