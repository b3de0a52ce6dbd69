import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/service/request.ts';
import { readCalls } from '../../../../nodes/VoiceAgentCalling/waiting/readCalls.ts';

const call = (id: string, status = 'completed'): IDataObject => ({ id, status, duration: 30 });
const awaited = (...ids: string[]) => ids.map((id, item) => ({ item, id, owner: 'agent' }));

/** A service that lists these pages of calls. */
function listing(pages: IDataObject[][]) {
	const requests: ServiceRequest[] = [];
	const send = async (request: ServiceRequest): Promise<IDataObject> => {
		requests.push(request);
		return { data: pages[Number(request.query?.page) - 1], pagination: { last_page: pages.length } };
	};
	return { requests, send };
}

test('every outcome is found when a call placed meanwhile moves one to the next page a second time', async () => {
	const { send } = listing([[call('a'), call('b')], [call('b'), call('c')], [call('d')]]);
	const outcomes = await readCalls(send, 'agentId', awaited('a', 'b', 'c', 'd'), Date.now());
	expect([...outcomes.keys()]).toEqual([0, 1, 2, 3]);
});

test("an agent's calls are listed page by page from the day before the first one, until all are found", async () => {
	const { send, requests } = listing([[call('x')], [call('b', 'busy'), call('a', 'ringing')], [call('y')]]);
	const outcomes = await readCalls(send, 'agentId', awaited('a', 'b'), Date.UTC(2030, 0, 1, 0, 30));
	expect(outcomes).toEqual(new Map([[1, { outcome: 'busy', status: 'busy', duration: 30 }]]));
	expect(requests).toEqual(
		[1, 2].map((page) => ({
			method: 'GET',
			path: ['agents', 'agent', 'calls'],
			query: { date_from: '2029-12-31', page, per_page: 100 },
			codes: { 404: 'AGENT_NOT_FOUND' },
		})),
	);
});

test('a call that is nowhere has no outcome', async () => {
	const { send, requests } = listing([[call('x')], [call('y')]]);
	expect(await readCalls(send, 'agentId', awaited('a'), 0)).toEqual(new Map());
	expect(requests).toHaveLength(2);
});

test('the calls of several agents are listed by agent', async () => {
	const { send, requests } = listing([[call('a'), call('b')], [call('x')]]);
	const calls = ['one', 'two'].map((owner, item) => ({ item, id: 'ab'[item], owner }));
	expect([...(await readCalls(send, 'agentId', calls, 0)).keys()]).toEqual([0, 1]);
	expect(requests.map(({ path }) => path[1])).toEqual(['one', 'two']);
});

test("a campaign's calls come with the campaign; a call that is not awaited is left out", async () => {
	const requests: ServiceRequest[] = [];
	const send = async (request: ServiceRequest) => {
		requests.push(request);
		return { data: { calls: [null, call('x'), { id: 7, status: 'failed' }, call('a', 'busy')] } };
	};
	const outcomes = await readCalls(send as never, 'campaignId', awaited('7', 'a'), 0);
	// The service tries a busy number of a campaign again.
	expect(outcomes).toEqual(new Map([[0, { outcome: 'failed', status: 'failed' }]]));
	expect(requests).toEqual([{ method: 'GET', path: ['campaigns', 'agent'], codes: { 404: 'CAMPAIGN_NOT_FOUND' } }]);
});

test.each([{}, { data: [] }, { data: {} }, { data: { calls: 'none' } }])(
	'a campaign without a list of calls is an error: %j',
	async (body) => {
		await expect(readCalls(async () => body, 'campaignId', awaited('a'), 0)).rejects.toMatchObject({
			code: 'UNREADABLE_ANSWER',
			message: expect.stringContaining('The service reported success, but without'),
		});
	},
);
