import { loadKeys } from '../../../../nodes/shared/keys.ts';
import { campaignTarget } from '../../../../nodes/VoiceAgentCalling/waiting/campaignTarget.ts';
import { WaitMemory } from '../../../../nodes/VoiceAgentCalling/waiting/memory.ts';
import { serviceRequests } from '../../../../nodes/VoiceAgentCalling/waiting/serviceRequests.ts';
import { doubleOfN8n } from '../../n8n.mts';

test('When the time is up, all campaigns are read, five at the same time', async () => {
	const ids = Array.from({ length: 12 }, (_, index) => `c${index}`);
	let inFlight = 0;
	let most = 0;
	const { caller, requests } = doubleOfN8n({
		service: async ({ url }) => {
			most = Math.max(most, ++inFlight);
			await new Promise((resolve) => setImmediate(resolve));
			inFlight--;
			return { body: { data: { id: url.split('/').at(-1), status: 'completed' } } };
		},
		expressions: { '{{ $input.all() }}': ids.map((id) => ({ json: { id, outcome: 'timedOut' } })) },
	});
	const campaigns = ids.map((id, index) => ({ id, webhookId: `w-${id}`, items: [index] }));
	const state = { run: 0, until: 0, hints: [], hintsAtEnd: [], campaigns };
	const sendRequest = serviceRequests(caller, { maxWaitSeconds: 1, endsAt: Number.POSITIVE_INFINITY });
	const keys = await loadKeys(caller);
	const target = campaignTarget({ caller, state, memory: new WaitMemory(), keys, sendRequest });
	expect([await target.poll(true), target.isComplete(), most]).toEqual([true, true, 5]);
	expect(requests.map(({ url }) => url.split('/').at(-1))).toEqual(ids);
});
