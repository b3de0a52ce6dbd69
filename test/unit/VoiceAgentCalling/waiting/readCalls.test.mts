import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { withOutcome } from '../../../../nodes/VoiceAgentCalling/waiting/callOutcome.ts';
import { isListed, readCalls, readDeliveries } from '../../../../nodes/VoiceAgentCalling/waiting/readCalls.ts';

const call = (id: string, status = 'completed'): IDataObject => ({ id, status, duration: 30 });
const awaited = (...ids: string[]) => ids.map((id, item) => ({ item, id, owner: 'agent' }));

/** A service that answers with these bodies, by their page. */
function answering(...bodies: IDataObject[]) {
	const requests: ServiceRequest[] = [];
	const send = async (request: ServiceRequest): Promise<IDataObject> => {
		requests.push(request);
		return bodies[Number(request.query?.page ?? 1) - 1];
	};
	return { requests, send };
}

/** A service that lists these pages of calls. */
const listing = (...pages: IDataObject[][]) =>
	answering(...pages.map((data) => ({ data, pagination: { last_page: pages.length } })));

test('every outcome is found when a call placed meanwhile moves one to the next page a second time', async () => {
	const { send } = listing([call('a'), call('b')], [call('b'), call('c')], [call('d')]);
	const { outcomes } = await readCalls(send, 'agentId', awaited('a', 'b', 'c', 'd'), Date.now());
	expect([...outcomes.keys()]).toEqual([0, 1, 2, 3]);
});

test("an agent's calls are listed page by page from the day before the first one, until all are found", async () => {
	const { send, requests } = listing([call('x')], [call('b', 'busy'), call('a', 'ringing')], [call('y')]);
	const { outcomes } = await readCalls(send, 'agentId', awaited('a', 'b'), Date.UTC(2030, 0, 1, 0, 30));
	expect(outcomes).toEqual(new Map([[1, { outcome: 'busy', status: 'busy', duration: 30 }]]));
	const request = { method: 'GET', path: ['agents', 'agent', 'calls'], codes: { 404: 'AGENT_NOT_FOUND' } };
	const query = { date_from: '2029-12-31', per_page: 100 };
	expect(requests).toEqual([1, 2].map((page) => ({ ...request, query: { ...query, page } })));
	const nowhere = listing([call('x')], [call('y')]);
	expect(await readCalls(nowhere.send, 'agentId', awaited('a'), 0)).toEqual({ outcomes: new Map() });
	expect(nowhere.requests).toHaveLength(2);
});

test('the calls of several agents are listed by agent', async () => {
	const { send, requests } = listing([call('a'), call('b')], [call('x')]);
	const calls = ['one', 'two'].map((owner, item) => ({ item, id: 'ab'[item], owner }));
	expect([...(await readCalls(send, 'agentId', calls, 0)).outcomes.keys()]).toEqual([0, 1]);
	expect(requests.map(({ path }) => path[1])).toEqual(['one', 'two']);
});

test("a campaign's calls come with the campaign; a call that is not awaited is left out", async () => {
	const calls = [null, call('x'), { id: 7, status: 'failed' }, call('a', 'busy')];
	const { send, requests } = answering({ data: { calls } } as IDataObject);
	// The service tries a busy number of a campaign again.
	const failed = new Map([[0, { outcome: 'failed', status: 'failed' }]]);
	expect(await readCalls(send, 'campaignId', awaited('7', 'a'), 0)).toEqual({ outcomes: failed });
	expect(requests).toEqual([{ method: 'GET', path: ['campaigns', 'agent'], codes: { 404: 'CAMPAIGN_NOT_FOUND' } }]);
});

