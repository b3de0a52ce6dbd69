import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/service/request.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';

const request: ServiceRequest = {
	method: 'POST',
	path: ['campaigns', 'c', 'call'],
	query: { dry: 1 },
	body: { to: '+12025550123' },
};
const key = SentRequests.key(3, request);
const event = (title: string, calendar = 'c'): ServiceRequest => ({
	method: 'POST',
	path: ['calendars', calendar, 'events'],
	body: { title },
});
/** The key of a call by an agent. */
const keyOf = (to: string, { item = 0, callerId = 'a' } = {}) =>
	SentRequests.keyOfCall(item, { callerIdField: 'agentId', callerId, to });

/** The record of a request without a response. */
const unknown = { bodyHash: expect.any(String) };

/** A run that has sent the request, and what the next tries and runs of the node are made of. */
function sent(runIndex = 0, more: Parameters<SentRequests['sending']>[1] = {}) {
	const context: IDataObject = {};
	const run = new SentRequests(context, runIndex);
	run.sending(key, more);
	// n8n stores the context as JSON.
	const next = (index = runIndex) => new SentRequests(JSON.parse(JSON.stringify(context)) as IDataObject, index);
	return { context, run, next };
}

describe('A request that a run has sent', () => {
	test('is remembered for the retry with an unknown outcome, and then with the IDs and the number of its response only', () => {
		const { run, next } = sent();
		expect([run.hasEarlier, next().hasEarlier]).toEqual([false, true]);
		expect(next().recall(key)).toEqual(unknown);
		run.accepted(key, {
			success: true,
			message: 'Queued',
			id: 'a',
			idea: 'b',
			photo: 'c',
			campaign_id: 'c',
			list: [{ id: 'g' }],
			campaign_call: { id: 'd', to: '+12025550101', agent: { agent_id: 'e', name: 'f' } },
		});
		expect(next().recall(key)?.answer).toEqual({
			success: true,
			id: 'a',
			campaign_id: 'c',
			campaign_call: { id: 'd', to: '+12025550101', agent: { agent_id: 'e' } },
		});
	});

	test('is unknown for the retry if nobody can tell what its response says', () => {
		const { run, next } = sent(0, { once: true, isTest: false });
		run.accepted(key, { success: true, id: 'a' });
		run.setUnknown(key);
		expect(next().recall(key)).toEqual({ ...unknown, once: true, isTest: false });
	});

	test('is remembered with the IDs of a refusal, if that is the result', () => {
		const { run, next } = sent();
		run.refusedFinally(key, 409, { message: 'Queued', data: { call_id: 'a' } });
		expect(next().recall(key)).toEqual({ ...unknown, refusal: { httpStatus: 409, body: { data: { call_id: 'a' } } } });
	});

	test.each<[string, Partial<ServiceRequest>]>([
		['method', { method: 'PUT' }],
		['path', { path: ['campaigns', 'c', 'calls'] }],
		['query', { query: { dry: 2 } }],
		['number', { body: { to: '+12025550102' } }],
		['body, without a number', { body: {} }],
	])('is another one with another %s', (_what, changes) => {
		expect(
			sent()
				.next()
				.recall(SentRequests.key(3, { ...request, ...changes })),
		).toBeUndefined();
	});

	test('is the same with another body beside the number, and another one for each item', () => {
		expect(SentRequests.key(3, { ...request, body: { ...request.body, at: 2 } })).toEqual(key);
		const { run, next } = sent();
		run.sending(SentRequests.key(12, request));
		expect([...next().earlierItems]).toEqual([3, 12]);
		run.refused(key);
		expect([...next().earlierItems]).toEqual([12]);
		expect(run.recall(key)).toBeUndefined();
	});

	test('is told from others with the same path by an identity of its own, whatever its body is', () => {
		const { run, next } = sent();
		run.sending(SentRequests.key(3, { ...event('Book'), identity: 'book' }));
		expect(next().recall(SentRequests.key(3, { ...event('Book'), identity: 'notes' }))).toBeUndefined();
		expect(next().recall(SentRequests.key(3, { ...event('Book a visit'), identity: 'book' }))).toEqual(unknown);
	});

	test('counts for the next run only if this one failed, and with the same body', () => {
		const { run, next } = sent(1);
		run.sending(SentRequests.key(3, event('at nine')));
		expect(next(2).recall(key)).toBeUndefined();
		run.markFailed();
		expect([next(2).recall(key), next(2).hasEarlier, [...next(2).earlierItems]]).toEqual([unknown, true, [3]]);
		expect(next(1).recall(SentRequests.key(3, event('at ten')))).toEqual(unknown);
		expect(next(2).recall(SentRequests.key(3, event('at nine')))).toEqual(unknown);
		expect(next(2).recall(SentRequests.key(3, event('at ten')))).toBeUndefined();
		// A try of the failed run itself makes it unfinished, and no longer one that failed.
		const { context, run: failed } = sent(1);
		failed.markFailed();
		new SentRequests(context, 1);
		expect(new SentRequests(context, 2).recall(key)).toBeUndefined();
	});

	test('is forgotten when n8n will not try again, and not when another run starts at the same time', () => {
		const { context, run, next } = sent();
		new SentRequests(context, 1).sending(SentRequests.key(0, request));
		expect(next().recall(key)).toEqual(unknown);
		run.forget();
		expect([next().recall(key), next().hasEarlier]).toEqual([undefined, false]);
	});

	test.each([
		[9, true],
		[10, false],
	])('is remembered during the nine runs after it: run %i of them', (later, remembered) => {
		const { context } = sent();
		new SentRequests(context, later);
		expect(Object.keys(context.sentRequests as object).includes('0')).toBe(remembered);
	});
});

