import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { readDeliveries } from '../../../../nodes/VoiceAgentCalling/waiting/deliveryLogs.ts';

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
	['that has what is looked for', { pages: [[entry('a')], [entry('b')]], enough: 1 }, 1],
	['if nothing is looked for', { pages: [[entry('a')]], enough: 0 }, 0],
	['that does not show what was sent', { pages: [[{ id: 1 }], [entry('a')]] }, 1],
	['that shows nothing', { pages: [[], [entry('a')]] }, 1],
	[
		'with an entry from more than a minute before the first call: the clocks may differ',
		{ pages: [[entry('x'), entry('x', { created_at: at(-61) }), entry('x')], [entry('a')]] },
		1,
	],
	['the last one', { pages: [[entry('x', { created_at: at(-60) })], [entry('x', { created_at: 'x' })]] }, 2],
	['the twentieth', { pages: Array.from({ length: 30 }, () => [entry('x'), { id: 1 }]) }, 20],
])('It is read no further than the page %s', async (_what, read, count) => {
	expect((await readLog(read)).count).toBe(count);
});
