import { type Service, startService } from '../../service.mts';
import { runMixed, sent } from './mixedItems.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const three = [{ n: 1 }, { n: 2 }, { n: 3 }];
const links = (...indexes: number[]) => indexes.map((item) => ({ item }));

describe('Service', () => {
	test('Check Health sends a request for each item', async () => {
		const { outputs } = await service.run({ resource: 'service', operation: 'checkHealth' }, three);
		expect(outputs[0]).toMatchObject(
			links(0, 1, 2).map((pairedItem) => ({ json: { status: expect.any(String) }, pairedItem })),
		);
		expect(await service.requests('GET', '/health')).toHaveLength(3);
	});
});

describe('Service: Make API Request', () => {
	const request = (more = {}) => ({
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'GET',
		path: '={{ $json.path }}',
		...more,
	});

	test('returns the response of the service; an error response is an error', async () => {
		const { published, draft } = service.seed.agents;
		const { good, requests, refusal } = await runMixed(service, request(), {
			good: [{ path: `agents/${published}` }, { path: ` /api/v1/agents/${draft}/actions ` }],
			refused: { path: 'agents/nobody' },
			wrong: { path: 'agents//actions' },
			code: 'NOT_FOUND',
		});
		expect(good).toEqual([
			[(await service.api('GET', `agents/${published}`)).body],
			[(await service.api('GET', `agents/${draft}/actions`)).body],
		]);
		expect(sent(requests)).toEqual(
			[`agents/${published}`, 'agents/nobody', `agents/${draft}/actions`].map((path) => ['GET', path, null]),
		);
		expect(refusal.message).toContain('ot found');
	});

	test('sends the query from fields or JSON', async () => {
		const pairs = {
			queryFields: {
				values: [
					{ name: 'status', value: 'draft' },
					{ name: 'per_page', value: 5 },
				],
			},
		};
		await service.run(request({ options: pairs }), [{ path: 'agents' }]);
		await service.run(request({ options: { queryJson: '{"calendar_ids": ["a", "b"]}' } }), [
			{ path: 'calendars/events' },
		]);
		expect((await service.requests()).map(({ query }) => query)).toEqual([
			{ status: 'draft', per_page: '5' },
			{ 'calendar_ids[]': ['a', 'b'] },
		]);
	});

	test.each(['POST', 'PUT', 'PATCH'])('sends the body with %s', async (method) => {
		await service.run(
			request({ method, options: { body: '={{ { name: $json.name, owner: null } }}' } }),
			['One', 'Two', 'Three'].map((name) => ({ path: 'calendars', name })),
			{ node: { onError: 'continueRegularOutput' } },
		);
		expect((await service.requests(method)).map(({ body }) => body)).toEqual(
			['One', 'Two', 'Three'].map((name) => ({ name, owner: null })),
		);
	});

	test('sends no body with GET and DELETE, and no empty body', async () => {
		const path = `campaigns/${service.seed.campaigns.draft}`;
		await service.run(request({ method: 'GET', options: { body: '{"a": 1}' } }), [{ path }]);
		await service.run(request({ method: 'DELETE', options: { body: '{"a": 1}' } }), [{ path }]);
		await service.run(request({ method: 'POST', options: { body: '{}' } }), [
			{ path: `agents/${service.seed.agents.published}/publish` },
		]);
		expect((await service.requests()).map(({ method, body }) => [method, body ?? null])).toEqual([
			['GET', null],
			['DELETE', null],
			['POST', null],
		]);
	});

	test('reads all pages with Return All Pages, and returns an item for each entry', async () => {
		const all = (await service.api('GET', 'campaigns?per_page=100')).body.data as Array<{ id: string }>;
		await service.run(request({ options: { queryFields: { values: [{ name: 'per_page', value: 1 }] } } }), [
			{ path: 'campaigns' },
		]);
		const { outputs } = await service.run(request({ options: { returnAllPages: true } }), [
			{ path: 'campaigns' },
			{ path: 'voice-templates' },
		]);
		const of = (wanted: number) =>
			outputs[0]?.filter(({ pairedItem }) => (pairedItem as { item: number }).item === wanted).map(({ json }) => json);
		expect(of(0)).toEqual(all);
		expect(of(1)).toEqual((await service.api('GET', 'voice-templates')).body.data);
	});

	test('reports a response without pages', async () => {
		const { run } = await service.run(request({ options: { returnAllPages: true } }), [{ path: 'health' }]);
		expect(run.error).toMatchObject({ description: expect.stringContaining('Return All Pages') });
	});

	test('returns an empty item for a response without a body', async () => {
		await service.fault({ match: { method: 'DELETE' }, kind: 'status', status: 204, body: '' });
		const { outputs } = await service.run(request({ method: 'DELETE' }), [{ path: 'agents/a/actions/b' }]);
		expect(outputs[0]).toEqual([{ json: {}, pairedItem: { item: 0 } }]);
	});

	test.each([
		['https://example.com/agents', 'Base URL'],
		['//example.com/agents', 'Base URL'],
		['agents/../campaigns', '"." or ".."'],
		['..', '"." or ".."'],
		['agents/%2e%2e/x', 'percent-encoding'],
		['agents?status=draft', "'Query'"],
		['agents#top', "'Query'"],
		['agents/', 'empty'],
		['/api/v1', 'empty'],
		['', 'Fill it in'],
	])('rejects the path %s without a request', async (path, advice) => {
		const { run } = await service.run(request(), [{ path }]);
		expect(run.error).toMatchObject({ description: expect.stringContaining(advice) });
		expect(await service.requests()).toEqual([]);
	});

	test.each([
		['agents/a b\\c', 'agents/a%20b%5Cc'],
		['agents/x@example.com:80', 'agents/x%40example.com%3A80'],
		['agents/…', 'agents/%E2%80%A6'],
		['agents/active-call/+49 30', 'agents/active-call/%2B49%2030'],
	])('encodes each segment of the path %s', async (path, arrived) => {
		await service.run(request(), [{ path }]);
		expect((await service.requests()).map((one) => one.path)).toEqual([`/api/v1/${arrived}`]);
	});

	describe.each<[string, () => string, { agent_id?: () => string }]>([
		['through an agent', () => `agents/${service.seed.agents.published}/call`, {}],
		['through a campaign', () => `campaigns/${service.seed.campaigns.active}/call`, {}],
		['through the agent in the body', () => 'calls', { agent_id: () => service.seed.agents.published }],
	])('a call %s', (_how, path, { agent_id: agentId }) => {
		const place = () => request({ method: 'POST', path: path(), options: { body: '={{ $json }}' } });
		const items = () =>
			['+12025550111', '+12025550122', '+12025550133'].map((to) => ({
				to,
				is_testing: true,
				...(agentId && { agent_id: agentId() }),
			}));
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

		test('is placed once for each item', async () => {
			const { run } = await service.run(place(), items());
			expect(run.status).toBe('success');
			expect((await service.requests('POST')).map(({ body }) => (body as { to: string }).to)).toEqual(
				items().map(({ to }) => to),
			);
		});

		test('is never sent twice: without a response, the outcome is unknown, and the phone may be ringing', async () => {
			await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
			const { run, tries } = await service.run(place(), items(), { node: retry });
			expect(tries).toBe(3);
			expect(run.error).toMatchObject({
				message: expect.stringContaining('Outcome unknown'),
				description: expect.stringContaining('phone may be ringing'),
			});
			const numbers = (await service.requests('POST')).map(({ body }) => (body as { to: string }).to);
			expect(numbers.sort()).toEqual(items().map(({ to }) => to));
		});
	});

	test('other POST requests are not sent twice either, and the error does not mention a phone', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const { run } = await service.run(
			request({ method: 'POST', options: { body: '{"name": "One"}' } }),
			[{ path: 'agents' }],
			{
				node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			},
		);
		expect(run.error).toMatchObject({
			message: expect.stringContaining('Outcome unknown'),
			description: expect.not.stringContaining('phone'),
		});
		expect(await service.requests('POST')).toHaveLength(1);
	});
});
