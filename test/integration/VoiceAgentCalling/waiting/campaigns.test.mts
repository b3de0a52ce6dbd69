import { byId, goesOn, inFastTime, until, useService } from '../../service.mts';

const service = useService();

const nobody = '00000000-0000-4000-8000-000000000000';

const wait = (more: object = {}, options: object = {}) => ({
	resource: 'campaign',
	operation: 'waitUntilCompleted',
	waitBy: 'polling',
	campaign: byId('={{ $json.id }}'),
	...more,
	options: { pollInterval: 1, ...options },
});

const setStatus = async (id: string, status: string) =>
	await service.api('PATCH', `campaigns/${id}/status`, { status });

/** Item, ID or error code, status and outcome of each output item. */
function seen(outputs: Array<Array<{ json: Record<string, unknown>; pairedItem?: unknown }> | null>): unknown[] {
	return (outputs[0] ?? []).map(({ json, pairedItem }) => [
		(pairedItem as { item: number }).item,
		json.code ?? json.id,
		json.status,
		json.outcome,
	]);
}

/** How often a campaign was read. */
const reads = async (id: string) => (await service.requests('GET', `/campaigns/${id}`)).length;

describe('By polling', () => {
	test('campaigns that have ended are returned at once, with their statistics, and one that does not exist fails', async () => {
		const { completed, cancelled } = service.seed.campaigns;
		const { body } = await service.api('GET', `campaigns/${completed}`);
		const { name, stats } = body.data as Record<string, unknown>;
		const { outputs } = await service.run(wait(), [{ id: completed }, { id: cancelled }, { id: nobody }, { id: '' }], {
			node: goesOn,
		});
		expect(seen(outputs)).toEqual([
			[0, completed, 'completed', 'completed'],
			[1, cancelled, 'cancelled', 'cancelled'],
			[2, 'CAMPAIGN_NOT_FOUND', undefined, undefined],
			[3, 'INVALID_INPUT', undefined, undefined],
		]);
		expect(outputs[0]?.[0]?.json).toEqual({ id: completed, name, status: 'completed', stats, outcome: 'completed' });
	});

	test('several items with the same campaign share one wait', async () => {
		const { active } = service.seed.campaigns;
		const running = service.run(wait(), [{ id: active }, { id: active }, { id: active }]);
		await until(async () => (await reads(active)) === 1);
		await setStatus(active, 'completed');
		const { outputs } = await inFastTime(async () => await running);
		expect(seen(outputs)).toEqual([0, 1, 2].map((item) => [item, active, 'completed', 'completed']));
		expect(await reads(active)).toBe(2);
	});

	test('when the time is up, a campaign that goes on has the outcome timedOut and its latest statistics', async () => {
		const { active, completed } = service.seed.campaigns;
		const options = { timeLimit: { values: { amount: 7.2, unit: 'seconds' } }, pollInterval: 3600 };
		const running = service.run(wait({}, options), [{ id: active }, { id: completed }, { id: active }]);
		await until(async () => (await reads(active)) === 1);
		await service.api('POST', `campaigns/${active}/call`, { to: '+12025550001' });
		await service.advance(120);
		const { outputs } = await inFastTime(async () => await running);
		expect(seen(outputs)).toEqual([
			[0, active, 'active', 'timedOut'],
			[1, completed, 'completed', 'completed'],
			[2, active, 'active', 'timedOut'],
		]);
		expect(outputs[0]?.[0]?.json.stats).toMatchObject({ completed_calls: 1 });
	});

	test('errors of the service, and a 404 that is not from the service, do not end the wait', async () => {
		const { active, paused, draft } = service.seed.campaigns;
		const running = service.run(wait(), [{ id: active }, { id: paused }, { id: draft }]);
		await until(async () => (await reads(draft)) === 1);
		const match = { method: 'GET' };
		for (const body of ['<h1>Not found</h1>', { message: 'no Route matched with those values' }]) {
			await service.fault({ match, kind: 'status', status: 404, body, times: 3 });
		}
		await service.fault({ match, kind: 'status', status: 500, times: 6 });
		for (const id of [active, paused]) {
			await setStatus(id, 'completed');
		}
		await setStatus(draft, 'cancelled');
		const { outputs, run } = await inFastTime(async () => await running);
		expect(seen(outputs)).toEqual([
			[0, active, 'completed', 'completed'],
			[1, paused, 'completed', 'completed'],
			[2, draft, 'cancelled', 'cancelled'],
		]);
		expect(JSON.stringify(run.stored)).toContain('The service could not be asked about the campaigns for a while');
	});
});
