import { asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { activeCampaign, queue, webhookOn } from '../../objects.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../../webhookReceiver.mts';
import { COURSES } from '../calls/callEventKinds.mts';

let receiver: WebhookReceiver;
beforeEach(async () => {
	receiver = await startWebhookReceiver();
});
afterEach(() => receiver.close());

describe('events', () => {
	let service: SandboxClient;
	beforeEach(async () => {
		service = await startClient();
	});
	afterEach(() => service.close());

	const sorted = () => receiver.events().sort();
	const bodyOf = (event: string): Json => receiver.received.find(({ body }) => asText(body.event) === event)!.body;

	it('report that a campaign starts, changes, pauses, resumes and completes', async () => {
		const { campaigns } = service.seed;
		const webhook = await webhookOn(service, campaigns.draft, receiver.url);
		const set = async (status: string) => {
			await service.api('PATCH', `/campaigns/${campaigns.draft}/status`, { status });
			await service.advance(0);
		};
		await set('active');
		await set('paused');
		await service.api('PUT', `/campaigns/${campaigns.draft}`, { name: 'Renamed' });
		await service.advance(0);
		await set('active');
		await set('completed');
		expect(receiver.events()).toEqual([
			'campaign.started',
			'campaign.paused',
			'campaign.updated',
			'campaign.updated',
			'campaign.completed',
		]);
		expect(bodyOf('campaign.completed')).toEqual({
			event: 'campaign.completed',
			id: expect.any(String),
			timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
			webhook_id: webhook,
			campaign_id: campaigns.draft,
			campaign_name: 'Renamed',
			status: 'completed',
		});
	});

	it('report a cancelled campaign as updated', async () => {
		await webhookOn(service, service.seed.campaigns.paused, receiver.url);
		await service.api('PATCH', `/campaigns/${service.seed.campaigns.paused}/status`, { status: 'cancelled' });
		await service.advance(0);
		expect(receiver.received[0]?.body).toMatchObject({ event: 'campaign.updated', status: 'cancelled' });
	});

	it('report every attempt of a call, its retries and its failure', async () => {
		const id = await activeCampaign(service, { max_retries: 1, busy_cooldown_hours: 1 });
		await webhookOn(service, id, receiver.url);
		const call = await queue(service, id, '+12025550002', { context: { deal: 'D-1' } });
		await service.advance(2 * 3600);
		expect(receiver.events()).toEqual([
			'campaign_call.queued',
			'campaign_call.started',
			'campaign_call.retry_scheduled',
			'campaign_call.started',
			'campaign_call.failed',
		]);
		expect(bodyOf('campaign_call.retry_scheduled')).toMatchObject({
			retries: 1,
			reason: 'busy',
			scheduled_at: expect.any(String),
		});
		expect(bodyOf('campaign_call.failed')).toMatchObject({ status: 'failed', retries: 1, reason: 'busy', duration: 0 });
		for (const { body } of receiver.received) {
			expect(body).toMatchObject({
				call_id: call.id,
				to: '+12025550002',
				context: { deal: 'D-1' },
				campaign_id: id,
				agent_id: service.seed.agents.published,
				agent_name: expect.any(String),
			});
		}
	});

	it('have the fields of their kind after a call', async () => {
		await webhookOn(service, service.seed.campaigns.active, receiver.url);
		await queue(service, service.seed.campaigns.active, '+12025550005');
		await service.advance(60);
		expect(bodyOf('campaign_call.completed')).toMatchObject({
			status: 'completed',
			outcome: 'voicemail',
			duration: 15,
		});
		expect(bodyOf('event_recording')).toHaveProperty('recording_url');
		expect(bodyOf('event_call_transcript').transcript).toEqual([{ role: 'agent', content: expect.any(String) }]);
		expect(bodyOf('event_call_report')).toMatchObject({ outcome: 'voicemail', summary: expect.any(String) });
	});

	it('reach only webhooks that subscribe to their kind, and per-call kinds only with include_call_events', async () => {
		const id = service.seed.campaigns.active;
		await webhookOn(service, id, receiver.url, { events: ['campaign_call.completed'] });
		await queue(service, id, '+12025550001');
		await service.advance(60);
		expect(receiver.events()).toEqual(['campaign_call.completed']);

		receiver.received.length = 0;
		const detailed = await activeCampaign(service);
		await webhookOn(service, detailed, receiver.url, {
			events: ['campaign_call.completed'],
			include_call_events: true,
		});
		await queue(service, detailed, '+12025550001');
		await service.advance(60);
		expect(sorted()).toEqual(['campaign_call.completed', ...COURSES[0]![1]]);
	});

	it.each(COURSES)('report the course of a call to %s in per-call kinds', async (digits, expected) => {
		const id = await activeCampaign(service, { max_retries: 0 });
		await webhookOn(service, id, receiver.url, { events: ['campaign.paused'], include_call_events: true });
		const call = await queue(service, id, `+1202555${digits}`, { context: { deal: 'D-2' } });
		await service.advance(60);
		expect(sorted()).toEqual(expected);
		for (const { body } of receiver.received) {
			expect(body).toMatchObject({ call_id: call.id, campaign_id: id, retries: 0, context: { deal: 'D-2' } });
		}
	});

	it('include one test event of a subscribed kind on demand', async () => {
		const id = service.seed.campaigns.active;
		const webhook = await webhookOn(service, id, receiver.url, { events: ['campaign_call.failed'] });
		const { data } = await service.api('POST', `/campaigns/${id}/webhooks/${webhook}/test`);
		expect(data).toEqual({ success: true, message: expect.any(String) });
		await service.advance(0);
		expect(receiver.received[0]?.body).toMatchObject({ event: 'campaign_call.failed', test: true, campaign_id: id });
	});

	it('have bodies by template where one is set', async () => {
		const id = service.seed.campaigns.active;
		const template = {
			text: 'Call {{call.id}} to {{ to }} is {{status}}{{nothing}}',
			number: '{{call.retries}}',
			deal: '{{context.deal}}',
			missing: '{{context.none}}',
			inherited: '{{constructor.name}}',
			list: ['{{event}}', 7, { name: '{{campaign.name}}' }],
		};
		await webhookOn(service, id, receiver.url, {
			events: ['campaign_call.queued', 'campaign_call.started'],
			payload_templates: { 'campaign_call.queued': template },
		});
		const call = await queue(service, id, '+12025550001', { context: { deal: { id: 5 } } });
		await service.advance(2);
		expect(receiver.received[0]?.body).toEqual({
			text: `Call ${asText(call.id)} to +12025550001 is queued`,
			number: 0,
			deal: { id: 5 },
			missing: null,
			inherited: null,
			list: ['campaign_call.queued', 7, { name: 'Spring offer, Berlin' }],
		});
		expect(receiver.received[1]?.body).toMatchObject({ event: 'campaign_call.started' });
	});
});
