import type { IDataObject } from 'n8n-workflow';

import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';

const call = (to: string, context: unknown = {}) => ({
	method: 'POST' as const,
	path: ['agents', 'a', 'call'],
	body: { to, context } as IDataObject,
});
const answer = { success: true, data: { id: 'call-1', agent_id: 'a', to: '+12025550123', status: 'initiated' } };

/** Neither an answer nor a refusal. */
const unknown = { said: expect.any(String) };

describe('What a run has sent', () => {
	test('is given back at the next try, reduced to its ids', () => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		const first = new SentRequests(context, 0);
		first.sending(key);
		first.taken(key, answer);
		// n8n stores the context as JSON.
		const stored = JSON.parse(JSON.stringify(context)) as IDataObject;
		expect(new SentRequests(stored, 0).recall(key)).toMatchObject({
			answer: { success: true, data: { id: 'call-1', agent_id: 'a' } },
		});
	});

	test('stays unknown when the process ended before the answer came', () => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		new SentRequests(context, 0).sending(key);
		expect(new SentRequests(context, 0).recall(key)).toEqual(unknown);
	});

	test('is the same call whatever its context says, and another one for another number or item', () => {
		const key = SentRequests.key(0, call('+12025550123', { at: 1 }));
		expect(SentRequests.key(0, call('+12025550123', { at: 2 }))).toBe(key);
		expect(SentRequests.key(0, call('+12025550124', { at: 1 }))).not.toBe(key);
		expect(SentRequests.key(1, call('+12025550123', { at: 1 }))).not.toBe(key);
	});

	test('is the same request at the next try whatever it says by then, but another one in another run', () => {
		const context: IDataObject = {};
		const event = (title: string) =>
			SentRequests.key(0, { method: 'POST', path: ['calendars', 'c', 'events'], body: { title } });
		const first = new SentRequests(context, 0);
		first.sending(event('at nine'));
		first.keepForNextTry();
		expect(new SentRequests(context, 0).recall(event('at ten'))).toEqual(unknown);
		first.keepForNextTry();
		const next = new SentRequests(context, 1);
		expect(next.recall(event('at nine'))).toEqual(unknown);
		expect(next.recall(event('at ten'))).toBeUndefined();
	});

	test('does not count for another round of a loop', () => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		new SentRequests(context, 0).sending(key);
		expect(new SentRequests(context, 1).recall(key)).toBeUndefined();
	});

	test('counts for the next run when this one failed: a tool gets another run index at each try', () => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		const failed = new SentRequests(context, 0);
		failed.sending(key);
		failed.keepForNextTry();
		expect(new SentRequests(context, 1).recall(key)).toEqual(unknown);
	});

	test('survives another run at the same time', () => {
		const context: IDataObject = {};
		const key = SentRequests.key(0, call('+12025550123'));
		const first = new SentRequests(context, 0);
		first.sending(key);
		new SentRequests(context, 1).sending(SentRequests.key(0, call('+12025550199')));
		expect(new SentRequests(context, 0).recall(key)).toEqual(unknown);
	});

	test('does not grow with every round of a long loop', () => {
		const context: IDataObject = {};
		for (let round = 0; round < 500; round++) {
			new SentRequests(context, round).sending(SentRequests.key(0, call('+12025550123')));
		}
		expect(Object.keys(context.sentRequests as object).length).toBeLessThanOrEqual(11);
	});
});