describe('A request without a known outcome', () => {
	test.each([
		['in the next run', 1],
		['after more runs than are stored', 50],
	])('is not sent again by any item of another run: %s', (_when, later) => {
		const { run, next } = sent();
		run.sending(SentRequests.key(3, event('Visit')), { once: true });
		run.sending(keyOf('+12025550123', { item: 3 }), { once: true, isTest: false });
		run.forget();
		const other = next(later);
		expect(other.recall(SentRequests.key(0, event('Visit')))).toEqual({});
		expect(other.recall(SentRequests.key(0, event('Visit', 'd')))).toBeUndefined();
		expect(other.recall(keyOf('+12025550123'))).toEqual({ isTest: false });
		expect(other.recall(keyOf('+12025550124'))).toBeUndefined();
		expect(other.hasEarlier).toBe(false);
	});

	test.each([
		['by another agent', '+12025550123', '+12025550123', 'b'],
		['to the other number of the phone', '+970591234567', '+972591234567', 'a'],
	])('is not sent again in another run %s', (_what, number, again, callerId) => {
		const { run, next } = sent();
		run.sending(keyOf(number), { once: true });
		expect(next(1).recall(keyOf(again, { callerId }))).toEqual({});
		run.accepted(keyOf(number), {});
		expect(next(1).recall(keyOf(again, { callerId }))).toBeUndefined();
	});

	test('counts for another node of the execution, which remembers no other request', () => {
		const [flow, first, second]: IDataObject[] = [{}, {}, {}];
		const run = new SentRequests(first!, 0, '7', 'Call', flow);
		run.sending(keyOf('+12025550123'), { once: true, isTest: false });
		run.sending(keyOf('+12025550124', { item: 1 }), { once: true, isTest: false });
		run.accepted(keyOf('+12025550124', { item: 1 }), { id: 'a' });
		const other = new SentRequests(second!, 0, '7', 'Other', flow);
		expect(other.recall(keyOf('+12025550123'))).toEqual({ isTest: false });
		expect(other.recall(keyOf('+12025550124', { item: 1 }))).toBeUndefined();
	});

	test.each<[string, (run: SentRequests) => void]>([
		['was accepted', (run) => run.accepted(key, {})],
		['was refused', (run) => run.refused(key)],
	])('may be sent by another run once it %s', (_what, settle) => {
		const { run, next } = sent(0, { once: true });
		expect(next(1).recall(key)).toEqual({});
		settle(run);
		expect(next(1).recall(key)).toBeUndefined();
	});

	test('of another item of the same run is another request', () => {
		expect(sent(0, { once: true }).run.recall(SentRequests.key(1, request))).toBeUndefined();
	});
});

