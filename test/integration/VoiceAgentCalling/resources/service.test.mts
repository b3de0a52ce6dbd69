import { useService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

const service = useService();

const request = (more = {}) => ({
	resource: 'service',
	operation: 'makeApiRequest',
	method: 'GET',
	path: '={{ $json.path }}',
	...more,
});
const queryOf = async () => (await service.requests()).map(({ query }) => query);

describe('Service: Make API Request', () => {
	test('returns the response of the service; an error response is an error', async () => {
		const { published, draft } = service.seed.agents;
		const [agent, actions] = [`agents/${published}`, `agents/${draft}/actions`];
		const items = [agent, 'agents/nobody', 'agents//actions', ` /api/v1/${actions} `].map((path) => ({ path }));
		const sent = await expectItems(service, request(), items, [
			(await service.api('GET', agent)).body,
			failed('PATH_NOT_FOUND'),
			failed('INVALID_INPUT'),
			(await service.api('GET', actions)).body,
		]);
		expect(sent).toEqual([agent, 'agents/nobody', actions].map((path) => ['GET', path]));
	});

	test('sends the query from fields or JSON', async () => {
		const pairs = { status: 'draft', per_page: 5 };
		const values = Object.entries(pairs).map(([name, value]) => ({ name, value }));
		await service.run(request({ options: { queryFields: { values } } }), [{ path: 'agents' }]);
		const queryJson = '{"calendar_ids": ["a", "b"]}';
		await service.run(request({ options: { queryJson } }), [{ path: 'calendars/events' }]);
		expect(await queryOf()).toEqual([{ status: 'draft', per_page: '5' }, { 'calendar_ids[]': ['a', 'b'] }]);
	});

	test('sends the body, but none with GET and DELETE, and no empty body', async () => {
		const body = '={{ $json.body ?? { name: "One", owner: null } }}';
		const one = { name: 'One', owner: null };
		const cases: Array<[method: string, path: string, given?: object, arrives?: object]> = [
			...['POST', 'PUT', 'PATCH'].map((method): [string, string, undefined, object] => [
				method,
				'calendars',
				undefined,
				one,
			]),
			['GET', 'campaigns', { a: 1 }],
			['DELETE', `campaigns/${service.seed.campaigns.draft}`, { a: 1 }],
			['POST', `agents/${service.seed.agents.published}/publish`, {}],
		];
		for (const [method, path, given] of cases) {
			await service.run(request({ method, options: { body } }), [{ path, body: given }]);
		}
		const arrived = (await service.requests()).map((request) => [request.method, request.body]);
		expect(arrived).toEqual(cases.map(([method, , , arrives]) => [method, arrives]));
	});

	test.each([
		['an object', { sftp: { password: 'hunter2-of-ada' } }],
		['a list', { servers: [{ name: 'one' }, { private_key: 'hunter2-of-ada' }] }],
	])('hides a secret that the service quotes, also one in %s of the body', async (_where, body) => {
		await service.fault({
			match: { method: 'POST' },
			kind: 'status',
			status: 422,
			body: { message: 'Not hunter2-of-ada' },
		});
		const { run } = await service.run(request({ method: 'POST', options: { body: JSON.stringify(body) } }), [
			{ path: 'calendars' },
		]);
		expect(run.error?.message).toContain('Not [hidden]');
	});

	test('reads all pages with Return All Pages, and returns an item for each entry', async () => {
		const items = ['campaigns', 'voice-templates'].map((path) => ({ path }));
		const { outputs } = await service.run(request({ options: { returnAllPages: true } }), items);
		const lists = ['campaigns?per_page=100', 'voice-templates'].map(async (path, item) => {
			const { data } = (await service.api('GET', path)).body as { data: object[] };
			return data.map((json) => ({ json, pairedItem: { item } }));
		});
		expect(outputs[0]).toEqual((await Promise.all(lists)).flat());
	});

	test('returns an empty item for a response without a body', async () => {
		await service.answer('DELETE', 204, '');
		const { outputs } = await service.run(request({ method: 'DELETE' }), [{ path: 'agents/a/actions/b' }]);
		expect(outputs[0]).toEqual([{ json: {}, pairedItem: { item: 0 } }]);
	});

	test.each([
		'https://example.com/agents',
		'//example.com/agents',
		'agents/../campaigns',
		'..',
		'agents/%2e%2e/x',
		'agents?status=draft',
		'agents#top',
		'agents/',
		'/api/v1',
		'',
	])('rejects the path "%s" without a request', async (path) => {
		expect((await service.run(request(), [{ path }])).run.status).toBe('error');
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
});
