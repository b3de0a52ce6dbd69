import { setTimeout as sleep } from 'node:timers/promises';

import { harness } from '../../harness.mts';
import { byId, type Service, startService, until } from '../../service.mts';
import { type Published, publishTrigger } from '../../triggers.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());
afterAll(() => harness.restoreTime());

const goOn = { node: { onError: 'continueRegularOutput' as const } };
const nobody = '00000000-0000-4000-8000-000000000000';

const wait = (more: object = {}, options: object = {}) => ({
	...{ resource: 'campaign', operation: 'waitUntilCompleted', waitBy: 'polling' },
	campaign: byId('={{ $json.id }}'),
	...more,
	options: { pollInterval: 1, ...options },
});

const setStatus = async (id: string, status: string) =>
	await service.api('PATCH', `campaigns/${id}/status`, { status });

/** Runs a node while time passes quickly: in each step one second for the node. */
async function fast<Result>(run: Promise<Result>): Promise<Result> {
	let ended = false;
	const end = () => (ended = true);
	run.then(end, end);
	while (!ended) {
		harness.skipTime(1000);
		await sleep(20);
	}
	return await run;
}

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
		const { outputs } = await service.run(
			wait(),
			[{ id: completed }, { id: cancelled }, { id: nobody }, { id: '' }],
			goOn,
		);
		expect(seen(outputs)).toEqual([
			[0, completed, 'completed', 'completed'],
			[1, cancelled, 'cancelled', 'cancelled'],
			[2, 'CAMPAIGN_NOT_FOUND', undefined, undefined],
			[3, 'INVALID_INPUT', undefined, undefined],
		]);
		expect(outputs[0]?.[0]?.json).toEqual({ id: completed, name, status: 'completed', stats, outcome: 'completed' });
		expect(Object.keys(stats as object).sort()).toEqual([
			'average_duration',
			'completed_calls',
			'failed_calls',
			'success_rate',
			'total_calls',
		]);
	});

	test('each campaign is awaited until it is completed, cancelled or deleted, and has its final statistics', async () => {
		const { active, paused, draft } = service.seed.campaigns;
		const { body } = await service.api('POST', `campaigns/${active}/call`, { to: '+12025550001' });
		expect(body).toMatchObject({ campaign_call: { to: '+12025550001' } });
		const running = service.run(wait(), [{ id: active }, { id: paused }, { id: draft }]);
		await until(async () => (await reads(draft)) === 1);
		await service.advance(120);
		await setStatus(active, 'completed');
		await setStatus(paused, 'cancelled');
		await service.api('DELETE', `campaigns/${draft}`);
		const { outputs, run } = await fast(running);
		expect(seen(outputs)).toEqual([
			[0, active, 'completed', 'completed'],
			[1, paused, 'cancelled', 'cancelled'],
			[2, draft, 'draft', 'deleted'],
		]);
		expect(outputs[0]?.[0]?.json.stats).toMatchObject({ completed_calls: 1 });
		const stored = JSON.stringify(run.stored);
		expect(stored).toContain('is paused: it can only complete after somebody sets its status');
		expect(stored).toContain('is a draft: it can only complete');
	});

	test('several items with the same campaign share one wait', async () => {
		const { active } = service.seed.campaigns;
		const running = service.run(wait(), [{ id: active }, { id: active }, { id: active }]);
		await until(async () => (await reads(active)) === 1);
		await setStatus(active, 'completed');
		const { outputs } = await fast(running);
		expect(seen(outputs)).toEqual([0, 1, 2].map((item) => [item, active, 'completed', 'completed']));
		expect(await reads(active)).toBe(2);
	});

	test('when the time is up, a campaign that goes on has the outcome timedOut and its latest statistics', async () => {
		const { active, completed } = service.seed.campaigns;
		const running = service.run(
			wait({}, { timeLimit: { values: { amount: 7.2, unit: 'seconds' } }, pollInterval: 3600 }),
			[{ id: active }, { id: completed }, { id: active }],
		);
		await until(async () => (await reads(active)) === 1);
		await service.api('POST', `campaigns/${active}/call`, { to: '+12025550001' });
		await service.advance(120);
		const { outputs } = await fast(running);
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
		await service.fault({
			match: { method: 'GET' },
			kind: 'status',
			status: 404,
			body: '<h1>Not found</h1>',
			times: 3,
		});
		await service.fault({
			match: { method: 'GET' },
			kind: 'status',
			status: 404,
			body: { message: 'no Route matched with those values' },
			times: 3,
		});
		await service.fault({ match: { method: 'GET' }, kind: 'status', status: 500, times: 6 });
		for (const id of [active, paused]) {
			await setStatus(id, 'completed');
		}
		await setStatus(draft, 'cancelled');
		const { outputs, run } = await fast(running);
		expect(seen(outputs)).toEqual([
			[0, active, 'completed', 'completed'],
			[1, paused, 'completed', 'completed'],
			[2, draft, 'cancelled', 'cancelled'],
		]);
		expect(JSON.stringify(run.stored)).toContain('The service could not be asked about the campaigns for a while');
	});
});

