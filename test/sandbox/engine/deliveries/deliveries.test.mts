import { createServer } from 'node:http';

import { asList, asText, startClient } from '../../client.mts';
import { listening } from '../../listening.mts';
import { webhookOn } from '../../objects.mts';
import { useReceiver, useService } from '../../use.mts';
import { startWebhookReceiver } from '../../webhookReceiver.mts';

const service = useService();
const receiver = useReceiver();

describe('a delivery', () => {
	let campaign: string;
	beforeEach(() => {
		campaign = service.seed.campaigns.active;
	});
	const hook = (settings: object = {}, url = receiver.url) => webhookOn(service, campaign, url, settings);
	const fire = async (webhook: string) => {
		await service.api('POST', `/campaigns/${campaign}/webhooks/${webhook}/test`);
		await service.advance(0);
	};
	const after = async (seconds: number) => {
		await service.advance(seconds);
		return receiver.received.length;
	};
	const results = async () =>
		asList(await service.control('deliveries')).map(({ status, error }) => [status, error ?? null]);

	it.each(['POST', 'PUT', 'PATCH'])('comes by %s with its headers and those of the webhook', async (http_method) => {
		const own = { Authorization: 'Bearer mine', 'X-Team': 'blue' };
		const custom_headers = Object.entries(own).map(([key, value]) => ({ key, value }));
		await fire(await hook({ http_method, custom_headers, authorization_scheme: 'bearer' }));
		const { method, headers, body } = receiver.received[0]!;
		expect(method).toBe(http_method);
		expect(headers).toMatchObject({
			'content-type': 'application/json',
			authorization: 'Bearer mine',
			'x-team': 'blue',
			'x-webhook-event': body.event,
			'x-webhook-delivery': body.id,
			'x-webhook-attempt': '1',
		});
		expect(headers).not.toHaveProperty('x-webhook-signature');
	});

	it('sends its own headers and its whole body, whatever the headers of the webhook say', async () => {
		const keys = ['x-webhook-signature', 'content-type', 'X-WEBHOOK-DELIVERY', 'x-webhook-attempt'];
		const wrong = [...keys, 'Transfer-Encoding'].map((key) => ({ key, value: 'gzip' }));
		const custom_headers = [...wrong, { key: 'content-length', value: '1' }];
		await fire(await hook({ custom_headers, webhook_secret: 's' }));
		const { headers, raw } = receiver.received[0]!;
		expect(keys.filter((key) => headers[key.toLowerCase()] === 'gzip')).toEqual([]);
		expect(headers['content-length']).toBe(String(Buffer.byteLength(raw)));
		expect(headers).not.toHaveProperty('transfer-encoding');
		const [attempt] = asList((await service.control('deliveries?limit=1')).items);
		expect((await service.control(`deliveries/${asText(attempt!.id)}/verify`)).accepted).toBe(true);
	});

	it('is retried with growing pauses and the same bytes, up to max_retries times', async () => {
		receiver.answer(500);
		await fire(await hook({ max_retries: 3 }));
		expect(receiver.received).toHaveLength(1);
		expect([await after(9), await after(2)]).toEqual([1, 2]);
		expect([await after(18), await after(2)]).toEqual([2, 3]);
		expect([await after(38), await after(2)]).toEqual([3, 4]);
		expect(await after(100_000)).toBe(4);
		expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
		expect(receiver.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3', '4']);
		const attempts = asList(await service.control('deliveries'));
		const { raw, body } = receiver.received[0]!;
		const common = { body: raw, delivery_id: body.id, status: 500, duration_ms: expect.any(Number) };
		expect(attempts).toMatchObject([1, 2, 3, 4].map((attempt) => ({ attempt, ...common })));
	});

	it('follows no redirect', async () => {
		const other = await startWebhookReceiver();
		receiver.answer(307, { Location: other.url });
		await fire(await hook({ max_retries: 1 }));
		expect([await after(1000), other.received.length]).toEqual([2, 0]);
		expect(await results()).toEqual([1, 2].map(() => [307, null]));
		other.close();
	});

	it('fails if the response is larger than the memory that it may take', async () => {
		const endless = createServer((request, response) => {
			const block = Buffer.alloc(1024 * 1024, 'x');
			const send = () => response.write(block) && setImmediate(send);
			response.on('drain', send);
			request.resume().on('end', send);
		});
		await fire(await hook({ max_retries: 0 }, await listening(endless)));
		expect(await results()).toEqual([[null, 'the response is larger than 10 MB']]);
		endless.closeAllConnections();
		endless.close();
	});

	it('fails after the timeout, in real time whatever the speed', async () => {
		const fast = await startClient({ speed: 1000 });
		receiver.answer(null);
		const webhook = await webhookOn(fast, campaign, receiver.url, { timeout: 5, max_retries: 0 });
		const { itsGlobal } = globalThis.sandbox;
		const setTimer = itsGlobal.setTimeout;
		const timers = jest.spyOn(itsGlobal, 'setTimeout');
		timers.mockImplementation(((work: () => void, ms: number) =>
			setTimer(work, ms === 5000 ? 100 : ms)) as typeof setTimer);
		await fast.api('POST', `/campaigns/${campaign}/webhooks/${webhook}/test`);
		await fast.advance(0);
		expect(timers.mock.calls.filter(([, ms]) => ms === 5000)).toHaveLength(1);
		timers.mockRestore();
		const [attempt] = asList(await fast.control('deliveries'));
		expect(attempt).toMatchObject({ status: null, error: 'no response within 5 s' });
		receiver.release(200);
		await fast.close();
	});

	it('stops when the webhook is disabled or deleted before a retry', async () => {
		receiver.answer(500);
		const [disabled, deleted] = [await hook(), await hook()];
		await fire(disabled);
		await fire(deleted);
		await service.api('PATCH', `/campaigns/${campaign}/webhooks/${disabled}/toggle`);
		await service.api('DELETE', `/campaigns/${campaign}/webhooks/${deleted}`);
		await fire(disabled);
		expect(await after(1000)).toBe(2);
	});
});
