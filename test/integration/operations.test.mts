import { byId, startService } from './service.mts';
import type { Service } from './service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const three = [{ n: 1 }, { n: 2 }, { n: 3 }];
const links = (...indexes: number[]) => indexes.map((item) => ({ item }));

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

describe('Get Many reads page after page', () => {
	const agents = 120;
	/** The agents of an account that is larger than a page. */
	const pages = (all: number) => async (body: { page: number; per_page: number }) => {
		const from = (body.page - 1) * body.per_page;
		const data = Array.from({ length: Math.min(body.per_page, all - from) }, (_, index) => ({ id: `agent-${from + index}` }));
		return { success: true, data, meta: { current_page: body.page, per_page: body.per_page, total: all, last_page: Math.ceil(all / body.per_page) } };
	};
	const answer = async (page: number, perPage: number) =>
		await service.fault({ match: { method: 'GET', path: '/api/v1/agents' }, kind: 'status', status: 200, body: await pages(agents)({ page, per_page: perPage }) });
	const parameters = (more: object) => ({ resource: 'agent', operation: 'getAll', ...more });

	test('until the last one', async () => {
		await answer(1, 100);
		await answer(2, 100);
		const { outputs } = await service.run(parameters({ returnAll: true }));
		expect(outputs[0]?.map(({ json }) => json.id)).toEqual(Array.from({ length: agents }, (_, index) => `agent-${index}`));
		expect(new Set(outputs[0]?.map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(new Set(['{"item":0}']));
		expect((await service.requests('GET')).map(({ query }) => query)).toEqual([{ page: '1', per_page: '100' }, { page: '2', per_page: '100' }]);
	});

	test('until the limit, without asking for more', async () => {
		await answer(1, 100);
		await answer(2, 100);
		const { outputs } = await service.run(parameters({ limit: 101 }));
		expect(outputs[0]).toHaveLength(101);
		await service.reset();
		await answer(1, 7);
		expect((await service.run(parameters({ limit: 7 }))).outputs[0]).toHaveLength(7);
		expect((await service.requests('GET')).map(({ query }) => query)).toEqual([{ page: '1', per_page: '7' }]);
	});

	test.each([0, -5, 'many', 2.5])('a limit of %s costs no request', async (limit) => {
		const { run } = await service.run(parameters({ limit }));
		expect(run.status).toBe('error');
		expect(await service.requests()).toEqual([]);
	});
});

describe('Agent', () => {
	test('Get Many asks for what the filters say', async () => {
		const filters = { direction: 'outbound', status: '={{ $json.status }}', search: '' };
		const parameters = { resource: 'agent', operation: 'getAll', filters };
		const { outputs } = await service.run(parameters, [{ status: 'published' }, { status: 'draft' }, { status: 'published' }]);
		const ids = outputs[0]?.map(({ json, pairedItem }) => [json.id, pairedItem]);
		expect(ids).toContainEqual([service.seed.agents.published, { item: 0 }]);
		expect(ids).toContainEqual([service.seed.agents.draft, { item: 1 }]);
		expect((await service.requests('GET')).map(({ query }) => [query.status, query.direction])).toEqual([
			['published', 'outbound'],
			['draft', 'outbound'],
			['published', 'outbound'],
		]);
	});
});

describe('Campaign Webhook', () => {
	const create = (more = {}) => ({
		resource: 'campaignWebhook',
		operation: 'create',
		campaign: byId(service.seed.campaigns.active),
		name: '={{ "Hook " + $json.n }}',
		webhookUrl: '={{ "https://example.com/" + $json.n }}',
		...more,
	});

	test('Create registers one for each item, with all that was set', async () => {
		const secret = ['s', 'ecret'].join('');
		const options = {
			deliveryMethod: 'PUT',
			deliveryTimeout: 5,
			deliveryRetries: 10,
			enabled: false,
			authorizationScheme: 'bearer',
			signingSecret: secret,
			extraHeaders: { values: [{ name: 'X-One', value: '1' }] },
			payloadTemplates: '{"campaign.paused":{"a":"{{campaign.id}}"}}',
		};
		const { outputs } = await service.run(create({ events: ['campaign.paused'], additionalEvents: 'campaign.started, campaign.paused', includeCallEvents: true, options }), three);
		expect((await service.requests('POST')).map(({ path, body }) => [path, body])).toEqual(
			three.map(({ n }) => [
				`/api/v1/campaigns/${service.seed.campaigns.active}/webhooks`,
				{
					name: `Hook ${n}`,
					webhook_url: `https://example.com/${n}`,
					events: ['campaign.paused', 'campaign.started'],
					include_call_events: true,
					http_method: 'PUT',
					timeout: 5,
					max_retries: 10,
					enabled: false,
					authorization_scheme: 'bearer',
					webhook_secret: secret,
					custom_headers: [{ key: 'X-One', value: '1' }],
					payload_templates: { 'campaign.paused': { a: '{{campaign.id}}' } },
				},
			]),
		);
		expect(outputs[0]).toMatchObject(three.map(({ n }, item) => ({ json: { name: `Hook ${n}`, id: expect.any(String) }, pairedItem: { item } })));
		expect(JSON.stringify(outputs)).not.toContain(secret);
	});

	test('Create is not sent again when its answer is lost: it would make a second one', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { run, tries } = await service.run(create(), three, { node });
		expect(run.error?.message).toContain('Outcome unknown');
		expect(tries).toBe(3);
		const names = (await service.webhooks(service.seed.campaigns.active)).map(({ name }) => name);
		expect(names.sort()).toEqual(['Hook 1', 'Hook 2', 'Hook 3']);
	});

	test('Delete may be sent again: what is gone already counts as deleted', async () => {
		const created = (await service.run(create(), three)).outputs[0] ?? [];
		await service.fault({ match: { method: 'DELETE' }, kind: 'drop-after' });
		const remove = { resource: 'campaignWebhook', operation: 'delete', campaign: byId(service.seed.campaigns.active), campaignWebhook: byId('={{ $json.id }}') };
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { run, outputs } = await service.run(remove, created.map(({ json }) => ({ id: json.id })), { node });
		expect(run.status).toBe('success');
		expect(outputs[0]?.map(({ json }) => json)).toEqual([{ deleted: true }, { deleted: true }, { deleted: true }]);
		expect(await service.webhooks(service.seed.campaigns.active)).toEqual([]);
	});

	test.each([
		['name', { name: 'x'.repeat(256) }],
		['address', { webhookUrl: `https://example.com/${'x'.repeat(500)}` }],
		['events', { events: [] }],
		['timeout', { options: { deliveryTimeout: 121 } }],
		['retries', { options: { deliveryRetries: 11 } }],
		['secret', { options: { signingSecret: 'x'.repeat(256) } }],
	])('Create checks the limit of the %s and costs no request', async (_name, more) => {
		const { run } = await service.run(create(more), three);
		expect(run.status).toBe('error');
		expect(await service.requests()).toEqual([]);
	});

	test('Get Many lists them and Delete takes them away', async () => {
		const created = (await service.run(create(), three)).outputs[0] ?? [];
		const list = { resource: 'campaignWebhook', operation: 'getAll', campaign: byId(service.seed.campaigns.active), returnAll: true };
		expect((await service.run(list)).outputs[0]).toMatchObject(three.map(({ n }) => ({ json: { name: `Hook ${n}` }, pairedItem: { item: 0 } })));
		expect((await service.run({ ...list, returnAll: false, limit: 2 })).outputs[0]).toHaveLength(2);
		const remove = { ...list, operation: 'delete', campaignWebhook: byId('={{ $json.id }}') };
		const { outputs } = await service.run(remove, created.map(({ json }) => ({ id: json.id })));
		expect(outputs[0]).toEqual(links(0, 1, 2).map((pairedItem) => ({ json: { deleted: true }, pairedItem })));
		expect(await service.webhooks(service.seed.campaigns.active)).toEqual([]);
	});
});

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

describe('Service', () => {
	test('Check Health asks once for each item', async () => {
		const { outputs } = await service.run({ resource: 'service', operation: 'checkHealth' }, three);
		expect(outputs[0]).toMatchObject(links(0, 1, 2).map((pairedItem) => ({ json: { status: expect.any(String) }, pairedItem })));
		expect(await service.requests('GET', '/health')).toHaveLength(3);
	});
});
