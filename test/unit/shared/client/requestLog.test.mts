import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { RequestLog } from '../../../../nodes/shared/client/requestLog.ts';

const event = (title: string, calendar = 'c'): ServiceRequest => ({
	method: 'POST',
	path: ['calendars', calendar, 'events'],
	query: { dry: 1 },
	body: { title },
});
const keyOf = (title: string, item = 3) => RequestLog.key(item, event(title));
const key = keyOf('Visit');

/** The record of a request without a response. */
const unknown = { bodyHash: expect.any(String) };

/** A run that has sent the request, and what the next attempts and runs of the node are made of. */
function sent(runIndex = 0, more: Parameters<RequestLog['sending']>[1] = {}) {
	const context: IDataObject = {};
	const run = new RequestLog(context, runIndex);
	run.sending(key, more);
	// n8n stores the context as JSON.
	const next = (index = runIndex) => new RequestLog(JSON.parse(JSON.stringify(context)) as IDataObject, index);
	return { context, run, next };
}

describe('A request that a run has sent', () => {
	test('is remembered for the next attempt with an unknown outcome, and then with the IDs of its response only', () => {
		const { run, next } = sent();
		expect(next().recall(key)).toEqual(unknown);
		run.accepted(key, {
			success: true,
			message: 'Created',
			id: 'a',
			idea: 'b',
			photo: 'c',
			campaign_id: 'c',
			list: [{ id: 'g' }],
			event: { id: 'd', to: '+12025550101', agent: { agent_id: 'e', name: 'f' } },
		});
		expect(next().recall(key)?.answer).toEqual({
			success: true,
			id: 'a',
			campaign_id: 'c',
			event: { id: 'd', agent: { agent_id: 'e' } },
		});
	});

	test('is unknown for the next attempt if nobody can tell what its response means', () => {
		const { run, next } = sent(0, { once: true });
		run.accepted(key, { success: true, id: 'a' });
		run.markUnknown(key);
		expect(next().recall(key)).toEqual({ ...unknown, once: true });
	});

	test.each<[string, Partial<ServiceRequest>]>([
		['method', { method: 'PUT' }],
		['path', { path: ['calendars', 'c', 'slots'] }],
		['query', { query: { dry: 2 } }],
	])('is another one with another %s', (_what, changes) => {
		expect(
			sent()
				.next()
				.recall(RequestLog.key(3, { ...event('Visit'), ...changes })),
		).toBeUndefined();
	});

	test('is another one for each item, and may be sent again once it is refused', () => {
		const { run, next } = sent();
		run.sending(keyOf('Visit', 12));
		run.refused(key);
		expect([next().recall(key), next().recall(keyOf('Visit', 12))]).toEqual([undefined, unknown]);
	});

	test('is told from others with the same path by an identity of its own, whatever its body is', () => {
		const { run, next } = sent();
		run.sending(RequestLog.key(3, { ...event('Book'), identity: 'book' }));
		expect(next().recall(RequestLog.key(3, { ...event('Book'), identity: 'notes' }))).toBeUndefined();
		expect(next().recall(RequestLog.key(3, { ...event('Book a visit'), identity: 'book' }))).toEqual(unknown);
	});

	test('counts for the next run only if this one failed, and with the same body', () => {
		const { context, run, next } = sent(1);
		expect(next(2).recall(key)).toBeUndefined();
		run.keepForRetry();
		expect(next(1).recall(keyOf('Another title'))).toEqual(unknown);
		expect(next(2).recall(key)).toEqual(unknown);
		expect(next(2).recall(keyOf('Another title'))).toBeUndefined();
		// Another attempt of the failed run itself makes it unfinished, and no longer one that failed.
		new RequestLog(context, 1);
		expect(new RequestLog(context, 2).recall(key)).toBeUndefined();
	});

	test.each([
		[9, true],
		[10, false],
	])('is remembered during the nine runs after it: run %i of them', (later, isRemembered) => {
		const { context } = sent();
		new RequestLog(context, later);
		expect(Object.keys(context.sentRequests as object).includes('0')).toBe(isRemembered);
	});
});

describe('A request without a known outcome', () => {
	test.each([
		['in the next run', 1],
		['after more runs than are stored', 50],
	])('is not sent again by any item of another run: %s', (_when, later) => {
		const { run, next } = sent(0, { once: true });
		run.clear();
		expect(next(later).recall(keyOf('Visit', 0))).toEqual({});
		expect(next(later).recall(RequestLog.key(0, event('Visit', 'd')))).toBeUndefined();
	});

	test('counts for another node of the execution, which remembers no other request', () => {
		const flow: IDataObject = {};
		const run = new RequestLog({}, 0, '7', 'Book', flow);
		run.sending(key, { once: true });
		run.sending(keyOf('Other', 1), { once: true });
		run.accepted(keyOf('Other', 1), { id: 'a' });
		const other = new RequestLog({}, 0, '7', 'Other', flow);
		expect([other.recall(key), other.recall(keyOf('Other', 1))]).toEqual([{}, undefined]);
	});

	test.each<[string, (run: RequestLog) => void]>([
		['was accepted', (run) => run.accepted(key, {})],
		['was refused', (run) => run.refused(key)],
	])('may be sent by another run once it %s', (_what, settle) => {
		const { run, next } = sent(0, { once: true });
		expect(next(1).recall(key)).toEqual({});
		settle(run);
		expect(next(1).recall(key)).toBeUndefined();
	});

	test('of another item of the same run is another request', () => {
		expect(sent(0, { once: true }).run.recall(keyOf('Visit', 1))).toBeUndefined();
	});
});

