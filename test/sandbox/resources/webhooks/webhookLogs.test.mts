import { asList, asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { agentWebhookOn, webhookOn } from '../../objects.mts';
import { startWebhookReceiver, type WebhookReceiver } from '../../webhookReceiver.mts';

const DAY = 86_400;
const OWNERS = [
	{
		of: 'an agent',
		create: agentWebhookOn,
		path: ({ seed }: SandboxClient) => `/agents/${seed.agents.published}`,
		owner: ({ seed }: SandboxClient) => seed.agents.published,
		event: 'event_phone_call_started',
		refused: { message: expect.any(String) },
	},
	{
		of: 'a campaign',
		create: webhookOn,
		path: ({ seed }: SandboxClient) => `/campaigns/${seed.campaigns.active}`,
		owner: ({ seed }: SandboxClient) => seed.campaigns.active,
		event: 'campaign_call.queued',
		refused: { success: false, message: expect.any(String) },
	},
];

describe.each(OWNERS)('the log of the webhook of $of', (kind) => {
	let service: SandboxClient;
	let receiver: WebhookReceiver;
	let webhook: string;
	let logs: string;
	const ofAgent = kind.of === 'an agent';
	const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

	beforeEach(async () => {
		service = await startClient();
		receiver = await startWebhookReceiver();
		webhook = await hook({ max_retries: 2 });
		logs = `${kind.path(service)}/webhooks/${webhook}/logs`;
	});
	afterEach(async () => {
		receiver.close();
		await service.close();
	});

	const hook = (settings: object) =>
		kind.create(service, kind.owner(service), receiver.url, { events: [kind.event], ...settings });
	/** A call that sends the webhook one event. */
	const happen = async () => {
		await service.api('POST', `${kind.path(service)}/call`, { to: '+12025550002', allow_duplicates: true });
		await service.advance(0);
	};
	const log = async (query = '') => asList((await service.api('GET', `${logs}${query}`)).data.data);
	const change = (settings: object) => service.api('PUT', logs.replace(/\/logs$/, ''), settings);
	const retry = (entry: Json | undefined) => service.api('POST', `${logs}/${asText(entry?.id)}/retry`);
	const retried = async (entry: Json | undefined) => {
		const { status, data } = await retry(entry);
		await service.advance(0);
		expect([status, data]).toEqual([
			200,
			{
				success: true,
				message: expect.any(String),
				data: {
					log_id: expect.any(String),
					original_log_id: entry?.id,
					...(ofAgent ? { queued_at: time } : {}),
				},
			},
		]);
		return data.data.log_id;
	};
	const expectNotRetriable = async (entry: Json | undefined) => {
		const before = receiver.received.length;
		const { status, data } = await retry(entry);
		expect([status, data]).toEqual([422, { success: false, message: expect.any(String), code: 'LOG_NOT_RETRIABLE' }]);
		await service.advance(0);
		expect(receiver.received).toHaveLength(before);
	};

	it('is empty at first', async () => {
		const { status, data } = await service.api('GET', logs);
		const pagination = { current_page: 1, per_page: 25, total: 0, ...(ofAgent ? { last_page: 1 } : {}) };
		expect([status, data]).toEqual([200, { success: true, data: [], pagination }]);
	});

	it('has an entry for each attempt, newest first, with request and response only for an agent', async () => {
		receiver.answer(500, { 'X-Reason': 'tired' });
		await happen();
		receiver.answer(201);
		await service.advance(10);
		const entry = (attempt: number, status: string, http_status: number) => ({
			id: expect.any(String),
			event: kind.event,
			attempt,
			status,
			http_status,
			duration_ms: expect.any(Number),
			delivered_at: time,
			created_at: time,
			...(ofAgent
				? {
						webhook_id: webhook,
						request_payload: receiver.received[0]!.body,
						response_body: 'ok',
						response_headers: expect.objectContaining(attempt === 1 ? { 'x-reason': 'tired' } : {}),
						error: null,
					}
				: {}),
		});
		expect(await log()).toEqual([entry(2, 'success', 201), entry(1, 'failed', 500)]);
	});

	it('shows an attempt as pending, then as retrying until the next starts, and as failed after the last', async () => {
		receiver.answer(null);
		await service.api('POST', `${kind.path(service)}/call`, { to: '+12025550002' });
		while (receiver.received.length === 0) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		const pending = await log();
		expect(pending).toMatchObject([
			{ status: 'pending', http_status: null, duration_ms: null, delivered_at: null, created_at: time },
		]);
		expect((await retry(pending[0])).data.code).toBe('LOG_NOT_RETRIABLE');
		receiver.release(500);
		await service.advance(0);
		const statuses = async () => (await log()).map(({ status }) => status);
		receiver.answer(500);
		expect(await statuses()).toEqual(['retrying']);
		await service.advance(10);
		expect(await statuses()).toEqual(['retrying', 'failed']);
		await service.advance(20);
		expect(await statuses()).toEqual(['failed', 'failed', 'failed']);
	});

	it('shows a retry that a disabled webhook prevented as failed', async () => {
		receiver.answer(500);
		await happen();
		await change({ enabled: false });
		await service.advance(10);
		expect(await log()).toMatchObject([{ attempt: 1, status: 'failed' }]);
	});

	it('has the reason why there was no response', async () => {
		const gone = await startWebhookReceiver();
		gone.close();
		await change({ webhook_url: gone.url, max_retries: 0 });
		await happen();
		const [entry] = await log();
		expect(entry).toMatchObject({ status: 'failed', http_status: null, delivered_at: null });
		if (ofAgent) {
			expect(entry).toMatchObject({ error: 'ECONNREFUSED', response_body: null, response_headers: null });
		}
	});

	it('has pages of 25, or as many as asked for, and an empty one beyond the last', async () => {
		for (let index = 0; index < 27; index += 1) {
			await happen();
		}
		const page = async (query: string) => {
			const { data } = await service.api('GET', `${logs}${query}`);
			return [asList(data.data).length, data.pagination];
		};
		const pagination = (current_page: number, per_page: number, last_page: number) => ({
			...{ current_page, per_page, total: 27 },
			...(ofAgent ? { last_page } : {}),
		});
		expect(await page('')).toEqual([25, pagination(1, 25, 2)]);
		expect(await page('?page=2')).toEqual([2, pagination(2, 25, 2)]);
		expect(await page('?per_page=1&page=27')).toEqual([1, pagination(27, 1, 27)]);
		expect(await page('?per_page=100')).toEqual([27, pagination(1, 100, 1)]);
		expect(await page('?page=3')).toEqual([0, pagination(3, 25, 2)]);
		const ids = (await log('?per_page=100')).map(({ id }) => id);
		expect([...(await log()), ...(await log('?page=2'))].map(({ id }) => id)).toEqual(ids);
	});

	it.each([
		['page', 0],
		['page', 'two'],
		['per_page', 0],
		['per_page', 101],
		['per_page', 1.5],
	])('is refused with %s=%s', async (field, value) => {
		const { status, data } = await service.api('GET', `${logs}?${field}=${value}`);
		expect([status, data]).toEqual([422, { ...kind.refused, errors: { [field]: [expect.any(String)] } }]);
	});

	it('has only the attempts of its own webhook', async () => {
		await hook({});
		await happen();
		expect(receiver.received).toHaveLength(2);
		expect(await log()).toHaveLength(1);
	});

	it('lists 30 days, and older entries cannot be redelivered', async () => {
		await change({ max_retries: 0 });
		receiver.answer(500);
		await happen();
		const [entry] = await log();
		await service.advance(30 * DAY - 60);
		expect(await log()).toHaveLength(1);
		await retried(entry);
		await service.advance(120);
		expect(await log()).toMatchObject([{ attempt: 2 }]);
		await expectNotRetriable(entry);
	});

	it('redelivers a failed delivery in a new entry: same bytes and id, current webhook settings', async () => {
		await change({ max_retries: 0 });
		receiver.answer(500);
		await happen();
		const other = await startWebhookReceiver();
		const custom_headers = [{ key: 'X-New', value: 'yes' }];
		await change({ webhook_url: other.url, custom_headers, http_method: 'PUT', webhook_secret: 's' });
		const [original] = await log();
		const id = await retried(original);
		const { method, raw, headers } = other.received[0]!;
		expect([method, raw]).toEqual(['PUT', receiver.received[0]!.raw]);
		expect(headers).toMatchObject({
			'x-new': 'yes',
			'x-webhook-delivery': receiver.received[0]!.headers['x-webhook-delivery'],
			'x-webhook-attempt': '2',
			'x-webhook-signature': expect.any(String),
		});
		expect(await log()).toEqual([expect.objectContaining({ id, attempt: 2, status: 'success' }), original]);
		other.close();
	});

	it('redelivers the same entry repeatedly while it fails, once per request', async () => {
		await change({ max_retries: 0 });
		receiver.answer(500);
		await happen();
		const [original] = await log();
		await retried(original);
		await change({ max_retries: 10 });
		await retried(original);
		await service.advance(DAY);
		const entries = await log();
		expect(entries.map(({ attempt, status }) => [attempt, status])).toEqual([
			[3, 'failed'],
			[2, 'failed'],
			[1, 'failed'],
		]);
		expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
	});

	it('does not redeliver a delivery that succeeded', async () => {
		await happen();
		await expectNotRetriable((await log())[0]);
	});

	it('does not redeliver while the webhook is disabled', async () => {
		await change({ max_retries: 0 });
		receiver.answer(500);
		await happen();
		await change({ enabled: false });
		await expectNotRetriable((await log())[0]);
		await change({ enabled: true });
		await retried((await log())[0]);
	});

	it('keeps its entries from other webhooks’ routes', async () => {
		receiver.answer(500);
		await happen();
		const other = await hook({});
		const [entry] = await log();
		const { status, data } = await service.api('POST', `${logs.replace(webhook, other)}/${asText(entry?.id)}/retry`);
		expect([status, data]).toEqual([404, { success: false, message: 'Webhook log not found.' }]);
	});
});
