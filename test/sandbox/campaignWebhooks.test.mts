import { ALL_EVENTS, list, startService, text, webhookOn, type Service } from './helpers.mts';

describe('campaign webhooks', () => {
	let service: Service;
	let path: string;
	beforeAll(async () => {
		service = await startService();
		path = `/campaigns/${service.seed.campaigns.active}/webhooks`;
	});
	afterAll(() => service.close());

	const minimal = { name: 'Hook', webhook_url: 'https://example.com/hook', events: ['campaign.started'] };

	it('are created with the defaults and never show their secret', async () => {
		const { status, data } = await service.api('POST', path, { ...minimal, webhook_secret: 'hidden' });
		expect(status).toBe(201);
		const id = data.data.id;
		expect(data).toEqual({
			success: true,
			data: {
				id,
				campaign_id: service.seed.campaigns.active,
				name: 'Hook',
				events: ['campaign.started'],
				enabled: true,
				include_call_events: false,
				created_at: expect.any(String),
			},
		});
		const one = await service.api('GET', `${path}/${text(id)}`);
		expect(one.data.data).toEqual({
			...data.data,
			webhook_url: minimal.webhook_url,
			timeout: 30,
			max_retries: 3,
		});
		const all = await service.api('GET', path);
		expect(all.data.data.available_events).toEqual(ALL_EVENTS);
		expect(list(all.data.data.webhooks)).toHaveLength(1);
		expect(JSON.stringify([data, one.data, all.data])).not.toContain('hidden');
	});

	it.each<[string, unknown, string?]>([
		['name', undefined],
		['name', 'x'.repeat(256)],
		['webhook_url', undefined],
		['webhook_url', 'not a url'],
		['webhook_url', 'ftp://example.com'],
		['webhook_url', `https://example.com/${'x'.repeat(500)}`],
		['events', undefined],
		['events', []],
		['events', ['campaign.exploded'], 'events.0'],
		['webhook_secret', 'x'.repeat(256)],
		['timeout', 4],
		['timeout', 121],
		['max_retries', -1],
		['max_retries', 11],
		['http_method', 'GET'],
		['authorization_scheme', 'digest'],
		['custom_headers', { key: 'a', value: 'b' }],
		['custom_headers', [{ key: 'a b', value: 'c' }], 'custom_headers.0.key'],
		['custom_headers', [{ key: 'a', value: 'b\nc' }], 'custom_headers.0.value'],
		['payload_templates', []],
		['payload_templates', { 'campaign.started': 'text' }, 'payload_templates.campaign.started'],
		['include_call_events', 1],
		['enabled', 'true'],
	])('are refused with %s %j, on creation and on update', async (field, value, key = field) => {
		const { status, data } = await service.api('POST', path, { ...minimal, [field]: value });
		expect([status, data.success, Object.keys(data.errors)]).toEqual([422, false, [key]]);
		if (value === undefined) return;
		const id = await webhookOn(service, service.seed.campaigns.draft, 'https://example.com');
		const update = await service.api('PUT', `/campaigns/${service.seed.campaigns.draft}/webhooks/${id}`, {
			[field]: value,
		});
		expect([update.status, Object.keys(update.data.errors)]).toEqual([422, [key]]);
	});

	it('accept every setting at its limits', async () => {
		const settings = {
			name: 'x'.repeat(255),
			webhook_url: `https://example.com/${'x'.repeat(480)}`,
			events: ALL_EVENTS,
			webhook_secret: 's'.repeat(255),
			timeout: 120,
			max_retries: 0,
			http_method: 'PATCH',
			authorization_scheme: 'api_key',
			custom_headers: [{ key: 'X-Key', value: 'v' }],
			payload_templates: { 'campaign.started': { id: '{{call.id}}' } },
			include_call_events: true,
			enabled: false,
		};
		expect((await service.api('POST', path, settings)).status).toBe(201);
	});

	it('change only in the fields that an update sends', async () => {
		const id = await webhookOn(service, service.seed.campaigns.paused, 'https://example.com/a', { timeout: 60 });
		const one = `/campaigns/${service.seed.campaigns.paused}/webhooks/${id}`;
		const { data } = await service.api('PUT', one, { webhook_url: 'https://example.com/b', max_retries: 9 });
		expect(data).toEqual({
			success: true,
			data: { id, events: ALL_EVENTS, include_call_events: false, updated_at: expect.any(String) },
		});
		expect((await service.api('GET', one)).data.data).toMatchObject({
			name: 'Hook',
			webhook_url: 'https://example.com/b',
			timeout: 60,
			max_retries: 9,
		});
	});

	it('can be toggled and deleted, and belong to one campaign', async () => {
		const id = await webhookOn(service, service.seed.campaigns.paused, 'https://example.com');
		const one = `/campaigns/${service.seed.campaigns.paused}/webhooks/${id}`;
		expect((await service.api('PATCH', `${one}/toggle`)).data).toEqual({
			success: true,
			message: expect.any(String),
			data: { id, enabled: false },
		});
		expect((await service.api('PATCH', `${one}/toggle`)).data.data.enabled).toBe(true);
		expect((await service.api('GET', `${path}/${id}`)).status).toBe(404);
		expect((await service.api('DELETE', one)).data).toEqual({ success: true, message: expect.any(String) });
		expect((await service.api('DELETE', one)).status).toBe(404);
		expect((await service.api('GET', '/campaigns/unknown/webhooks')).data.message).toBe('Campaign not found.');
	});
});
