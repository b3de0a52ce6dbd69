import { startReceiver } from '../../receiver.mts';
import { byId, type Service, startService, until } from '../../service.mts';
import { runMixed } from './mixedItems.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const three = [{ n: 1 }, { n: 2 }, { n: 3 }];

describe('Webhook of a campaign', () => {
	const create = (more = {}) => ({
		resource: 'webhook',
		operation: 'create',
		campaign: byId(service.seed.campaigns.active),
		name: '={{ "Hook " + $json.n }}',
		webhookUrl: '={{ "https://example.com/" + $json.n }}',
		...more,
	});

	test('Get and Get Many show no token with which an execution can be resumed', async () => {
		const at = 'http://127.0.0.1:5678/webhook-waiting/';
		const waiting = { webhookUrl: `=${at}{{ $json.n }}/node?signature=token-{{ $json.n }}&campaign=1` };
		const { outputs } = await service.run(create({ events: ['campaign.completed'], ...waiting }), three);
		const campaign = byId(service.seed.campaigns.active);
		const webhook = byId(String(outputs[0]?.[0]?.json.id));
		const resource = 'webhook';
		const many = await service.run({ resource, operation: 'getAll', campaign, returnAll: true });
		const one = await service.run({ resource, operation: 'get', campaign, webhook });
		expect(many.outputs[0]).toHaveLength(3);
		expect(JSON.stringify([many.outputs, one.outputs])).not.toContain('token-');
		expect(one.outputs[0]?.[0]?.json).toMatchObject({ webhook_url: `${at}1/node` });
	});

	test.each([
		['as the panel of the trigger shows it', ''],
		['with other parameters', '?utm_source=x'],
		['with a question mark', '?'],
	])('Update of the URL of a trigger, %s, keeps what the URL says of the secret', async (_what, end) => {
		const query = `?campaign=${service.seed.campaigns.active}&g=1764100000000&f=1764000000000`;
		const path = '/webhook/11111111-2222-3333-4444-5555555555aa/webhook';
		const webhookUrl = `https://former.example${path}${query}`;
		const made = await service.run(create({ events: ['campaign.completed'], webhookUrl }), [{ n: 1 }]);
		const id = String(made.outputs[0]?.[0]?.json.id);
		const updated = async (to: string) => {
			const operation = { resource: 'webhook', operation: 'update', campaign: byId(service.seed.campaigns.active) };
			await service.run({ ...operation, webhook: byId(id), updateFields: { webhookUrl: to } });
			return (await service.storedWebhooks()).find((webhook) => webhook.id === id)?.webhook_url;
		};
		expect(await updated(`https://n8n.example${path}${end}`)).toBe(`https://n8n.example${path}${query}`);
		const another = `https://n8n.example${path.replace('aa/', 'bb/')}`;
		expect(await updated(another)).toBe(another);
	});

	test('Update changes only what it names: every other setting stays as it is stored', async () => {
		const options = {
			includeCallEvents: true,
			deliveryMethod: 'PUT',
			deliveryTimeout: 5,
			deliveryRetries: 10,
			authorizationScheme: 'bearer',
			signingSecret: ['s', 'ecret'].join(''),
			extraHeaders: { values: [{ name: 'X-One', value: '1' }] },
			payloadTemplates: '{"campaign.paused":{"a":"{{campaign.id}}"}}',
		};
		await service.run(create({ events: ['campaign.paused'], options }), three);
		const before = await service.storedWebhooks();
		const changes: Array<[Record<string, string | number>, object]> = [
			[{ name: 'Renamed' }, { name: 'Renamed' }],
			[{ deliveryTimeout: 9 }, { timeout: 9 }],
			[{ authorizationScheme: 'none' }, { authorization_scheme: 'none' }],
			[{ payloadTemplates: '{}' }, { payload_templates: {} }],
		];
		for (const [updateFields, changed] of changes) {
			const [{ id }] = before as [{ id: string }];
			await service.run({
				resource: 'webhook',
				operation: 'update',
				campaign: byId(service.seed.campaigns.active),
				webhook: byId(id),
				updateFields,
			});
			const [now, ...others] = await service.storedWebhooks();
			expect(now).toEqual({ ...before[0], ...changed, updated: expect.any(Number) });
			expect(others).toEqual(before.slice(1));
			Object.assign(before[0] ?? {}, changed);
		}
	});

	test('Create registers a webhook for each item with all settings', async () => {
		const secret = ['s', 'ecret'].join('');
		const options = {
			additionalEvents: 'campaign.started, campaign.paused',
			includeCallEvents: true,
			deliveryMethod: 'PUT',
			deliveryTimeout: 5,
			deliveryRetries: 10,
			enabled: false,
			authorizationScheme: 'bearer',
			signingSecret: secret,
			extraHeaders: { values: [{ name: 'X-One', value: '1' }] },
			payloadTemplates: '{"campaign.paused":{"a":"{{campaign.id}}"}}',
		};
		const { outputs } = await service.run(create({ events: ['campaign.paused'], options }), three);
		expect((await service.requests('POST')).map(({ path, body }) => [path, body])).toEqualInAnyOrder(
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
		expect(outputs[0]).toMatchObject(
			three.map(({ n }, item) => ({ json: { name: `Hook ${n}`, id: expect.any(String) }, pairedItem: { item } })),
		);
		expect(JSON.stringify(outputs)).not.toContain(secret);
	});

	test('Create is not retried when the response is lost, since that would create a second webhook', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { run, tries } = await service.run(create(), three, { node });
		expect(run.error?.message).toContain('Outcome unknown');
		expect(tries).toBe(3);
		const names = (await service.webhooks(service.seed.campaigns.active)).map(({ name }) => name);
		expect(names.sort()).toEqual(['Hook 1', 'Hook 2', 'Hook 3']);
	});

	test('Delete is retried, and a webhook that is already gone counts as deleted', async () => {
		const created = (await service.run(create(), three)).outputs[0] ?? [];
		await service.fault({ match: { method: 'DELETE' }, kind: 'drop-after' });
		const remove = {
			resource: 'webhook',
			operation: 'delete',
			campaign: byId(service.seed.campaigns.active),
			webhook: byId('={{ $json.id }}'),
		};
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { run, outputs } = await service.run(
			remove,
			created.map(({ json }) => ({ id: json.id })),
			{ node },
		);
		expect(run.status).toBe('success');
		expect(outputs[0]?.map(({ json }) => json)).toEqual([{ deleted: true }, { deleted: true }, { deleted: true }]);
		expect(await service.webhooks(service.seed.campaigns.active)).toEqual([]);
	});

	test.each([
		['name', { name: 'x'.repeat(256) }],
		['address', { webhookUrl: `https://example.com/${'x'.repeat(500)}` }],
		['events', { events: '={{ [] }}' }],
		['timeout', { options: { deliveryTimeout: 121 } }],
		['retries', { options: { deliveryRetries: 11 } }],
		['secret', { options: { signingSecret: 'x'.repeat(256) } }],
	])('Create checks the limit of the %s without a request', async (_name, more) => {
		const { run } = await service.run(create(more), three);
		expect(run.status).toBe('error');
		expect(await service.requests()).toEqual([]);
	});

	test('Update can enable the events within calls', async () => {
		const id = String((await service.run(create(), [{ n: 1 }])).outputs[0]?.[0]?.json.id);
		const { active } = service.seed.campaigns;
		const update = {
			resource: 'webhook',
			operation: 'update',
			campaign: byId(active),
			webhook: byId(id),
			updateFields: { includeCallEvents: true },
		};
		expect((await service.run(update)).outputs[0]).toMatchObject([{ json: { id, include_call_events: true } }]);
		expect((await service.requests('PUT')).map(({ body }) => body)).toEqual([{ include_call_events: true }]);
	});

	test('Test sends an event to the webhook of each item, and does not wait for the response', async () => {
		const receiver = await startReceiver();
		const ids = ((await service.run(create({ webhookUrl: `${receiver}/200` }), three)).outputs[0] ?? []).map(
			({ json }) => String(json.id),
		);
		const parameters = {
			resource: 'webhook',
			operation: 'test',
			campaign: byId(service.seed.campaigns.active),
			webhook: byId('={{ $json.id }}'),
		};
		const { good, requests } = await runMixed(service, parameters, {
			good: ids.map((id) => ({ id })),
			refused: { id: '00000000-0000-4000-8000-000000000000' },
			wrong: { id: '' },
			code: 'NOT_FOUND',
		});
		expect(good).toEqual(ids.map(() => [{ dispatched: true, message: expect.any(String) }]));
		expect(requests).toHaveLength(4);
		await until(async () => (await service.deliveries()).length === 3);
	});
});