describe('Where all have to be over, reading ends', () => {
	test("with the first call of an agent that is not, of those that are awaited; the others' outcomes are known", async () => {
		const pages = [[call('x', 'ringing'), call('a')], [call('b', 'ringing'), call('c')], [call('d')]];
		const read = async (onlyIfAllAreOver: boolean) => {
			const { send, requests } = listing(...pages);
			const { outcomes } = await readCalls(send, 'agentId', awaited('a', 'b', 'c', 'd'), 0, { onlyIfAllAreOver });
			return [[...outcomes.keys()], requests.length];
		};
		expect([await read(true), await read(false)]).toEqual([
			[[0, 2], 2],
			[[0, 2, 3], 3],
		]);
	});

	test.each(['agentId', 'campaignId'] as const)('with the first owner that has such a call (%s)', async (field) => {
		const calls = ['one', 'two', 'two', 'three'].map((owner, item) => ({ item, id: 'abcd'[item], owner }));
		// One that is not awaited says nothing.
		const listed = [call('a'), call('b'), call('c', 'ringing'), call('d'), call('x', 'ringing')];
		const body = { data: field === 'agentId' ? listed : { calls: listed } } as IDataObject;
		const { send, requests } = answering(body);
		expect([...(await readCalls(send, field, calls, 0, { onlyIfAllAreOver: true })).outcomes.keys()]).toEqual([0, 1]);
		expect(requests.map(({ path }) => path[1])).toEqual(['one', 'two']);
	});
});

test('whether a call is listed is known from its page, or from the last one', async () => {
	const day = Date.UTC(2030, 0, 2);
	for (const [id, found, count] of [
		['7', true, 2],
		['a', true, 1],
		['x', false, 3],
	] as const) {
		const { send, requests } = listing([call('a'), call('b')], [{ id: 7 }], [call('c')]);
		expect([await isListed(send, 'agentId', { owner: 'o', id }, day), requests.length]).toEqual([found, count]);
		expect(requests[0]).toMatchObject({ path: ['agents', 'o', 'calls'], query: { date_from: '2030-01-01' } });
		const campaign = answering({ data: { calls: [{ id: 7 }, call('a')] } } as IDataObject);
		expect(await isListed(campaign.send, 'campaignId', { owner: 'o', id }, day)).toBe(found);
		expect(campaign.requests).toMatchObject([{ path: ['campaigns', 'o'] }]);
	}
});

test.each([{}, { data: [] }, { data: {} }, { data: { calls: 'none' } }])(
	'without calls, %j is an error',
	async (body) => {
		const { error } = await readCalls(answering(body).send, 'campaignId', awaited('a'), 0);
		expect(error).toMatchObject({ code: 'UNREADABLE_ANSWER' });
	},
);

test('The calls of a campaign that was deleted are over, and those of one that cannot be found are not', async () => {
	const refusedWith = (body: object) =>
		new ServiceError('No', { code: 'CAMPAIGN_NOT_FOUND', advice: '', accepted: 'no', httpStatus: 404, body });
	const read = async (body: object) =>
		await readCalls(() => Promise.reject(refusedWith(body)), 'campaignId', awaited('a', 'b'), 0);
	const deleted = await read({ success: false, message: 'Campaign not found' });
	expect([...deleted.outcomes.values()].map((outcome) => withOutcome({}, outcome))).toEqual(
		['a', 'b'].map(() => ({
			outcome: 'unknown',
			status: 'deleted',
			message: 'The campaign does not exist any more, so nobody can tell how the call ended.',
		})),
	);
	expect(await read({ message: 'no Route matched with those values' })).toMatchObject({
		outcomes: new Map(),
		error: { httpStatus: 404 },
	});
});

describe('If the calls of one of three agents cannot be read', () => {
	const refusedWith = (httpStatus: number) =>
		new ServiceError('No', { code: 'NOT_FOUND', advice: '', accepted: 'no', httpStatus, body: { success: false } });
	const gone = refusedWith(404);
	const down = refusedWith(500);
	const calls = ['one', 'two', 'three'].map((owner, item) => ({ item, id: 'abc'[item]!, owner }));
	/** A service that lists a call for each agent, with errors for some of them. */
	const read = async (errors: Record<string, ServiceError>, extent: object = {}) => {
		const send = async ({ path }: ServiceRequest): Promise<IDataObject> => {
			const error = errors[path[1]!];
			if (error !== undefined) {
				throw error;
			}
			return { data: calls.map(({ id }) => call(id)) };
		};
		const { outcomes, error } = await readCalls(send, 'agentId', calls, 0, extent);
		return [[...outcomes.keys()], error];
	};

	test('because the service refuses, those of the others are read', async () => {
		expect(await read({ one: gone })).toEqual([[1, 2], gone]);
	});

	test('because the service does not work, those of the others are read only if there is no other time', async () => {
		expect(await read({ two: down })).toEqual([[0], down]);
		expect(await read({ two: down }, { goesOnAfterErrors: true })).toEqual([[0, 2], down]);
	});

	test('the error says that it may be read later, if any of them does', async () => {
		expect(await read({ one: gone, two: down })).toEqual([[], down]);
	});
});

