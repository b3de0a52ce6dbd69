import { byId, useService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

const service = useService();
let iris: string;
beforeEach(async () => {
	const { body } = await service.api('GET', 'agents?search=Iris');
	iris = (body.data as Array<{ id: string }>)[0]!.id;
});

const nobody = '00000000-0000-4000-8000-000000000000';
const operation = (name: string, more = {}) => ({ resource: 'agent', operation: name, ...more });

describe('Agent', () => {
	test('Set Callback Sources gives the role, then replaces the sources; Get Callback Agents lists them', async () => {
		const { published } = service.seed.agents;
		const { body } = await service.api('GET', 'callback-agents/source-agents');
		const [, other] = body.data as Array<{ id: string }>;
		const set = operation('setCallbackSources', {
			agent: byId('={{ $json.id }}'),
			sourceAgents: '={{ $json.sources }}',
		});
		const changes = async (items: Array<Record<string, unknown>>, expected: Array<Record<string, unknown>>) =>
			(await expectItems(service, set, items, expected)).filter(([method]) => method !== 'GET');
		const sources = [published];
		const asked = { source_agent_ids: sources };
		const items = [...[iris, published, nobody].map((id) => ({ id, sources })), { id: iris, sources: [] }];
		const sent = await changes(items, [
			{ id: iris, name: 'Iris', callback_config: asked },
			failed('INVALID_AGENT_DIRECTION', { httpStatus: 422 }),
			failed('AGENT_NOT_FOUND'),
			failed('INVALID_INPUT'),
		]);
		expect(sent).toEqualInAnyOrder([iris, published, nobody].map((id) => ['POST', `agents/${id}/callback`, asked]));
		const replaced = { source_agent_ids: [other?.id] };
		expect(await changes([{ id: iris, sources: other?.id }], [{ callback_config: replaced }])).toEqual([
			['PUT', `agents/${iris}/callback`, replaced],
		]);
		const listed = { id: iris, label: 'Switchboard, takes calls', callback_config: replaced };
		const all = operation('getCallbackAgents', { returnAll: true });
		await expectItems(service, all, [{}, {}, {}], [listed, listed, listed]);
	});

	test('Set Callback Sources changes nothing if it cannot be read who has the role', async () => {
		const { published } = service.seed.agents;
		const match = { path: '/api/v1/callback-agents' };
		await service.fault({ match, kind: 'status', status: 200, body: {}, times: 9 });
		const set = operation('setCallbackSources', { agent: byId('={{ $json.id }}'), sourceAgents: [published] });
		const items = [iris, nobody, published].map((id) => ({ id }));
		const sent = await expectItems(service, set, items, Array(3).fill(failed('UNREADABLE_ANSWER')));
		expect(sent.filter(([method]) => method !== 'GET')).toEqual([]);
	});
});
