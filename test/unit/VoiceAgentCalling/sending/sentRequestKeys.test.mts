import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/service/request.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';

const request: ServiceRequest = {
	method: 'POST',
	path: ['campaigns', 'c', 'call'],
	query: { dry: 1 },
	body: { to: '+12025550101' },
};
const key = SentRequests.key(3, request);

/** Remembers a request as sent. @returns the context of the node */
function sent(runIndex = 0, context: IDataObject = {}) {
	new SentRequests(context, runIndex).sending(key);
	return context;
}

describe('A request is another one', () => {
	test.each<[string, Partial<ServiceRequest>]>([
		['with another method', { method: 'PUT' }],
		['with another path', { path: ['campaigns', 'c', 'calls'] }],
		['with another query', { query: { dry: 2 } }],
		['with another number', { body: { to: '+12025550102' } }],
		['without a number', { body: {} }],
	])('%s', (_what, changes) => {
		const context = sent();
		expect(new SentRequests(context, 0).recall(SentRequests.key(3, { ...request, ...changes }))).toBeUndefined();
		expect(new SentRequests(context, 0).recall(key)).toBeDefined();
	});
});

test('A request with an identity of its own is another one than those with the same path, whatever its body is', () => {
	const upsert = (identity: string, name: string): ServiceRequest => ({
		method: 'POST',
		path: ['agents', 'a', 'actions'],
		body: { name },
		identity,
	});
	const context: IDataObject = {};
	new SentRequests(context, 0).sending(SentRequests.key(3, upsert('book', 'Book')));
	const again = new SentRequests(context, 0);
	expect(again.recall(SentRequests.key(3, upsert('notes', 'Book')))).toBeUndefined();
	expect(again.recall(SentRequests.key(3, upsert('book', 'Book a visit')))).toBeDefined();
});

test('A fact about an item is known to the next try of the run, not to other items, other runs or after the end', () => {
	const context: IDataObject = {};
	const first = new SentRequests(context, 0);
	first.mark(3, 'published');
	const next = new SentRequests(context, 0);
	expect([next.isMarked(3, 'published'), next.isMarked(3, 'other'), next.isMarked(4, 'published')]).toEqual([
		true,
		false,
		false,
	]);
	expect(new SentRequests(context, 1).isMarked(3, 'published')).toBe(false);
	next.markFailed();
	expect(new SentRequests(context, 1).isMarked(3, 'published')).toBe(true);
	next.forget();
	expect(new SentRequests(context, 0).isMarked(3, 'published')).toBe(false);
});

describe('A run', () => {
	test('forgets what n8n will not try again', () => {
		const context: IDataObject = {};
		const run = new SentRequests(context, 0);
		run.sending(key);
		expect([run.hasEarlier, new SentRequests(context, 0).hasEarlier]).toEqual([false, true]);
		run.forget();
		const next = new SentRequests(context, 0);
		expect([next.recall(key), next.hasEarlier]).toEqual([undefined, false]);
	});

	test('knows the items of its earlier tries and of failed runs', () => {
		const context = sent(1);
		const failed = new SentRequests(context, 1);
		failed.markFailed();
		const next = new SentRequests(context, 2);
		expect([...next.earlierItems]).toEqual([3]);
		expect(next.hasEarlier).toBe(true);
		// A try of the failed run itself makes it unfinished, and no longer one that failed.
		new SentRequests(context, 1);
		expect(new SentRequests(context, 2).recall(key)).toBeUndefined();
	});

	test.each([
		[9, true],
		[10, false],
	])('is remembered during the nine runs after it: run %i of them', (later, remembered) => {
		const context = sent();
		new SentRequests(context, later);
		expect(Object.keys(context.sentRequests as object).includes('0')).toBe(remembered);
	});

	test('starts with nothing if the context holds something else', () => {
		for (const sentRequests of [undefined, 'text', []]) {
			const context = { sentRequests } as IDataObject;
			expect(new SentRequests(context, 0).hasEarlier).toBe(false);
			expect(context.sentRequests).toEqual({ 0: { entries: {} } });
		}
	});
});

describe('What is stored of an answer', () => {
	const stored = (body: IDataObject) => {
		const run = new SentRequests({}, 0);
		run.accepted(key, body);
		return run.recall(key)?.answer;
	};

	test('are its IDs at any depth, and whether it is a success', () => {
		expect(
			stored({
				success: true,
				message: 'Queued',
				id: 'a',
				idea: 'b',
				campaign_id: 'c',
				campaign_call: { id: 'd', to: '+12025550101', agent: { agent_id: 'e', name: 'f' } },
				list: [{ id: 'g' }],
			}),
		).toEqual({ success: true, id: 'a', campaign_id: 'c', campaign_call: { id: 'd', agent: { agent_id: 'e' } } });
	});

	test('are the IDs of its body, if a refusal is the result', () => {
		const run = new SentRequests({}, 0);
		run.refusedFinally(key, 409, { message: 'Queued', data: { call_id: 'a' } });
		expect(run.recall(key)).toMatchObject({ refusal: { httpStatus: 409, body: { data: { call_id: 'a' } } } });
		expect(run.recall(key)?.refusal?.body).toEqual({ data: { call_id: 'a' } });
		expect(run.recall(key)).not.toHaveProperty('answer');
	});
});
