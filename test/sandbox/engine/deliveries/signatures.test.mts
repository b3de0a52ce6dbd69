import { createHmac } from 'node:crypto';

import { CAMPAIGN_EVENTS } from '../../../../sandbox/engine/deliveries/eventKinds.mts';
import { asText, startClient } from '../../client.mts';
import { callsOf, webhookOn } from '../../objects.mts';
import { skipRealTime } from '../../realTime.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../../webhookReceiver.mts';

const hmac = (secret: string, content: string) => createHmac('sha256', secret).update(content);

let receiver: WebhookReceiver;
beforeEach(async () => {
	receiver = await startWebhookReceiver();
});
afterEach(() => receiver.close());

describe('a signature', () => {
	const secret = 'ключ-secret';
	it.each([
		['hex', (raw: string) => hmac(secret, raw).digest('hex')],
		['sha256=hex', (raw: string) => `sha256=${hmac(secret, raw).digest('hex')}`],
		['base64', (raw: string) => hmac(secret, raw).digest('base64')],
	] as const)('has the format %s in the configured header', async (signatureFormat, expected) => {
		const service = await startClient({ signatureFormat, signatureHeader: 'X-Signed-By' });
		const webhook = await webhookOn(service, service.seed.campaigns.active, receiver.url, { webhook_secret: secret });
		await service.control('deliver', { webhookId: webhook, event: 'campaign.paused', data: { note: 'é😀' } });
		const { raw, headers, body } = receiver.received[0]!;
		expect(body.note).toBe('é😀');
		expect(headers['x-signed-by']).toBe(expected(raw));
		await service.close();
	});

	it('with t,v1 covers the real time and is new for each attempt', async () => {
		const service = await startClient({ signatureFormat: 't,v1' });
		const started = Math.floor(Date.now() / 1000);
		// The sandbox's time is another one.
		await service.advance(100_000);
		receiver.answer(500);
		const id = service.seed.campaigns.active;
		const webhook = await webhookOn(service, id, receiver.url, { webhook_secret: secret, max_retries: 1 });
		await service.api('POST', `/campaigns/${id}/webhooks/${webhook}/test`);
		await service.advance(0);
		skipRealTime(1100);
		await service.advance(1000);
		const times = receiver.received.map(({ raw, headers }) => {
			const [, time = '', mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-webhook-signature'])) ?? [];
			expect(mac).toBe(hmac(secret, `${time}.${raw}`).digest('hex'));
			return Number(time);
		});
		expect(times).toHaveLength(2);
		expect(times[0]).toBeGreaterThanOrEqual(started);
		expect(times[1]).toBeGreaterThan(times[0]!);
		expect(times[1]).toBeLessThanOrEqual(Date.now() / 1000 + 1.1);
		await service.close();
	});

	it('is forged on demand: a changed body, a changed signature, another secret', async () => {
		const service = await startClient();
		const webhook = await webhookOn(service, service.seed.campaigns.active, receiver.url, { webhook_secret: secret });
		const valid = () => {
			const { raw, headers } = receiver.received.at(-1)!;
			return headers['x-webhook-signature'] === hmac(secret, raw).digest('hex');
		};
		const deliver = (tamper?: string) =>
			service.control('deliver', { webhookId: webhook, event: 'campaign.paused', tamper });
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
		const service = await startClient();
		receiver.answer(202);
		const webhook = await webhookOn(service, service.seed.campaigns.active, receiver.url, {
			events: ['campaign.paused'],
			enabled: false,
		});
		const answer = await service.control('deliver', {
			webhookId: webhook,
			event: 'some.new_kind',
			data: { to: '+1', extra: [1] },
			times: 3,
		});
		expect(answer).toMatchObject({
			id: expect.any(String),
			event: 'some.new_kind',
			attempts: [1, 2, 3].map((attempt) => ({ attempt, status: 202, duration_ms: expect.any(Number) })),
		});
		expect(receiver.received).toHaveLength(3);
		expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
		expect(receiver.received[0]!.body).toMatchObject({
			id: answer.id,
			event: 'some.new_kind',
			to: '+1',
			extra: [1],
			context: {},
		});
		await service.close();
	});

	it('delivers with retries on demand, each copy until it is accepted', async () => {
		const service = await startClient();
		receiver.answer(503);
		const webhookId = await webhookOn(service, service.seed.campaigns.active, receiver.url, { max_retries: 2 });
		const wanted = { webhookId, event: 'campaign.paused', times: 3, retries: true };
		const answer = await service.control('deliver', wanted);
		expect(answer).toEqual({ id: expect.any(String), event: 'campaign.paused', attempts: [] });
		await service.advance(0);
		expect(receiver.received).toHaveLength(3);
		receiver.answer(200);
		await service.advance(100_000);
		expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual([
			'1',
			'1',
			'1',
			'2',
			'2',
			'2',
		]);
		expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
		expect(receiver.received[0]!.body.id).toBe(answer.id);
		expect(await service.control('deliver', { ...wanted, tamper: 'body' })).toMatchObject({ success: false });
		await service.close();
	});

	it('refuses retries to a disabled webhook, which gets nothing but single deliveries', async () => {
		const service = await startClient();
		const webhookId = await webhookOn(service, service.seed.campaigns.active, receiver.url, { enabled: false });
		const wanted = { webhookId, event: 'campaign.paused' };
		expect(await service.control('deliver', { ...wanted, retries: true })).toMatchObject({
			success: false,
			message: 'The webhook is disabled. Enable it, or deliver without retries.',
		});
		expect(await service.control('deliver', wanted)).toMatchObject({ attempts: [{ status: 200 }] });
		expect(receiver.received).toHaveLength(1);
		await service.close();
	});

	it('gives every kind the fields of a real event', async () => {
		const service = await startClient();
		const webhook = await webhookOn(service, service.seed.campaigns.active, receiver.url);
		for (const event of CAMPAIGN_EVENTS) {
			await service.control('deliver', { webhookId: webhook, event });
		}
		for (const { body } of receiver.received) {
			const call = asText(body.event).startsWith('campaign.')
				? []
				: ['call_id', 'to', 'retries', 'duration', 'context'];
			for (const field of ['id', 'timestamp', 'webhook_id', 'campaign_id', 'campaign_name', 'status', ...call]) {
				expect(body).toHaveProperty(field);
			}
		}
		await service.close();
	});

	it('changes nothing in the campaign', async () => {
		const service = await startClient();
		const id = service.seed.campaigns.active;
		const webhook = await webhookOn(service, id, receiver.url);
		await service.control('deliver', { webhookId: webhook, event: 'campaign.completed' });
		expect(await callsOf(service, id)).toHaveLength(0);
		expect((await service.api('GET', `/campaigns/${id}`)).data.data.status).toBe('active');
		await service.close();
	});
});
