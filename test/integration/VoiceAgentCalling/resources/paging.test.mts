import { type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

describe('Get Many reads all pages', () => {
	const agents = 120;
	/** Responds with a page of the agents of an account with `all` agents. */
	const pages = (all: number) => async (body: { page: number; per_page: number }) => {
		const from = (body.page - 1) * body.per_page;
		const data = Array.from({ length: Math.min(body.per_page, all - from) }, (_, index) => ({
			id: `agent-${from + index}`,
		}));
		return {
			success: true,
			data,
			meta: { current_page: body.page, per_page: body.per_page, total: all, last_page: Math.ceil(all / body.per_page) },
		};
	};
	const answer = async (page: number, perPage: number) =>
		await service.fault({
			match: { method: 'GET', path: '/api/v1/agents' },
			kind: 'status',
			status: 200,
			body: await pages(agents)({ page, per_page: perPage }),
		});
	const parameters = (more: object) => ({ resource: 'agent', operation: 'getAll', ...more });

	test('up to the last one', async () => {
		await answer(1, 100);
		await answer(2, 100);
		const { outputs } = await service.run(parameters({ returnAll: true }));
		expect(outputs[0]?.map(({ json }) => json.id)).toEqual(
			Array.from({ length: agents }, (_, index) => `agent-${index}`),
		);
		expect(new Set(outputs[0]?.map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(new Set(['{"item":0}']));
		expect((await service.requests('GET')).map(({ query }) => query)).toEqual([
			{ page: '1', per_page: '100' },
			{ page: '2', per_page: '100' },
		]);
	});

	test('up to the limit, without requesting more', async () => {
		await answer(1, 100);
		await answer(2, 100);
		const { outputs } = await service.run(parameters({ limit: 101 }));
		expect(outputs[0]).toHaveLength(101);
		await service.reset();
		await answer(1, 7);
		expect((await service.run(parameters({ limit: 7 }))).outputs[0]).toHaveLength(7);
		expect((await service.requests('GET')).map(({ query }) => query)).toEqual([{ page: '1', per_page: '7' }]);
	});

	test.each([0, -5, 'many', 2.5])('and fails without a request for a limit of %s', async (limit) => {
		const { run } = await service.run(parameters({ limit }));
		expect(run.status).toBe('error');
		expect(await service.requests()).toEqual([]);
	});
});
