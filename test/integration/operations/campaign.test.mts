import { byId, startService } from '../service.mts';
import type { Service } from '../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const three = [{ n: 1 }, { n: 2 }, { n: 3 }];

describe('Campaign', () => {
	test('Get reads each item’s campaign', async () => {
		const { active, draft, paused } = service.seed.campaigns;
		const ids = [active, draft, paused];
		const parameters = { resource: 'campaign', operation: 'get', campaign: byId('={{ $json.id }}') };
		const { outputs } = await service.run(parameters, ids.map((id) => ({ id })));
		expect(outputs[0]).toMatchObject(ids.map((id, item) => ({ json: { id }, pairedItem: { item } })));
		expect(outputs[0]?.[0]?.json).toMatchObject({ calls: [], files: [], stats: { total_calls: 0 } });
		expect(await service.requests('GET', '/campaigns/')).toMatchObject(ids.map((id) => ({ path: `/api/v1/campaigns/${id}`, query: {} })));
	});

	test('Set Status moves a campaign, and gives it back unchanged where it is there already', async () => {
		const { active, draft, paused } = service.seed.campaigns;
		const items = [active, paused, draft].map((id, index) => ({ id, status: ['paused', 'paused', 'active'][index] }));
		const parameters = { resource: 'campaign', operation: 'setStatus', campaign: byId('={{ $json.id }}'), status: '={{ $json.status }}' };
		const { outputs } = await service.run(parameters, items);
		expect(outputs[0]).toMatchObject(
			items.map(({ id, status }, item) => ({ json: { id, status, changed: item !== 1 }, pairedItem: { item } })),
		);
		expect((await service.requests('PATCH')).map(({ path, body }) => [path, body])).toEqual(
			items.map(({ id, status }) => [`/api/v1/campaigns/${id}/status`, { status }]),
		);
	});

	test('Set Status says which moves are possible when one is not', async () => {
		const parameters = { resource: 'campaign', operation: 'setStatus', campaign: byId(service.seed.campaigns.cancelled), status: 'active' };
		const { run } = await service.run(parameters, three, { node: { onError: 'stopWorkflow' } });
		expect(run.error).toMatchObject({ description: expect.stringContaining('final') });
	});

	test('Get Many gives all that match, once for each input item', async () => {
		const filters = { status: '={{ $json.status }}', campaignType: 'sales', search: 'Berlin' };
		const parameters = { resource: 'campaign', operation: 'getAll', returnAll: true, filters };
		const statuses = ['active', 'draft', 'paused'];
		const { outputs } = await service.run(parameters, statuses.map((status) => ({ status })));
		const requests = await service.requests('GET', '/campaigns');
		const query = { campaign_type: 'sales', search: 'Berlin', page: '1', per_page: '100' };
		expect(requests.map((request) => request.query)).toEqual(statuses.map((status) => ({ ...query, status })));
		for (const [item, status] of statuses.entries()) {
			const { body } = await service.api('GET', `campaigns?status=${status}&campaign_type=sales&search=Berlin&per_page=100`);
			const own = outputs[0]?.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item);
			expect(own?.map(({ json }) => json)).toEqual(body.data);
		}
		expect(outputs[0]?.map(({ json }) => json.id)).toContain(service.seed.campaigns.active);
	});
});
