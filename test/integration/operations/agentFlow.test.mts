import { byId, startService } from '../service.mts';
import type { Service } from '../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

describe('Agent Flow', () => {
	test('Validate gives a verdict for each flow; a flow with mistakes is a result', async () => {
		const good = { initial_node_id: 'a', nodes: [{ id: 'a', type: 'say', content: 'Hi', next: 'b' }, { id: 'b', type: 'end' }] };
		const flows = [good, { ...good, initial_node_id: 'nowhere' }, { initial_node_id: 'a', nodes: [{ id: 'a', type: 'end' }, { id: 'a', type: 'end' }] }];
		const parameters = { resource: 'agentFlow', operation: 'validate', agent: byId(service.seed.agents.published), flow: '={{ $json.flow }}' };
		const { outputs } = await service.run(parameters, flows.map((flow) => ({ flow })));
		expect(outputs[0]).toMatchObject([
			{ json: { valid: true, errors: [] }, pairedItem: { item: 0 } },
			{ json: { valid: false, errors: expect.arrayContaining([expect.stringContaining('nowhere')]) }, pairedItem: { item: 1 } },
			{ json: { valid: false, errors: expect.arrayContaining([expect.stringContaining("'a'")]) }, pairedItem: { item: 2 } },
		]);
		expect((await service.requests('POST')).map(({ body }) => body)).toEqual(flows.map((flow_config) => ({ flow_config })));
	});
});