test('of what an earlier attempt has sent for an item, what is unknown and of this execution comes first', () => {
	const context: IDataObject = {};
	const earlier = (execution = '7', item = 0) =>
		new RequestLog(JSON.parse(JSON.stringify(context)) as IDataObject, 0, execution).sentEarlier(item);
	const run = new RequestLog(context, 0, '7');
	run.sending(keyOf('any', 0));
	expect(earlier()).toBeUndefined();
	run.sending(RequestLog.key(0, event('one', 'd')), { once: true });
	run.accepted(RequestLog.key(0, event('one', 'd')), { id: 'a' });
	expect(earlier()).toMatchObject({ once: true, answer: { id: 'a' } });
	run.sending(RequestLog.key(0, event('two', 'e')), { once: true });
	expect(earlier()).not.toHaveProperty('answer');
	expect(earlier('7', 1)).toBeUndefined();
	// The execution that retries has sent another request, too.
	const retry = new RequestLog(context, 0, '8');
	retry.sending(RequestLog.key(0, event('three', 'f')), { once: true });
	retry.accepted(RequestLog.key(0, event('three', 'f')), { id: 'b' });
	expect(earlier('8')).toMatchObject({ answer: { id: 'b' } });
});

test.each([
	['of the node at the same moment', 1, 'Tool'],
	['of another tool at the same moment', 0, 'Other Tool'],
	['with the same index', 0, 'Tool'],
])('no run loses what it has stored to a run %s', (_which, runIndex, node) => {
	const [context, flow]: IDataObject[] = [{}, {}];
	const otherContext = node === 'Tool' ? context : {};
	const run = new RequestLog(context, 0, '7', 'Tool', flow);
	const other = new RequestLog(otherContext, runIndex, '7', node, flow);
	run.sending(keyOf('one', 0), { once: true });
	other.sending(keyOf('two', 1), { once: true });
	expect(new RequestLog(context, 0, '7', 'Tool', flow).recall(keyOf('one', 0))).toMatchObject(unknown);
	expect(new RequestLog(otherContext, runIndex, '7', node, flow).recall(keyOf('two', 1))).toMatchObject(unknown);
	const later = new RequestLog({}, 0, '7', 'Later', flow);
	expect([later.recall(keyOf('one', 0)), later.recall(keyOf('two', 1))]).toEqual([{}, {}]);
	other.accepted(keyOf('two', 1), { id: 'a' });
	other.clear();
	expect(later.recall(keyOf('one', 0))).toEqual({});
});

test('a run that has nothing to remember leaves nothing in the execution', () => {
	const { context, run } = sent(0, { once: true });
	run.sending(keyOf('Visit', 4), { once: true });
	run.accepted(key, {});
	expect(Object.keys(context.unknownRequests as object)).toHaveLength(1);
	run.refused(keyOf('Visit', 4));
	run.clear();
	expect(context).toEqual({});
	new RequestLog(context, 1).keepForRetry();
	expect(context).toEqual({});
});

test('a fact about an item is known to the next attempt of the run, not to other items, other runs or after the end', () => {
	const { context, run } = sent();
	run.mark(3, 'published');
	const isMarked = (runIndex: number, item: number, fact: string) =>
		new RequestLog(context, runIndex).isMarked(item, fact);
	expect([isMarked(0, 3, 'published'), isMarked(0, 3, 'other'), isMarked(0, 4, 'published')]).toEqual([
		true,
		false,
		false,
	]);
	expect(isMarked(1, 3, 'published')).toBe(false);
	run.keepForRetry();
	expect(isMarked(1, 3, 'published')).toBe(true);
	run.clear();
	expect(isMarked(0, 3, 'published')).toBe(false);
});

test.each(['text', 7, []])('a context that holds %j by the name of the records is overwritten', (held) => {
	const context = { sentRequests: held, unknownRequests: held } as IDataObject;
	new RequestLog(context, 0).sending(key, { once: true });
	expect(new RequestLog(context, 0).recall(key)).toMatchObject(unknown);
	expect(new RequestLog(context, 1).recall(key)).toEqual({});
});

test('what is stored does not grow with every round of a long loop', () => {
	const context: IDataObject = {};
	for (let round = 0; round < 500; round++) {
		new RequestLog(context, round).sending(key);
	}
	expect(Object.keys(context.sentRequests as object).length).toBeLessThanOrEqual(11);
});
