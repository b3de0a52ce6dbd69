import { createHmac } from 'node:crypto';
import {
	activeCampaign,
	ALL_EVENTS,
	callsOf,
	list,
	queue,
	startReceiver,
	startService,
	text,
	webhookOn,
	type Json,
	type Receiver,
	type Service,
} from './helpers.mts';

const hmac = (secret: string, content: string) => createHmac('sha256', secret).update(content);

let receiver: Receiver;
beforeEach(async () => {
	receiver = await startReceiver();
});
afterEach(() => receiver.close());

describe('events', () => {
	let service: Service;
	beforeEach(async () => {
		service = await startService();
	});
	afterEach(() => service.close());

	const sorted = () => receiver.events().sort();
	const bodyOf = (event: string): Json => receiver.received.find(({ body }) => text(body.event) === event)!.body;

	it('tell of a campaign that starts, changes, pauses, goes on and completes', async () => {
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
		expect(receiver.events()).toEqual(['campaign.started', 'campaign.paused', 'campaign.updated', 'campaign.updated', 'campaign.completed']);
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

	it('tell of a campaign that is cancelled as updated', async () => {
		await webhookOn(service, service.seed.campaigns.paused, receiver.url);
		await service.api('PATCH', `/campaigns/${service.seed.campaigns.paused}/status`, { status: 'cancelled' });
		await service.advance(0);
		expect(receiver.received[0]?.body).toMatchObject({ event: 'campaign.updated', status: 'cancelled' });
	});

	it('tell of every attempt of a call, its retries and its failure', async () => {
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
		expect(bodyOf('campaign_call.retry_scheduled')).toMatchObject({ retries: 1, reason: 'busy', scheduled_at: expect.any(String) });
		expect(bodyOf('campaign_call.failed')).toMatchObject({ status: 'failed', retries: 1, reason: 'busy', duration: 0 });
		for (const { body } of receiver.received)
			expect(body).toMatchObject({ call_id: call.id, to: '+12025550002', context: { deal: 'D-1' }, campaign_id: id });
	});

	it('carry what their kind adds after a call', async () => {
		await webhookOn(service, service.seed.campaigns.active, receiver.url);
		await queue(service, service.seed.campaigns.active, '+12025550005');
		await service.advance(60);
		expect(bodyOf('campaign_call.completed')).toMatchObject({ status: 'completed', outcome: 'voicemail', duration: 15 });
		expect(bodyOf('event_recording')).toHaveProperty('recording_url');
		expect(bodyOf('event_call_transcript').transcript).toEqual([{ role: 'agent', content: expect.any(String) }]);
		expect(bodyOf('event_call_report')).toMatchObject({ outcome: 'voicemail', summary: expect.any(String) });
	});

	it('reach only the webhooks that subscribe to their kind, and per-call kinds only with include_call_events', async () => {
		const id = service.seed.campaigns.active;
		await webhookOn(service, id, receiver.url, { events: ['campaign_call.completed'] });
		await queue(service, id, '+12025550001');
		await service.advance(60);
		expect(receiver.events()).toEqual(['campaign_call.completed']);

		receiver.received.length = 0;
		const detailed = await activeCampaign(service);
		await webhookOn(service, detailed, receiver.url, { events: ['campaign_call.completed'], include_call_events: true });
		await queue(service, detailed, '+12025550001');
		await service.advance(60);
		expect(sorted()).toEqual([
			'campaign_call.completed',
			'event_conversation_ended',
			'event_conversation_started',
			'event_phone_call_connected',
			'event_phone_call_ended',
			'event_phone_call_started',
			'event_recording',
		]);
	});

	it.each([
		['0003', ['event_phone_call_did_not_connect', 'event_phone_call_started']],
		['0004', ['event_phone_call_error', 'event_phone_call_started']],
		['0005', ['event_phone_call_connected', 'event_phone_call_ended', 'event_phone_call_started', 'event_recording', 'event_voicemail_detected']],
	])('tell the course of a call to %s in per-call kinds', async (digits, expected) => {
		const id = await activeCampaign(service, { max_retries: 0 });
		await webhookOn(service, id, receiver.url, { events: ['campaign.paused'], include_call_events: true });
		await queue(service, id, `+1202555${digits}`);
		await service.advance(60);
		expect(sorted()).toEqual(expected);
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
			list: ['{{event}}', 7, { name: '{{campaign.name}}' }],
		};
		await webhookOn(service, id, receiver.url, {
			events: ['campaign_call.queued', 'campaign_call.started'],
			payload_templates: { 'campaign_call.queued': template },
		});
		const call = await queue(service, id, '+12025550001', { context: { deal: { id: 5 } } });
		await service.advance(2);
		expect(receiver.received[0]?.body).toEqual({
			text: `Call ${text(call.id)} to +12025550001 is queued`,
			number: 0,
			deal: { id: 5 },
			missing: null,
			list: ['campaign_call.queued', 7, { name: 'Spring offer, Berlin' }],
		});
		expect(receiver.received[1]?.body).toMatchObject({ event: 'campaign_call.started' });
	});
});

describe('a delivery', () => {
	let service: Service;
	let campaign: string;
	beforeEach(async () => {
		service = await startService();
		campaign = service.seed.campaigns.active;
	});
	afterEach(() => service.close());

	const fire = async (webhook: string, of = campaign) => {
		await service.api('POST', `/campaigns/${of}/webhooks/${webhook}/test`);
		await service.advance(0);
	};

	it.each(['POST', 'PUT', 'PATCH'])('comes by %s with its headers and those of the webhook', async (http_method) => {
		const custom_headers = [{ key: 'Authorization', value: 'Bearer mine' }, { key: 'X-Team', value: 'blue' }];
		const webhook = await webhookOn(service, campaign, receiver.url, { http_method, custom_headers, authorization_scheme: 'bearer' });
		await fire(webhook);
		const { method, headers, body } = receiver.received[0]!;
		expect(method).toBe(http_method);
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			authorization: 'Bearer mine',
			'x-team': 'blue',
			'x-webhook-event': text(body.event),
			'x-webhook-delivery': text(body.id),
			'x-webhook-attempt': '1',
		});
		expect(headers).not.toHaveProperty('x-webhook-signature');
	});

	it('is tried again with growing pauses, the same bytes each time, until max_retries', async () => {
		receiver.answer(500);
		const webhook = await webhookOn(service, campaign, receiver.url, { max_retries: 3 });
		await fire(webhook);
		const after = async (seconds: number) => {
			await service.advance(seconds);
			return receiver.received.length;
		};
		expect(receiver.received).toHaveLength(1);
		expect([await after(9), await after(2)]).toEqual([1, 2]);
		expect([await after(18), await after(2)]).toEqual([2, 3]);
		expect([await after(38), await after(2)]).toEqual([3, 4]);
		expect(await after(100_000)).toBe(4);
		expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
		expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3', '4']);
		const attempts = list(await service.control('deliveries'));
		expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
		expect(attempts[0]).toEqual({
			webhook_id: webhook,
			event: 'campaign.created',
			delivery_id: receiver.received[0]!.body.id,
			attempt: 1,
			status: 500,
			duration_ms: expect.any(Number),
			at: expect.any(String),
		});
	});

	it('is tried ten times more at most, and not again with max_retries 0', async () => {
		receiver.answer(404);
		await fire(await webhookOn(service, campaign, receiver.url, { max_retries: 0 }));
		await service.advance(100_000);
		expect(receiver.received).toHaveLength(1);
		await fire(await webhookOn(service, campaign, receiver.url, { max_retries: 10 }));
		await service.advance(100_000);
		expect(receiver.received).toHaveLength(12);
	});

	it.each([200, 201, 204, 299])('is done with %i', async (status) => {
		receiver.answer(status);
		await fire(await webhookOn(service, campaign, receiver.url));
		await service.advance(1000);
		expect(receiver.received).toHaveLength(1);
	});

	it('follows no redirect', async () => {
		const other = await startReceiver();
		receiver.answer(307, { Location: other.url });
		await fire(await webhookOn(service, campaign, receiver.url, { max_retries: 1 }));
		await service.advance(1000);
		expect([receiver.received.length, other.received.length]).toEqual([2, 0]);
		expect(list(await service.control('deliveries'))[0]!.status).toBe(307);
		other.close();
	});

	it('fails and is tried again where nobody listens', async () => {
		const gone = await startReceiver();
		gone.close();
		await fire(await webhookOn(service, campaign, gone.url, { max_retries: 1 }));
		await service.advance(1000);
		const attempts = list(await service.control('deliveries'));
		expect(attempts.map(({ status, error }) => [status, error])).toEqual([[null, 'ECONNREFUSED'], [null, 'ECONNREFUSED']]);
	});

	it('fails after the timeout, in real time whatever the speed', async () => {
		const fast = await startService({ speed: 1000 });
		receiver.answer(null);
		const id = fast.seed.campaigns.active;
		const webhook = await webhookOn(fast, id, receiver.url, { timeout: 5, max_retries: 0 });
		const started = Date.now();
		await fast.api('POST', `/campaigns/${id}/webhooks/${webhook}/test`);
		await fast.advance(0);
		expect(Date.now() - started).toBeGreaterThanOrEqual(4900);
		expect(list(await fast.control('deliveries'))[0]).toMatchObject({ status: null, error: 'no response within 5 s' });
		await fast.close();
	}, 15_000);

	it('stops when the webhook is disabled or deleted before a retry', async () => {
		receiver.answer(500);
		const disabled = await webhookOn(service, campaign, receiver.url);
		const deleted = await webhookOn(service, campaign, receiver.url);
		await fire(disabled);
		await fire(deleted);
		await service.api('PATCH', `/campaigns/${campaign}/webhooks/${disabled}/toggle`);
		await service.api('DELETE', `/campaigns/${campaign}/webhooks/${deleted}`);
		await service.advance(1000);
		expect(receiver.received).toHaveLength(2);
	});

	it('is not made for a disabled webhook', async () => {
		const webhook = await webhookOn(service, campaign, receiver.url, { enabled: false });
		await queue(service, campaign, '+12025550001');
		await fire(webhook);
		await service.advance(60);
		expect(receiver.received).toHaveLength(0);
	});

	it('goes to the address that the webhook has when it is tried', async () => {
		const other = await startReceiver();
		receiver.answer(500);
		const webhook = await webhookOn(service, campaign, receiver.url);
		await fire(webhook);
		await service.api('PUT', `/campaigns/${campaign}/webhooks/${webhook}`, { webhook_url: other.url });
		await service.advance(15);
		expect(other.received).toHaveLength(1);
		expect(other.received[0]!.raw).toBe(receiver.received[0]!.raw);
		other.close();
	});
});

