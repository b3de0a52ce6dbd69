import { startReceiver } from '../../receiver.mts';
import { byId, type Service, startService } from '../../service.mts';
import { runMixed, sent } from './mixedItems.mts';
import { kinds, NOWHERE } from './webhookKinds.mts';

let service: Service;
let receiver: string;
beforeAll(async () => {
	service = await startService();
	receiver = await startReceiver();
});
beforeEach(async () => await service.reset());

describe.each(kinds)('Operations of the webhooks of an owner: $owner', ({ owner, events, ownerOf, noOwner }) => {
	const path = (...more: string[]) => [`${owner}s`, ownerOf(service), 'webhooks', ...more].join('/');
	const parameters = (operation: string, more = {}) => ({
		resource: 'webhook',
		operation,
		source: owner,
		[owner]: byId(ownerOf(service)),
		webhook: byId('={{ $json.id }}'),
		...more,
	});
	/** Registers webhooks directly with the API; their addresses respond with a status. */
	const make = async (count: number, status = 200, more = {}) => {
		const ids: string[] = [];
		for (let n = 0; n < count; n++) {
			const body = { name: `Hook ${n}`, webhook_url: `${receiver}/${status}`, events, max_retries: 0, ...more };
			const { body: created } = await service.api('POST', path(), body);
			ids.push((created.data as { id: string }).id);
		}
		return ids;
	};
	const read = async (id: string) => (await service.api('GET', path(id))).body.data as Record<string, unknown>;
	const bad = { refused: { id: NOWHERE }, wrong: { id: '' }, code: 'NOT_FOUND' };
	const asItems = (ids: string[]) => ids.map((id) => ({ id }));

	test('Get reads the webhook of each item', async () => {
		const ids = await make(2);
		const { good, requests } = await runMixed(service, parameters('get'), { good: asItems(ids), ...bad });
		expect(good).toMatchObject(ids.map((id, n) => [{ id, name: `Hook ${n}`, events, enabled: true }]));
		expect(sent(requests)).toEqualInAnyOrder([ids[0], NOWHERE, ids[1]].map((id) => ['GET', path(String(id)), null]));
		const whole = await service.run(parameters('get', { output: 'raw' }), [{ id: ids[0] }]);
		expect(whole.outputs[0]?.[0]?.json).toEqual(await read(String(ids[0])));
	});

	test('Get Many lists the webhooks of the owner of each item, up to the limit', async () => {
		const ids = await make(3);
		const list = parameters('getAll', { [owner]: byId('={{ $json.owner }}'), limit: 2 });
		const mine = { owner: ownerOf(service) };
		const { good } = await runMixed(service, list, {
			good: [mine, mine],
			refused: { owner: NOWHERE },
			wrong: { owner: '' },
			code: noOwner,
		});
		expect(good.map((items) => items.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(0, 2)]);
		const { outputs } = await service.run({ ...list, returnAll: true }, [mine]);
		expect(outputs[0]?.map(({ json }) => json.id)).toEqual(ids);
	});

	test('Update changes only what was added', async () => {
		const ids = await make(2);
		const before = await read(String(ids[0]));
		const updateFields = { name: '={{ $json.name }}', deliveryTimeout: 60 };
		const items = ids.map((id, n) => ({ id, name: `New ${n}` }));
		const { requests } = await runMixed(service, parameters('update', { updateFields }), {
			good: items,
			refused: { id: NOWHERE, name: 'New' },
			wrong: { id: ids[0], name: 'x'.repeat(256) },
			code: 'NOT_FOUND',
		});
		expect(sent(requests)).toEqualInAnyOrder(
			[items[0], { id: NOWHERE, name: 'New' }, items[1]].map((item) => [
				'PUT',
				path(String(item?.id)),
				{ name: item?.name, timeout: 60 },
			]),
		);
		const after = { ...before, name: 'New 0', timeout: 60, updated_at: expect.anything() };
		expect({ updated_at: 'now', ...(await read(String(ids[0]))) }).toEqual(after);
	});

	test('Update sends all settings, and outputs no secret', async () => {
		const [id] = await make(1);
		const secret = ['signing', 'secret'].join('-');
		const updateFields = {
			name: 'All',
			webhookUrl: `${receiver}/204`,
			events: [events[0]],
			additionalEvents: events[1],
			enabled: false,
			deliveryMethod: 'PUT',
			deliveryTimeout: 5,
			deliveryRetries: 10,
			authorizationScheme: 'bearer',
			signingSecret: secret,
			extraHeaders: { values: [{ name: 'Authorization', value: `Bearer ${secret}` }] },
			payloadTemplates: '{}',
		};
		const { outputs } = await service.run(parameters('update', { updateFields }), [{ id }]);
		expect(sent(await service.requests('PUT'))).toEqual([
			[
				'PUT',
				path(String(id)),
				{
					name: 'All',
					webhook_url: `${receiver}/204`,
					events,
					enabled: false,
					http_method: 'PUT',
					timeout: 5,
					max_retries: 10,
					authorization_scheme: 'bearer',
					webhook_secret: secret,
					custom_headers: [{ key: 'Authorization', value: `Bearer ${secret}` }],
					payload_templates: {},
				},
			],
		]);
		expect(outputs[0]?.[0]?.json).toMatchObject({ id, events });
		expect(JSON.stringify(outputs)).not.toContain(secret);
	});

	test.each([
		['nothing', {}, 'nothing to update'],
		['an empty name', { name: '' }, "'Name' is empty"],
		['an empty secret', { signingSecret: '' }, "'Signing Secret' is empty"],
		['no event', { events: '={{ [] }}' }, "'Events'"],
	])('Update with %s fails without a request', async (_what, updateFields, message) => {
		const { run } = await service.run(parameters('update', { updateFields }), [{ id: NOWHERE }]);
		expect(run.error?.message).toContain(message);
		expect(await service.requests()).toEqual([]);
	});

	test('Update disables and enables a webhook, once, when a response is lost and n8n retries', async () => {
		const ids = await make(3);
		await service.fault({ match: { method: 'PUT' }, kind: 'drop-after' });
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const enable = parameters('update', { updateFields: { enabled: '={{ $json.on ?? false }}' } });
		const { run, outputs } = await service.run(enable, asItems(ids), { node });
		expect(run.status).toBe('success');
		expect(outputs[0]).toMatchObject(ids.map((id, item) => ({ json: { id }, pairedItem: { item } })));
		expect((await Promise.all(ids.map(read))).map(({ enabled }) => enabled)).toEqual([false, false, false]);
		await service.run(
			enable,
			ids.map((id, n) => ({ id, on: n !== 1 })),
		);
		expect((await Promise.all(ids.map(read))).map(({ enabled }) => enabled)).toEqual([true, false, true]);
	});

	test('Delete removes the webhook of each item', async () => {
		const ids = await make(2);
		const { good, requests } = await runMixed(service, parameters('delete'), { good: asItems(ids), ...bad });
		expect(good).toEqual([[{ deleted: true }], [{ deleted: true }]]);
		expect(sent(requests)).toEqualInAnyOrder([ids[0], NOWHERE, ids[1]].map((id) => ['DELETE', path(String(id)), null]));
		expect((await service.api('GET', path(String(ids[0])))).status).toBe(404);
	});

	describe('its deliveries', () => {
		/** Makes a webhook, and delivers `first` events of one type and `other` events of another. */
		const delivered = async (status: number, first: number, other: number) => {
			const [webhookId] = (await make(1, status)) as [string];
			for (let n = 0; n < first + other; n++) {
				await service.deliver({ webhookId, event: events[n < first ? 0 : 1] });
			}
			return webhookId;
		};

		test('Get Deliveries lists the deliveries for each item, up to the limit', async () => {
			const ids = [await delivered(200, 2, 1), await delivered(500, 1, 0)];
			const { good, requests } = await runMixed(service, parameters('getDeliveries', { limit: 2 }), {
				good: asItems(ids),
				...bad,
			});
			expect(good).toMatchObject([
				[{ event: events[1], attempt: 1, status: 'success', http_status: 200 }, { event: events[0] }],
				[{ event: events[0], status: 'failed', http_status: 500 }],
			]);
			expect(Object.keys(good[0]?.[0] ?? {})).not.toContain('request_payload');
			expect(requests.map(({ path: to, query }) => [to.replace('/api/v1/', ''), query])).toEqualInAnyOrder(
				[ids[0], NOWHERE, ids[1]].map((id) => [path(String(id), 'logs'), { page: '1', per_page: '2' }]),
			);
		});

		test('Get Deliveries applies the filters before the limit', async () => {
			const id = await delivered(200, 120, 3);
			const run = async (filters: object, more = {}) =>
				(await service.run(parameters('getDeliveries', { filters, ...more }), [{ id }])).outputs[0]?.map(
					({ json }) => json.event,
				);
			expect(await run({ events: [events[1]] })).toEqual([events[1], events[1], events[1]]);
			expect(await run({ additionalEvents: events[0] }, { limit: 110 })).toEqual(Array(110).fill(events[0]));
			expect(await run({ status: 'success', events }, { returnAll: true })).toHaveLength(123);
			expect(await run({ status: 'failed' }, { returnAll: true })).toEqual([]);
			expect(
				(await service.requests('GET', 'logs')).every(
					({ query }) => Object.keys(query).sort().join() === 'page,per_page',
				),
			).toBe(true);
		});

		test('Redeliver sends a failed event again, and reports an event that cannot be redelivered', async () => {
			const webhookId = await delivered(500, 2, 0);
			const { body } = await service.api('GET', path(webhookId, 'logs'));
			const logs = (body.data as Array<{ id: string }>).map(({ id }) => id);
			const arrived = await delivered(200, 1, 0);
			const { body: more } = await service.api('GET', path(arrived, 'logs'));
			const again = parameters('redeliver', { delivery: byId('={{ $json.log }}') });
			const { good, requests, refusal } = await runMixed(service, again, {
				good: logs.map((log) => ({ id: webhookId, log })),
				refused: { id: arrived, log: (more.data as Array<{ id: string }>)[0]?.id },
				wrong: { id: webhookId, log: '' },
				code: 'LOG_NOT_RETRIABLE',
			});
			expect(good).toMatchObject(logs.map((log) => [{ original_log_id: log, log_id: expect.any(String) }]));
			expect(refusal.message).toContain('Enabled in Update');
			expect(requests.map(({ method, path: to }) => [method, to.endsWith('/retry')])).toEqual(
				Array(3).fill(['POST', true]),
			);
		});
	});
});
