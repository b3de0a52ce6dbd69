import type { IDataObject } from 'n8n-workflow';

import { readCalls } from '../../../../nodes/VoiceAgentCalling/waiting/readCalls.ts';

test('every outcome is found when a call placed meanwhile moves one to the next page a second time', async () => {
	const call = (id: string): IDataObject => ({ id, status: 'completed', duration: 30 });
	const pages = [[call('a'), call('b')], [call('b'), call('c')], [call('d')]];
	const awaited = ['a', 'b', 'c', 'd'].map((id, item) => ({ item, id, owner: 'agent' }));
	const outcomes = await readCalls(
		async ({ query }) => ({
			data: pages[Number(query?.page) - 1],
			pagination: { total: 5, per_page: 2, last_page: 3 },
		}),
		'agentId',
		awaited,
		Date.now(),
	);
	expect([...outcomes.keys()]).toEqual([0, 1, 2, 3]);
});
