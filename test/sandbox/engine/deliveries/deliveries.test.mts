import { createServer } from 'node:http';

import { asList, startClient } from '../../client.mts';
import { listening } from '../../listening.mts';
import { webhookOn } from '../../objects.mts';
import { type Step, useStories, webhook } from '../../story.mts';
import { startWebhookReceiver } from '../../webhookReceiver.mts';

describe('a delivery', () => {
	const { service, receiver, play } = useStories();
	const hook = (settings: object = {}, name = 'hook') => webhook(name, 'campaigns/{campaign}', settings);
	const test = (name = 'hook'): Step[] => [[`POST /campaigns/{campaign}/webhooks/{${name}}/test 200`], ['wait 0']];
	const after = async (seconds: number) => {
		await service.advance(seconds);
		return receiver.received.length;
	};
	const attemptsAre = (...all: object[]): Step => ['GET /_sandbox/deliveries 200', all];
	const headersOf = (all: Record<string, string>) => Object.entries(all).map(([key, value]) => ({ key, value }));

	it.each(['POST', 'PUT', 'PATCH'])('comes by %s with its headers and those of the webhook', async (http_method) => {
		const custom_headers = headersOf({ Authorization: 'Bearer mine', 'X-Team': 'blue' });
		await play([hook({ http_method, custom_headers, authorization_scheme: 'bearer' }), ...test()]);
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
		const own = ['x-webhook-signature', 'content-type', 'x-webhook-delivery', 'x-webhook-attempt'];
		const wrong = Object.fromEntries([...own, 'Transfer-Encoding'].map((name) => [name, 'gzip']));
		const custom_headers = headersOf({ ...wrong, 'content-length': '1' });
		await play([
			hook({ custom_headers, webhook_secret: 's' }),
			...test(),
			['GET /_sandbox/deliveries?limit=1 200 > attempt=items.0.id'],
			['GET /_sandbox/deliveries/{attempt}/verify 200', { accepted: true }],
		]);
		const { headers, raw } = receiver.received[0]!;
		expect(own.filter((name) => headers[name] === 'gzip')).toEqual([]);
		expect(headers['content-length']).toBe(String(Buffer.byteLength(raw)));
		expect(headers).not.toHaveProperty('transfer-encoding');
	});

	it('is retried with growing pauses and the same bytes, up to max_retries times', async () => {
		await play([['receiver 500'], hook({ max_retries: 3 }), ...test()]);
		const counts = [];
		for (const seconds of [0, 9, 2, 18, 2, 38, 2, 100_000]) {
			counts.push(await after(seconds));
		}
		expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
		const [first] = receiver.received;
		const sent = receiver.received.map(({ raw, headers }) => ({ raw, attempt: headers['x-webhook-attempt'] }));
		expect(sent).toEqual(['1', '2', '3', '4'].map((attempt) => ({ raw: first!.raw, attempt })));
		const common = { body: first!.raw, delivery_id: first!.body.id, status: 500, duration_ms: expect.any(Number) };
		await play([attemptsAre(...[1, 2, 3, 4].map((attempt) => ({ attempt, ...common })))]);
	});

	it('follows no redirect', async () => {
		const other = await startWebhookReceiver();
		receiver.respond(307, { Location: other.url });
		await play([hook({ max_retries: 1 }), ...test(), ['wait 1000'], attemptsAre({ status: 307 }, { status: 307 })]);
		expect([receiver.received.length, other.received.length]).toEqual([2, 0]);
		other.close();
	});

	it('fails if the response is larger than the memory that it may take', async () => {
		const endless = createServer((request, response) => {
			const block = Buffer.alloc(1024 * 1024, 'x');
			const send = () => response.write(block) && setImmediate(send);
			response.on('drain', send);
			request.resume().on('end', send);
		});
		const settings = { webhook_url: await listening(endless), max_retries: 0 };
		await play([hook(settings), ...test(), attemptsAre({ error: 'the response is larger than 10 MB' })]);
		endless.closeAllConnections();
		endless.close();
	});

	it('fails after the timeout, in real time whatever the speed', async () => {
		const fast = await startClient({ speed: 1000 });
		const { active } = fast.seed.campaigns;
		receiver.respond(null);
		const id = await webhookOn(fast, active, receiver.url, { timeout: 5, max_retries: 0 });
		const { itsGlobal } = globalThis.sandbox;
		const setTimer = itsGlobal.setTimeout;
		const timers = jest.spyOn(itsGlobal, 'setTimeout');
		timers.mockImplementation(((work: () => void, ms: number) =>
			setTimer(work, ms === 5000 ? 100 : ms)) as typeof setTimer);
		await fast.api('POST', `/campaigns/${active}/webhooks/${id}/test`);
		await fast.advance(0);
		expect(timers.mock.calls.filter(([, ms]) => ms === 5000)).toHaveLength(1);
		timers.mockRestore();
		expect(asList(await fast.control('deliveries'))).toMatchObject([{ status: null, error: 'no response within 5 s' }]);
		receiver.release(200);
		await fast.close();
	});

	it('stops when the webhook is disabled or deleted before a retry', async () => {
		await play([
			['receiver 500'],
			hook({}, 'disabled'),
			hook({}, 'deleted'),
			...test('disabled'),
			...test('deleted'),
			['PATCH /campaigns/{campaign}/webhooks/{disabled}/toggle 200'],
			['DELETE /campaigns/{campaign}/webhooks/{deleted} 200'],
			...test('disabled'),
			['wait 1000'],
		]);
		expect(receiver.received).toHaveLength(2);
	});
});