describe('What an earlier try has sent for an item, whatever its values are now,', () => {
	const real = { once: true, isTest: false };

	test('is what must not be sent twice: a call, one without a known outcome, and one of this execution come first', () => {
		const context: IDataObject = {};
		const nextTry = (execution = '7') => new SentRequests(JSON.parse(JSON.stringify(context)), 0, execution);
		const earlier = (execution?: string) => nextTry(execution).sentEarlier(0);
		const run = new SentRequests(context, 0, '7');
		run.sending(SentRequests.key(0, event('any')));
		expect(earlier()).toBeUndefined();
		run.sending(SentRequests.key(0, event('one')), { once: true });
		expect(earlier()).toMatchObject({ once: true });
		run.sending(keyOf('+12025550101'), real);
		run.accepted(keyOf('+12025550101'), { id: 'a' });
		expect(earlier()).toMatchObject({ ...real, answer: { id: 'a' } });
		run.sending(keyOf('+12025550102'), { once: true, isTest: true });
		expect(earlier()).toMatchObject({ once: true, isTest: true });
		expect(earlier()).not.toHaveProperty('answer');
		run.refusedFinally(keyOf('+12025550102'), 409, {});
		run.sending(keyOf('+12025550103'), real);
		expect(earlier()).toMatchObject(real);
		expect(earlier()).not.toHaveProperty('refusal');
		expect(nextTry().sentEarlier(1)).toBeUndefined();
		// The execution that retries has sent another request, too.
		new SentRequests(context, 0, '8').sending(SentRequests.key(0, event('two')), { once: true });
		expect(earlier('8')).not.toHaveProperty('isTest');
	});

	test('is known with who was called, of a retried execution only where that counts', () => {
		const context: IDataObject = {};
		const run = new SentRequests(context, 0, '7');
		run.sending(SentRequests.key(0, event('one')), { once: true });
		run.sending(keyOf('+12025550100'), { isTest: true });
		run.sending(keyOf('+12025550101'), real);
		run.sending(keyOf('+12025550102', { item: 1 }), { once: true, isTest: true });
		const call = (to: string, isTest: boolean) => ({
			identity: SentRequests.identityOf({ callerIdField: 'agentId', callerId: 'a', to }),
			isTest,
		});
		const found = (execution: string, orRetried: boolean) =>
			[0, 1, 2].map((item) => new SentRequests(context, 0, execution).callSentEarlier(item, orRetried));
		const calls = [call('+12025550101', false), call('+12025550102', true), undefined];
		expect(found('7', false)).toEqual(calls);
		expect([found('8', false), found('8', true)]).toEqual([[undefined, undefined, undefined], calls]);
	});

	test('is that of the same agent or campaign, however its ID is written', () => {
		const identityOf = (callerId: string | undefined) =>
			SentRequests.identityOf({ callerIdField: 'agentId', callerId, to: '+12025550101' });
		expect([identityOf('aB') === identityOf('Ab'), identityOf('a') === identityOf(undefined)]).toEqual([true, false]);
	});
});

test('of what is known, nothing stays with the execution', () => {
	const { context, run } = sent(0, { once: true });
	run.sending(SentRequests.key(4, request), { once: true });
	expect(Object.keys(context.unknownRequests as object)).toHaveLength(1);
	run.accepted(key, {});
	expect(Object.keys(context.unknownRequests as object)).toHaveLength(1);
	run.refused(SentRequests.key(4, request));
	expect(context.unknownRequests).toEqual({});
});

test('a fact about an item is known to the next try of the run, not to other items, other runs or after the end', () => {
	const { context, run } = sent();
	run.mark(3, 'published');
	const isMarked = (runIndex: number, ...fact: [number, string]) =>
		new SentRequests(context, runIndex).isMarked(...fact);
	expect([isMarked(0, 3, 'published'), isMarked(0, 3, 'other'), isMarked(0, 4, 'published')]).toEqual([
		true,
		false,
		false,
	]);
	expect(isMarked(1, 3, 'published')).toBe(false);
	run.markFailed();
	expect(isMarked(1, 3, 'published')).toBe(true);
	run.forget();
	expect(isMarked(0, 3, 'published')).toBe(false);
});

test('a context that holds something else is replaced', () => {
	for (const sentRequests of [undefined, 'text', []]) {
		const context = { sentRequests } as IDataObject;
		expect(new SentRequests(context, 0).hasEarlier).toBe(false);
		expect(context.sentRequests).toEqual({ 0: { entries: {} } });
	}
});

test('the memory does not grow with every iteration of a long loop', () => {
	const context: IDataObject = {};
	for (let round = 0; round < 500; round++) {
		new SentRequests(context, round).sending(key);
	}
	expect(Object.keys(context.sentRequests as object).length).toBeLessThanOrEqual(11);
});
