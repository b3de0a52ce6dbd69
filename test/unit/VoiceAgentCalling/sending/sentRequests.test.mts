import type { IDataObject } from 'n8n-workflow';

import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';

const call = (to: string, context: unknown = {}) => ({
	method: 'POST' as const,
	path: ['agents', 'a', 'call'],
	body: { to, context } as IDataObject,
});
/** The key of a call by an agent. */
const keyOf = (to: string, { item = 0, callerId = 'a' } = {}) =>
	SentRequests.keyOfCall(item, { callerIdField: 'agentId', callerId, to });
const answer = { success: true, data: { id: 'call-1', agent_id: 'a', to: '+12025550123', status: 'initiated' } };

/** The record of a request without a response. */
const unknown = { bodyHash: expect.any(String) };

describe('A request that a run has sent', () => {
	test('is remembered for the retry, with only the IDs of its response', () => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		const first = new SentRequests(context, 0);
		first.sending(key);
		first.accepted(key, answer);
		// n8n stores the context as JSON.
		const stored = JSON.parse(JSON.stringify(context)) as IDataObject;
		expect(new SentRequests(stored, 0).recall(key)).toMatchObject({
			answer: { success: true, data: { id: 'call-1', agent_id: 'a' } },
		});
	});

	test('has an unknown outcome if the process ended before the response', () => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		new SentRequests(context, 0).sending(key);
		expect(new SentRequests(context, 0).recall(key)).toEqual(unknown);
	});

	test('is known by the index of its item', () => {
		const context: IDataObject = {};
		const first = new SentRequests(context, 0);
		expect(first.hasEarlier).toBe(false);
		first.sending(SentRequests.key(0, call('+12025550123')));
		first.sending(SentRequests.key(12, call('+12025550124')));
		first.refused(SentRequests.key(0, call('+12025550123')));
		const next = new SentRequests(context, 0);
		expect([...next.earlierItems]).toEqual([12]);
	});

	test('is the same call with a different context, but not with a different number or item', () => {
		const key = SentRequests.key(0, call('+12025550123', { at: 1 }));
		expect(SentRequests.key(0, call('+12025550123', { at: 2 }))).toBe(key);
		expect(SentRequests.key(0, call('+12025550124', { at: 1 }))).not.toBe(key);
		expect(SentRequests.key(1, call('+12025550123', { at: 1 }))).not.toBe(key);
	});

	test('is the same request in a retry even if its body changed, but not in a different run', () => {
		const context: IDataObject = {};
		const event = (title: string) =>
			SentRequests.key(0, { method: 'POST', path: ['calendars', 'c', 'events'], body: { title } });
		const first = new SentRequests(context, 0);
		first.sending(event('at nine'));
		first.markFailed();
		expect(new SentRequests(context, 0).recall(event('at ten'))).toEqual(unknown);
		first.markFailed();
		const next = new SentRequests(context, 1);
		expect(next.recall(event('at nine'))).toEqual(unknown);
		expect(next.recall(event('at ten'))).toBeUndefined();
	});

	test('is not remembered for the next iteration of a loop', () => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		new SentRequests(context, 0).sending(key);
		expect(new SentRequests(context, 1).recall(key)).toBeUndefined();
	});

	test('is remembered for the next run if this one failed, since a tool has a new run index for each retry', () => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		const failed = new SentRequests(context, 0);
		failed.sending(key);
		failed.markFailed();
		expect(new SentRequests(context, 1).recall(key)).toEqual(unknown);
	});

	test.each([
		['in the next run', 1],
		['after more runs than are stored', 50],
	])('and has no known outcome is not sent again by any item of another run: %s', (_when, later) => {
		const context: IDataObject = {};
		const first = new SentRequests(context, 0);
		const event = { method: 'POST', path: ['calendars', 'c', 'events'], body: { title: 'Visit' } } as const;
		first.sending(SentRequests.key(3, event), { once: true });
		first.sending(keyOf('+12025550123', { item: 3 }), { once: true, isTest: false });
		first.forget();
		const next = new SentRequests(context, later);
		expect(next.recall(SentRequests.key(0, event))).toEqual({});
		expect(next.recall(SentRequests.key(0, { ...event, path: ['calendars', 'd', 'events'] }))).toBeUndefined();
		expect(next.recall(keyOf('+12025550123'))).toEqual({ isTest: false });
		expect(next.recall(keyOf('+12025550124'))).toBeUndefined();
		expect(next.hasEarlier).toBe(false);
	});

	test.each([
		['another agent', '+12025550123', '+12025550123', 'b'],
		['the other number of the phone', '+970591234567', '+972591234567', 'a'],
	])('and has no known outcome is not sent again in another run with %s', (_what, number, again, callerId) => {
		const context: IDataObject = {};
		const first = new SentRequests(context, 0);
		first.sending(keyOf(number), { once: true });
		const next = new SentRequests(context, 1);
		expect(next.recall(keyOf(again, { callerId }))).toEqual({});
		first.accepted(keyOf(number), answer);
		expect(next.recall(keyOf(again, { callerId }))).toBeUndefined();
	});

	test.each<[string, (run: SentRequests, key: string) => void]>([
		['was accepted', (run, key) => run.accepted(key, answer)],
		['was refused', (run, key) => run.refused(key)],
	])('and %s may be sent again by another run', (_what, settle) => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		const first = new SentRequests(context, 0);
		first.sending(key, { once: true });
		expect(new SentRequests(context, 1).recall(key)).toEqual({});
		settle(first, key);
		expect(new SentRequests(context, 1).recall(key)).toBeUndefined();
	});

	test('by two items of a run is two requests', () => {
		const first = new SentRequests({}, 0);
		first.sending(SentRequests.key(0, call('+12025550123')), { once: true });
		expect(first.recall(SentRequests.key(1, call('+12025550123')))).toBeUndefined();
	});

	test('is remembered when another run starts at the same time', () => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		const first = new SentRequests(context, 0);
		first.sending(key);
		new SentRequests(context, 1).sending(SentRequests.key(0, call('+12025550199')));
		expect(new SentRequests(context, 0).recall(key)).toEqual(unknown);
	});

	test('does not make the memory grow with every iteration of a long loop', () => {
		const context: IDataObject = {};
		for (let round = 0; round < 500; round++) {
			new SentRequests(context, round).sending(SentRequests.key(0, call('+12025550123')));
		}
		expect(Object.keys(context.sentRequests as object).length).toBeLessThanOrEqual(11);
	});
});
