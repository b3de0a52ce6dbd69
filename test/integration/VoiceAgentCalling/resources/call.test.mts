import { byId, type Service, startService } from '../../service.mts';
import { runMixed, sent } from './mixedItems.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** Places calls directly with the API. @returns their IDs */
async function place(...numbers: string[]): Promise<string[]> {
	const ids: string[] = [];
	for (const to of numbers) {
		const { body } = await service.api('POST', `agents/${service.seed.agents.published}/call`, {
			to,
			is_testing: true,
		});
		ids.push((body.data as { id: string }).id);
	}
	return ids;
}

describe('Call: Get Many', () => {
	const list = (more = {}) => ({ resource: 'call', operation: 'getAll', ...more });

	test('lists the calls of the environment, with ten fields or all', async () => {
		await place('+12025550111', '+12025550122');
		const { outputs } = await service.run(list({ limit: 2 }));
		expect(outputs[0]?.map(({ json }) => json.to).sort()).toEqual(['+12025550111', '+12025550122']);
		expect(Object.keys(outputs[0]?.[0]?.json ?? {})).toHaveLength(10);
		const { body } = await service.api('GET', 'calls?per_page=2');
		const whole = await service.run(list({ limit: 2, output: 'raw' }));
		expect(whole.outputs[0]?.map(({ json }) => json)).toEqual(body.data);
	});

	test('sends the filters of each item', async () => {
		const filters = {
			agent: byId('={{ $json.agent }}'),
			dateFrom: '2026-01-31',
			dateTo: '={{ $json.to }}',
			direction: 'outbound',
			search: '+1202',
			status: 'no-answer',
		};
		const agent = service.seed.agents.published;
		const items = ['2026-03-01', 'some day', '2026-03-02T00:00:00.000+01:00'].map((to) => ({ agent, to }));
		const { outputs } = await service.run(list({ filters }), items, { node: { onError: 'continueRegularOutput' } });
		expect(outputs[0]).toMatchObject([
			{ json: { code: 'INVALID_INPUT', message: expect.stringContaining("'Date To'") }, pairedItem: { item: 1 } },
		]);
		expect((await service.requests()).map(({ path, query }) => [path, query])).toEqualInAnyOrder(
			['2026-03-01', '2026-03-02'].map((date_to) => [
				`/api/v1/agents/${agent}/calls`,
				{
					date_from: '2026-01-31',
					date_to,
					direction: 'outbound',
					search: '+1202',
					status: 'no-answer',
					page: '1',
					per_page: '50',
				},
			]),
		);
	});

	test('lists the calls of the agent of each item, and fails if the agent does not exist', async () => {
		await place('+12025550111');
		const parameters = list({
			limit: 1,
			filters: { search: '+12025550111', agent: byId('={{ $json.agent }}') },
		});
		const agent = service.seed.agents.published;
		const { good, requests } = await runMixed(service, parameters, {
			good: [{ agent }, { agent: service.seed.agents.draft }],
			refused: { agent: NOWHERE },
			wrong: { agent: '' },
			code: 'AGENT_NOT_FOUND',
		});
		expect(good).toMatchObject([[{ to: '+12025550111' }], []]);
		expect(requests.map(({ path, query }) => [path, query])).toEqualInAnyOrder(
			[agent, NOWHERE, service.seed.agents.draft].map((id) => [
				`/api/v1/agents/${id}/calls`,
				{ search: '+12025550111', page: '1', per_page: '1' },
			]),
		);
	});
});

