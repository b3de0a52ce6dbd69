import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { queue, webhookOn } from '../../objects.mts';
import { shortenTimers } from '../../realTime.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../../webhookReceiver.mts';

let receiver: WebhookReceiver;
beforeEach(async () => {
	receiver = await startWebhookReceiver();
});
afterEach(() => receiver.close());

describe('a delivery', () => {
	let service: SandboxClient;
	let campaign: string;
	beforeEach(async () => {
		service = await startClient();
		campaign = service.seed.campaigns.active;
	});
	afterEach(() => service.close());

	const fire = async (webhook: string, of = campaign) => {
		await service.api('POST', `/campaigns/${of}/webhooks/${webhook}/test`);
		await service.advance(0);
	};

	it.each(['POST', 'PUT', 'PATCH'])('comes by %s with its headers and those of the webhook', async (http_method) => {
		const custom_headers = [
			{ key: 'Authorization', value: 'Bearer mine' },
			{ key: 'X-Team', value: 'blue' },
		];
		const webhook = await webhookOn(service, campaign, receiver.url, {
			http_method,
			custom_headers,
			authorization_scheme: 'bearer',
		});
		await fire(webhook);
		const { method, headers, body } = receiver.received[0]!;
		expect(method).toBe(http_method);
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			authorization: 'Bearer mine',
			'x-team': 'blue',
			'x-webhook-event': asText(body.event),
			'x-webhook-delivery': asText(body.id),
			'x-webhook-attempt': '1',
		});
		expect(headers).not.toHaveProperty('x-webhook-signature');
	});

	it('sends its own headers instead of those of the webhook with the same names', async () => {
		const keys = ['x-webhook-signature', 'content-type', 'X-WEBHOOK-DELIVERY', 'x-webhook-attempt'];
		const custom_headers = keys.map((key) => ({ key, value: 'mine' }));
		await fire(await webhookOn(service, campaign, receiver.url, { custom_headers, webhook_secret: 's' }));
		const { headers } = receiver.received[0]!;
		for (const key of keys) {
			expect(headers[key.toLowerCase()]).not.toContain('mine');
		}
		const [attempt] = asList((await service.control('deliveries?limit=1')).items);
		const { accepted } = await service.control(`deliveries/${asText(attempt!.id)}/verify`);
		expect(accepted).toBe(true);
	});

	it('has its whole body, whatever length the headers of the webhook state', async () => {
		const custom_headers = [
			{ key: 'content-length', value: '1' },
			{ key: 'Transfer-Encoding', value: 'gzip' },
		];
		await fire(await webhookOn(service, campaign, receiver.url, { custom_headers }));
		const { headers, raw } = receiver.received[0]!;
		expect(headers['content-length']).toBe(String(Buffer.byteLength(raw)));
		expect(headers).not.toHaveProperty('transfer-encoding');
	});

	it('is retried with growing pauses and the same bytes, up to max_retries times', async () => {
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
		const attempts = asList(await service.control('deliveries'));
		expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
		expect(attempts[0]).toEqual({
			webhook_id: webhook,
			event: 'campaign.created',
			body: receiver.received[0]!.raw,
			delivery_id: receiver.received[0]!.body.id,
			attempt: 1,
			status: 500,
			duration_ms: expect.any(Number),
			at: expect.any(String),
		});
	});

	it('is retried at most ten times, and never with max_retries 0', async () => {
		receiver.answer(404);
		await fire(await webhookOn(service, campaign, receiver.url, { max_retries: 0 }));
		await service.advance(100_000);
		expect(receiver.received).toHaveLength(1);
		await fire(await webhookOn(service, campaign, receiver.url, { max_retries: 10 }));
		await service.advance(100_000);
		expect(receiver.received).toHaveLength(12);
	});

	it.each([200, 201, 204, 299])('is answered with %i', async (status) => {
		receiver.answer(status);
		await fire(await webhookOn(service, campaign, receiver.url));
		await service.advance(1000);
		expect(receiver.received).toHaveLength(1);
	});

	it('follows no redirect', async () => {
		const other = await startWebhookReceiver();
		receiver.answer(307, { Location: other.url });
		await fire(await webhookOn(service, campaign, receiver.url, { max_retries: 1 }));
		await service.advance(1000);
		expect([receiver.received.length, other.received.length]).toEqual([2, 0]);
		expect(asList(await service.control('deliveries'))[0]!.status).toBe(307);
		other.close();
	});

	it('fails if the response is larger than the memory that it may take', async () => {
		const endless = createServer((request, response) => {
			const block = Buffer.alloc(1024 * 1024, 'x');
			const send = () => response.write(block) && setImmediate(send);
			response.on('drain', send);
			request.resume().on('end', send);
		});
		await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
		const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`;
		await fire(await webhookOn(service, campaign, url, { max_retries: 0 }));
		const [attempt] = asList(await service.control('deliveries'));
		expect(attempt).toMatchObject({ status: null, error: 'the response is larger than 10 MB' });
		endless.closeAllConnections();
		endless.close();
	});

	it('fails and is retried if nothing listens', async () => {
		const gone = await startWebhookReceiver();
		gone.close();
		await fire(await webhookOn(service, campaign, gone.url, { max_retries: 1 }));
		await service.advance(1000);
		const attempts = asList(await service.control('deliveries'));
		expect(attempts.map(({ status, error }) => [status, error])).toEqual([
			[null, 'ECONNREFUSED'],
			[null, 'ECONNREFUSED'],
		]);
	});

	it('fails after the timeout, in real time whatever the speed', async () => {
		const fast = await startClient({ speed: 1000 });
		receiver.answer(null);
		const id = fast.seed.campaigns.active;
		const webhook = await webhookOn(fast, id, receiver.url, { timeout: 5, max_retries: 0 });
		const timeouts = shortenTimers(5000);
		await fast.api('POST', `/campaigns/${id}/webhooks/${webhook}/test`);
		await fast.advance(0);
		expect(timeouts()).toBe(1);
		expect(asList(await fast.control('deliveries'))[0]).toMatchObject({
			status: null,
			error: 'no response within 5 s',
		});
		await fast.close();
	});

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

	it('goes to the current URL of the webhook at each attempt', async () => {
		const other = await startWebhookReceiver();
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