describe('a signature', () => {
	const secret = 'ключ-secret';
	it.each([
		['hex', (raw: string) => hmac(secret, raw).digest('hex')],
		['sha256=hex', (raw: string) => `sha256=${hmac(secret, raw).digest('hex')}`],
		['base64', (raw: string) => hmac(secret, raw).digest('base64')],
	] as const)('has the form %s in the header that was chosen', async (signatureFormat, expected) => {
		const service = await startService({ signatureFormat, signatureHeader: 'X-Signed-By' });
		const webhook = await webhookOn(service, service.seed.campaigns.active, receiver.url, { webhook_secret: secret });
		await service.control('deliver', { webhookId: webhook, event: 'campaign.paused', data: { note: 'é😀' } });
		const { raw, headers, body } = receiver.received[0]!;
		expect(body.note).toBe('é😀');
		expect(headers['x-signed-by']).toBe(expected(raw));
		await service.close();
	});

	it('with t,v1 covers the real time and is made anew at each attempt', async () => {
		const service = await startService({ signatureFormat: 't,v1', speed: 1000 });
		receiver.answer(500);
		const id = service.seed.campaigns.active;
		const webhook = await webhookOn(service, id, receiver.url, { webhook_secret: secret, max_retries: 1 });
		await service.api('POST', `/campaigns/${id}/webhooks/${webhook}/test`);
		await service.advance(0);
		await new Promise((resolve) => setTimeout(resolve, 1100));
		await service.advance(1000);
		const times = receiver.received.map(({ raw, headers }) => {
			const [, time = '', mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-webhook-signature'])) ?? [];
			expect(mac).toBe(hmac(secret, `${time}.${raw}`).digest('hex'));
			return Number(time);
		});
		expect(times).toHaveLength(2);
		expect(Math.abs(times[0]! - Date.now() / 1000)).toBeLessThan(5);
		await service.close();
	});

	it('is forged on demand: an altered body, an altered signature, another secret', async () => {
		const service = await startService();
		const webhook = await webhookOn(service, service.seed.campaigns.active, receiver.url, { webhook_secret: secret });
		const valid = () => {
			const { raw, headers } = receiver.received.at(-1)!;
			return headers['x-webhook-signature'] === hmac(secret, raw).digest('hex');
		};
		const deliver = (tamper?: string) => service.control('deliver', { webhookId: webhook, event: 'campaign.paused', tamper });
		await deliver();
		expect(valid()).toBe(true);
		for (const tamper of ['body', 'signature', 'secret']) {
			await deliver(tamper);
			expect(valid()).toBe(false);
			expect(receiver.received.at(-1)!.headers['x-webhook-signature']).toHaveLength(64);
		}
		expect(await deliver('luck')).toMatchObject({ success: false, errors: { tamper: [expect.any(String)] } });
		await service.close();
	});
});

describe('/_sandbox/deliver', () => {
	it('sends the same body and id several times at once and answers with every status', async () => {
		const service = await startService();
		receiver.answer(202);
		const webhook = await webhookOn(service, service.seed.campaigns.active, receiver.url, { events: ['campaign.paused'], enabled: false });
		const answer = await service.control('deliver', { webhookId: webhook, event: 'some.new_kind', data: { to: '+1', extra: [1] }, times: 3 });
		expect(answer).toMatchObject({
			id: expect.any(String),
			event: 'some.new_kind',
			attempts: [1, 2, 3].map((attempt) => ({ attempt, status: 202, duration_ms: expect.any(Number) })),
		});
		expect(receiver.received).toHaveLength(3);
		expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
		expect(receiver.received[0]!.body).toMatchObject({ id: answer.id, event: 'some.new_kind', to: '+1', extra: [1], context: {} });
		await service.close();
	});

	it('gives every kind the fields of a real event', async () => {
		const service = await startService();
		const webhook = await webhookOn(service, service.seed.campaigns.active, receiver.url);
		for (const event of ALL_EVENTS) await service.control('deliver', { webhookId: webhook, event });
		for (const { body } of receiver.received) {
			const call = text(body.event).startsWith('campaign.') ? [] : ['call_id', 'to', 'retries', 'duration', 'context'];
			for (const field of ['id', 'timestamp', 'webhook_id', 'campaign_id', 'campaign_name', 'status', ...call]) expect(body).toHaveProperty(field);
		}
		await service.close();
	});

	it('changes nothing in the campaign', async () => {
		const service = await startService();
		const id = service.seed.campaigns.active;
		const webhook = await webhookOn(service, id, receiver.url);
		await service.control('deliver', { webhookId: webhook, event: 'campaign.completed' });
		expect(await callsOf(service, id)).toHaveLength(0);
		expect((await service.api('GET', `/campaigns/${id}`)).data.data.status).toBe('active');
		await service.close();
	});
});