describe('Call: Get Active', () => {
	const find = () => ({
		resource: 'call',
		operation: 'getActive',
		agent: byId('={{ $json.agent ?? $json.own }}'),
		phoneNumber: '={{ $json.phone }}',
	});

	const own = () => [{ own: service.seed.agents.published, phone: '+12025550122' }];

	test.each([
		['an object', { status: 200, body: { success: true, data: {} } }],
		['nothing', { status: 200, body: { success: true } }],
		["a proxy's page", { status: 404, body: '<html>' }],
	])('fails if %s comes in place of the calls', async (_, fault) => {
		const match = { method: 'GET' };
		await service.fault({ match, kind: 'status', ...fault });
		expect((await service.run(find(), own())).run.status).toBe('error');
	});

	test.each([{ success: true }, { success: true, data: {} }, { success: true, data: [] }])(
		'fails if %j comes in place of the agent: there may be no such agent',
		async (body) => {
			const match = { method: 'GET', path: `/api/v1/agents/${service.seed.agents.published}` };
			await service.fault({ match, kind: 'status', status: 200, body });
			const { run } = await service.run(find(), own());
			expect(run.error?.message).toContain('without the agent');
		},
	);

	test('returns the call of each item, and no item if there is no active call', async () => {
		const own = service.seed.agents.published;
		const [id] = await place('+12025550111');
		const { good, requests } = await runMixed(service, find(), {
			good: [
				{ own, phone: '+1 (202) 555-0111' },
				{ own, phone: '+12025550122' },
			],
			refused: { own, agent: NOWHERE, phone: '+12025550111' },
			wrong: { own, phone: '555' },
			code: 'AGENT_NOT_FOUND',
		});
		expect(good).toMatchObject([[{ id, agent_id: own, to: '+12025550111', duration_seconds: expect.any(Number) }], []]);
		expect(new Set(requests.map(({ path }) => path.replace('/api/v1/', '')))).toEqual(
			new Set([
				`agents/${own}/active-call/%2B12025550111`,
				`agents/${NOWHERE}/active-call/%2B12025550111`,
				`agents/${NOWHERE}`,
				`agents/${own}/active-call/%2B12025550122`,
				`agents/${own}`,
			]),
		);
	});

	test('returns no item for a response with an empty list', async () => {
		await service.fault({ match: { method: 'GET' }, kind: 'status', status: 200, body: { success: true, data: [] } });
		const { outputs, run } = await service.run(find(), [{ own: service.seed.agents.published, phone: '+12025550111' }]);
		expect([run.status, outputs[0]]).toEqual(['success', []]);
	});
});

describe('Call: End', () => {
	const end = () => ({
		resource: 'call',
		operation: 'end',
		agent: byId(service.seed.agents.published),
		call: byId('={{ $json.id }}'),
	});

	test('ends the call of each item', async () => {
		const ids = await place('+12025550111', '+12025550122');
		const { good, requests } = await runMixed(service, end(), {
			good: ids.map((id) => ({ id })),
			refused: { id: NOWHERE },
			wrong: { id: '' },
			code: 'NOT_FOUND',
		});
		expect(good).toMatchObject(ids.map((id) => [{ id, status: 'completed', ended_reason: 'ended_by_api' }]));
		const path = `agents/${service.seed.agents.published}/end-call`;
		expect(sent(requests)).toEqualInAnyOrder([ids[0], NOWHERE, ids[1]].map((call_sid) => ['POST', path, { call_sid }]));
	});

	test('gives advice if the call is already over', async () => {
		const [id] = await place('+12025550111');
		await service.run(end(), [{ id }]);
		const { run } = await service.run(end(), [{ id }]);
		expect(run.error).toMatchObject({ description: expect.stringContaining('has already ended') });
	});

	test('a retry does not fail for calls that the first attempt ended', async () => {
		const ids = await place('+12025550111', '+12025550122', '+12025550133');
		await service.fault({
			match: { method: 'POST' },
			kind: 'status',
			status: 403,
			body: { success: false, message: 'Not now.' },
		});
		const { run } = await service.run(
			end(),
			ids.map((id) => ({ id })),
			{ node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } },
		);
		expect(run.status).toBe('success');
		const calls = await service.calls();
		expect(ids.map((id) => calls.find((call) => call.id === id)?.status)).toEqual([
			'completed',
			'completed',
			'completed',
		]);
	});
});
