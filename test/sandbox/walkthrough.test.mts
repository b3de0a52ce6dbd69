import { createHmac } from 'node:crypto';

import { asText, type SandboxClient, startClient } from './client.mts';
import { queue, webhookOn } from './objects.mts';
import { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.mts';

describe('the first steps of a user', () => {
	let service: SandboxClient;
	let receiver: WebhookReceiver;
	beforeAll(async () => {
		service = await startClient();
		receiver = await startWebhookReceiver();
	});
	afterAll(async () => {
		receiver.close();
		await service.close();
	});

	it('queues a call in the seeded campaign and sends its events to the webhook, signed', async () => {
		const campaign = service.seed.campaigns.active;
		const webhook = await webhookOn(service, campaign, receiver.url, { webhook_secret: 's3cret' });
		const call = await queue(service, campaign, '+12025550001', { context: { order: 7 } });
		expect(call).toMatchObject({ campaign_id: campaign, to: '+12025550001', status: 'queued' });

		await service.advance(60);
		expect(receiver.events().sort()).toEqual([
			'campaign_call.completed',
			'campaign_call.queued',
			'campaign_call.started',
			'event_call_report',
			'event_call_transcript',
			'event_recording',
		]);
		for (const { raw, body, headers } of receiver.received) {
			expect(body).toMatchObject({ webhook_id: webhook, call_id: call.id, context: { order: 7 } });
			expect(headers['x-webhook-signature']).toBe(createHmac('sha256', 's3cret').update(raw).digest('hex'));
		}
		expect(receiver.received.find(({ body }) => asText(body.event) === 'campaign_call.completed')?.body).toMatchObject({
			status: 'completed',
			duration: 30,
			retries: 0,
		});
	});
});