test('Time limit and interval are checked before anything is sent', async () => {
	const { active } = service.seed.campaigns;
	for (const options of [
		{ timeLimit: { values: { amount: 0, unit: 'hours' } } },
		{ timeLimit: { values: { amount: 9000, unit: 'hours' } } },
		{ timeLimit: { values: { amount: 'soon', unit: 'hours' } } },
		{ pollInterval: 0 },
	]) {
		const { outputs } = await service.run(wait({}, options), [{ id: active }], goOn);
		expect(outputs[0]).toMatchObject([{ json: { code: 'INVALID_INPUT' } }]);
	}
	const { outputs } = await service.run(wait({ waitBy: 'luck' }), [{ id: active }], goOn);
	expect(outputs[0]).toMatchObject([{ json: { code: 'INVALID_INPUT' } }]);
	expect(await service.requests()).toEqual([]);
});

describe('By event', () => {
	const webhooksCreated = async () => await service.requests('POST', '/webhooks');
	const refusal = async (credentials = service.credentials()) => {
		const { active, paused, completed } = service.seed.campaigns;
		const ids = [{ id: active }, { id: paused }, { id: completed }];
		const { outputs } = await service.run(wait({ waitBy: 'event' }), ids, { ...goOn, credentials });
		expect(outputs[0]).toMatchObject([0, 1, 2].map((item) => ({ pairedItem: { item }, json: { result: 'failed' } })));
		expect(await service.requests()).toEqual([]);
		return outputs[0]?.[0]?.json as { code: string; message: string };
	};

	test('nothing is sent if the service cannot deliver to the address of this n8n', async () => {
		service.n8nUrl = 'http://localhost:5678';
		const credentials = service.credentials({ baseUrl: 'https://service.example' });
		expect(await refusal(credentials)).toMatchObject({
			code: 'WEBHOOK_URL_NOT_PUBLIC',
			message: expect.stringContaining('Or set Wait By to Polling.'),
		});
		service.n8nUrl = `https://n8n.example/${'x'.repeat(400)}`;
		expect(await refusal(credentials)).toMatchObject({ code: 'WEBHOOK_URL_TOO_LONG' });
		service.n8nUrl = undefined;
	});

	test('nothing is sent if n8n cannot reach its own address of waiting executions', async () => {
		service.n8nUrl = 'http://127.0.0.1:9';
		expect(await refusal()).toMatchObject({
			code: 'NO_ANSWER',
			message: expect.stringMatching(/n8n does not answer at http:\/\/127\.0\.0\.1:9.*Or set Wait By to Polling/),
		});
		service.n8nUrl = undefined;
	});

	describe('in an n8n that answers,', () => {
		let trigger: Published;
		beforeEach(async () => {
			trigger = await publishTrigger(service, { campaign: byId(service.seed.campaigns.paused) });
			service.n8nUrl = trigger.instance.url;
		});
		afterEach(() => {
			service.n8nUrl = undefined;
		});

		test('campaigns that have ended are returned at once, and get no webhook', async () => {
			const { completed, cancelled } = service.seed.campaigns;
			const before = (await webhooksCreated()).length;
			const { outputs, run } = await service.run(wait({ waitBy: 'event' }), [
				{ id: completed },
				{ id: cancelled },
				{ id: completed },
			]);
			expect(run.status).toBe('success');
			expect(seen(outputs)).toEqual([
				[0, completed, 'completed', 'completed'],
				[1, cancelled, 'cancelled', 'cancelled'],
				[2, completed, 'completed', 'completed'],
			]);
			expect(await webhooksCreated()).toHaveLength(before);
		});

		test('the execution sleeps until the others end, each campaign with one webhook whose secret is stored nowhere', async () => {
			const { active, draft, completed } = service.seed.campaigns;
			const ids = [{ id: active }, { id: draft }, { id: active }, { id: completed }];
			const { run } = await service.run(wait({ waitBy: 'event' }), ids);
			expect(run.status).toBe('waiting');
			const stored = JSON.stringify(run.stored);
			const own = async (id: string) => (await service.webhooks(id)).filter(({ name }) => name.startsWith('n8n waits'));
			for (const id of [active, draft]) {
				const [{ webhook_url: url }, second] = await own(id);
				expect(new URL(url).searchParams.get('campaign')).toBe(id);
				expect(second).toBeUndefined();
				const [{ body }] = await service.requests('POST', `/campaigns/${id}/webhooks`);
				const { webhook_secret: secret } = body as { webhook_secret: string };
				expect(secret).toMatch(/^[0-9a-f]{64}$/);
				expect(stored).not.toContain(secret);
			}
		});

		test('with On Error set to stop, a campaign whose webhook cannot be created ends the run, and leaves no webhook', async () => {
			const { active, draft, paused } = service.seed.campaigns;
			const match = { method: 'POST', path: `/api/v1/campaigns/${draft}/webhooks` };
			await service.fault({ match, kind: 'status', status: 422, body: { success: false, message: 'Too many' } });
			const { run } = await service.run(wait({ waitBy: 'event' }), [{ id: active }, { id: draft }, { id: paused }]);
			expect(run.error?.message).toContain('Too many');
			const left = await Promise.all([active, draft, paused].map(async (id) => await service.webhooks(id)));
			expect(left.flat().filter(({ name }) => name.startsWith('n8n waits'))).toEqual([]);
		});
	});
});