const since = Date.UTC(2026, 10, 21, 6);
/** A time before or after the first call was placed. */
const at = (seconds: number) => new Date(since + seconds * 1000).toISOString();
const entry = (call_id: string, more: IDataObject = {}): IDataObject => ({
	event: 'event_recording',
	created_at: at(0),
	request_payload: { call_id },
	...more,
});

interface Read {
	pages: IDataObject[][];
	callerIdField?: 'agentId' | 'campaignId';
	/** How many events are enough. */
	enough?: number;
}

/** Reads the log of a webhook for the calls `a` and `b`. @returns the requests, and the calls and kinds of the events */
async function readLog({ pages, callerIdField = 'agentId', enough = Number.POSITIVE_INFINITY }: Read) {
	const requests: ServiceRequest[] = [];
	const events: string[] = [];
	await readDeliveries(
		async (request) => {
			requests.push(request);
			const data = pages[Number(request.query?.page) - 1];
			return { data, pagination: { last_page: pages.length } };
		},
		callerIdField,
		{ owner: 'owner-1', webhook: 'w-1' },
		{ calls: ['a', 'b'].map((id, item) => ({ item, id, owner: 'owner-1' })), since },
		{
			isDone: () => events.length >= enough,
			onEvent: ({ item }, { type }) => void events.push(`${item} ${type}`),
		},
	);
	return { requests, events, count: requests.length };
}

test.each([
	['agentId', 'agents'],
	['campaignId', 'campaigns'],
] as const)('The log of a webhook is read page by page (%s)', async (callerIdField, owners) => {
	const { requests, events } = await readLog({ callerIdField, pages: [[entry('a')], [entry('b')]] });
	const path = [owners, 'owner-1', 'webhooks', 'w-1', 'logs'];
	expect(requests).toEqual([1, 2].map((page) => ({ method: 'GET', path, query: { page, per_page: 100 } })));
	expect(events).toEqual(['0 event_recording', '1 event_recording']);
});

test('Its events have the kind that the body says, or the entry; those of other calls, and without what was sent, are left out', async () => {
	const { events } = await readLog({
		pages: [
			[
				entry('b', { request_payload: { call_id: 'b', event: 'event_call_report' } }),
				entry('x'),
				entry('', { request_payload: {} }),
				{ event: 'event_recording', call_id: 'a' },
				entry('a', { request_payload: '{"call_id":"a"}' }),
				entry('a'),
			],
		],
	});
	expect(events).toEqual(['1 event_call_report', '0 event_recording']);
});

test.each<[string, Read, number]>([
	['after a page that has what is looked for', { pages: [[entry('a')], [entry('b')]], enough: 1 }, 1],
	['before the first page if nothing is looked for', { pages: [[entry('a')]], enough: 0 }, 0],
	['after a page that does not show what was sent', { pages: [[{ id: 1 }], [entry('a')]] }, 1],
	['after a page that shows nothing', { pages: [[], [entry('a')]] }, 1],
	[
		'after a page with an entry from more than a minute before the first call: the clocks may differ',
		{ pages: [[entry('x'), entry('x', { created_at: at(-61) }), entry('x')], [entry('a')]] },
		1,
	],
	['after the last page', { pages: [[entry('x', { created_at: at(-60) })], [entry('x', { created_at: 'x' })]] }, 2],
	['after page 20', { pages: Array.from({ length: 30 }, () => [entry('x'), { id: 1 }]) }, 20],
])('Reading the log stops %s', async (_what, read, count) => {
	expect((await readLog(read)).count).toBe(count);
});
