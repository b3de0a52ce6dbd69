import { byId, startService } from '../service.mts';
import type { Service } from '../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const three = [{ n: 1 }, { n: 2 }, { n: 3 }];
const links = (...indexes: number[]) => indexes.map((item) => ({ item }));

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
