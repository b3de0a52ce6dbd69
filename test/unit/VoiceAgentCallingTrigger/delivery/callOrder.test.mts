import fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';

import { isLate } from '../../../../nodes/VoiceAgentCallingTrigger/delivery/callOrder.ts';

let workflows = 0;
const workflow = (mode = 'webhook') => {
	workflows += 1;
	const id = `workflow-${workflows}`;
	return {
		getWorkflow: () => ({ id }),
		getNode: () => ({ id: 'node' }),
		getMode: () => mode,
	} as unknown as IWebhookFunctions;
};

const start = Date.UTC(2030, 0, 1);
const moments = fc.array(fc.record({ call: fc.constantFrom('one', 'two'), seconds: fc.nat(20) }), { maxLength: 30 });

test('an event is late exactly when a newer one of its call came before it', () => {
	fc.assert(
		fc.property(moments, (events) => {
			const caller = workflow();
			events.forEach(({ call, seconds }, index) => {
				const before = events.slice(0, index).filter((event) => event.call === call);
				const newer = before.some((event) => event.seconds > seconds);
				const timestamp = new Date(start + seconds * 1000).toISOString();
				expect(isLate(caller, { call_id: call, timestamp })).toBe(newer);
			});
		}),
	);
});

test('events that come in the order of their moments are never late', () => {
	fc.assert(
		fc.property(fc.array(fc.nat(1e9)), (times) => {
			const caller = workflow();
			const late = times
				.sort((one, other) => one - other)
				.map((time) => isLate(caller, { call_id: 'one', timestamp: new Date(start + time).toISOString() }));
			expect(late).not.toContain(true);
		}),
	);
});

test('what has no call or no moment is never late, and makes nothing late', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.jsonValue(), (call_id, timestamp) => {
			const caller = workflow();
			const noMoment = typeof timestamp !== 'string' || Number.isNaN(Date.parse(timestamp));
			fc.pre(typeof call_id !== 'string' || noMoment);
			isLate(caller, { call_id: 'one', timestamp: new Date(start).toISOString() });
			expect(isLate(caller, { call_id, timestamp } as never)).toBe(false);
			expect(isLate(caller, { call_id: 'one', timestamp: new Date(start).toISOString() })).toBe(false);
		}),
	);
});

test('the moment counts, not how it is written', () => {
	const caller = workflow();
	expect(isLate(caller, { call_id: 'one', timestamp: '2030-01-01T10:00:00.123456Z' })).toBe(false);
	expect(isLate(caller, { call_id: 'one', timestamp: '2030-01-01T12:00:00.123+02:00' })).toBe(false);
	expect(isLate(caller, { call_id: 'one', timestamp: '2030-01-01T10:00:00Z' })).toBe(true);
});
