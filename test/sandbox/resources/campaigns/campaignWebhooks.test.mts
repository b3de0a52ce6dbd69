import { CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { webhookOn } from '../../objects.mts';

describe('campaign webhooks', () => {
	let service: SandboxClient;
	let path: string;
	beforeAll(async () => {
		service = await startClient();
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
		const one = await service.api('GET', `${path}/${asText(id)}`);
		expect(one.data.data).toEqual({
			...data.data,
			webhook_url: minimal.webhook_url,
			timeout: 30,
			max_retries: 3,
		});
		const all = await service.api('GET', path);
		expect(all.data.data.available_events).toEqual(CAMPAIGN_EVENTS);
		expect(asList(all.data.data.webhooks)).toHaveLength(1);
		expect(JSON.stringify([data, one.data, all.data])).not.toContain('hidden');
	});

	it('change only in the fields that an update sends', async () => {
		const id = await webhookOn(service, service.seed.campaigns.paused, 'https://example.com/a', { timeout: 60 });
		const one = `/campaigns/${service.seed.campaigns.paused}/webhooks/${id}`;
		const { data } = await service.api('PUT', one, { webhook_url: 'https://example.com/b', max_retries: 9 });
		expect(data).toEqual({
			success: true,
			data: { id, events: CAMPAIGN_EVENTS, include_call_events: false, updated_at: expect.any(String) },
		});
		expect((await service.api('GET', one)).data.data).toMatchObject({
			name: 'Hook',
			webhook_url: 'https://example.com/b',
			timeout: 60,
			max_retries: 9,
		});
	});

	it('can be disabled and enabled, and are deleted with their campaign', async () => {
		const id = await webhookOn(service, service.seed.campaigns.cancelled, 'https://example.com');
		const one = `/campaigns/${service.seed.campaigns.cancelled}/webhooks/${id}`;
		expect((await service.api('PATCH', `${one}/toggle`)).data).toEqual({
			success: true,
			message: 'Webhook disabled successfully.',
			data: { id, enabled: false },
		});
		await service.api('DELETE', `/campaigns/${service.seed.campaigns.cancelled}`);
		expect((await service.control('deliver', { webhookId: id, event: 'campaign.paused' })).message).toBe(
			'Webhook not found.',
		);
	});
});
