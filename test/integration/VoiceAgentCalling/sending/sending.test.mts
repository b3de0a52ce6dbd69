import type { IDataObject } from 'n8n-workflow';

import type { RequestRecord } from '../../../../sandbox/world/requestRecord.mts';
import { byId, inFastTime, type Service, startService } from '../../service.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const goesOn = { onError: 'continueRegularOutput' } as const;
const contact = (index: number) => ({ to: `+1202555${String(1000 + index)}` });
const contacts = (count: number) => Array.from({ length: count }, (_, index) => contact(index));

const queue = (more: object = {}) => ({
	resource: 'campaign',
	operation: 'queueCall',
	campaign: byId('={{ $json.campaign ?? "' + service.seed.campaigns.active + '" }}'),
	phoneNumber: '={{ $json.to }}',
	testCall: '={{ $json.testCall ?? "never" }}',
	...more,
});
const place = (more: object = {}) => ({
	resource: 'call',
	operation: 'place',
	agent: byId('={{ $json.agent ?? "' + service.seed.agents.published + '" }}'),
	phoneNumber: '={{ $json.to }}',
	testCall: '={{ $json.testCall ?? "never" }}',
	...more,
});
const getCampaign = (more: object = {}) => ({
	resource: 'campaign',
	operation: 'get',
	campaign: byId(service.seed.campaigns.active),
	...more,
});

/** The hints above the output. */
function hintsOf({ run }: Awaited<ReturnType<Service['run']>>): string[] {
	const { data } = run.stored as {
		data: { resultData: { runData: Record<string, Array<{ hints?: Array<{ message: string }> }>> } };
	};
	return Object.values(data.resultData.runData).flatMap((runs) =>
		runs.flatMap(({ hints = [] }) => hints.map(({ message }) => message)),
	);
}

const codes = (items: Array<{ json: IDataObject }> = []) => items.map(({ json }) => json.code ?? 'done');

describe('the pace', () => {
	test('follows the service’s rate limit: all calls are queued, with hardly any request refused', async () => {
		const limited = await startService({ rateLimit: 10, rateWindow: 1 });
		const { outputs } = await limited.run({ ...queue(), campaign: byId(limited.seed.campaigns.active) }, contacts(35));
		expect(codes(outputs[0])).toEqual(contacts(35).map(() => 'done'));
		expect(outputs[0]?.map(({ json }) => json.to)).toEqual(contacts(35).map(({ to }) => to));
		const statuses = (await limited.requests('POST')).map(({ status }) => status);
		expect(statuses.filter((status) => status === 201)).toHaveLength(35);
		expect(statuses.length).toBeLessThanOrEqual(37);
	});

	test.each([
		['nested', { body: { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Slow.', details: { retry_after: 1 } } } }],
		['flat', { body: { success: false, message: 'Slow.', retry_after: 1 } }],
		['in a header', { body: { success: false, message: 'Slow.' }, headers: { 'retry-after': '1' } }],
	])('waits as long as a 429 asks (%s), then sends the call', async (_where, answer) => {
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 429, ...answer });
		const { outputs } = await service.run(place(), contacts(1));
		expect(codes(outputs[0])).toEqual(['done']);
		const [refused, taken] = await service.requests('POST');
		expect(Date.parse(taken?.at ?? '') - Date.parse(refused?.at ?? '')).toBeGreaterThanOrEqual(1000);
		expect([refused?.status, taken?.status]).toEqual([429, 200]);
	});

	test.each([
		['by itself', {}, 6, 50],
		['with 0', { sending: { maxConcurrentRequests: 0 } }, 6, 50],
		['with 5', { sending: { maxConcurrentRequests: 5 } }, 5, 5],
	])(
		'finds out how many requests to send at the same time unless a number is set: %s',
		async (_how, more, low, high) => {
			await service.reset();
			await service.fault({ match: { method: 'POST' }, kind: 'latency', ms: 1000, times: 1000 });
			// Without a read before the first call, whose latency would be the lowest one.
			await service.run(queue({ options: { missingVariables: 'ignore' }, ...more }), contacts(30));
			expect(await service.requests('POST')).toHaveLength(30);
			const { highest } = await service.load();
			expect(highest).toBeGreaterThanOrEqual(low);
			expect(highest).toBeLessThanOrEqual(high);
		},
	);

	/** No request arrives before its turn; the first one may go out at once. */
	const expectTurns = (requests: RequestRecord[], startedAt: number, intervalMs: number) => {
		const arrivals = requests.map(({ at }) => Date.parse(at)).sort((one, other) => one - other);
		for (const [turn, arrival] of arrivals.entries()) {
			expect(arrival - startedAt).toBeGreaterThanOrEqual(turn * intervalMs);
		}
	};

	test('keeps to Max Requests per Minute at even distances', async () => {
		const startedAt = Date.now();
		await service.run(queue({ sending: { maxRequestsPerMinute: 600 } }), contacts(10));
		const requests = await service.requests('POST');
		expect(requests).toHaveLength(10);
		expectTurns(requests, startedAt, 100);
	});

	test('is shared by the pages of a list and by all items', async () => {
		const startedAt = Date.now();
		const { run } = await service.run(
			{
				resource: 'service',
				operation: 'makeApiRequest',
				path: 'calls',
				options: { returnAllPages: true },
				sending: { maxRequestsPerMinute: 1200 },
			},
			[{}, {}],
		);
		expect(run.status).toBe('success');
		const requests = await service.requests('GET', '/calls');
		expect(requests.length).toBeGreaterThanOrEqual(2);
		expectTurns(requests, startedAt, 50);
	});

	test('waits no longer than Max Wait: the error states the required wait', async () => {
		const body = { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Slow.', details: { retry_after: 3600 } } };
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 429, body });
		const { outputs } = await service.run(place({ sending: { maxConcurrentRequests: 1 } }), contacts(3), {
			node: goesOn,
		});
		expect(outputs[0]).toMatchObject([
			{
				json: {
					result: 'failed',
					code: 'RATE_LIMIT_EXCEEDED',
					httpStatus: 429,
					message: expect.stringContaining('3600 seconds'),
				},
			},
			{ json: { result: 'notTried' } },
			{ json: { result: 'notTried' } },
		]);
		expect(await service.requests('POST')).toHaveLength(1);
	});

	test('has settings that are validated before anything is sent', async () => {
		const { outputs } = await service.run(place({ sending: { maxConcurrentRequests: 101 } }), contacts(2), {
			node: goesOn,
		});
		expect(outputs[0]).toMatchObject(
			contacts(2).map(() => ({
				json: { code: 'INVALID_INPUT', message: expect.stringContaining("'Max Concurrent Requests' cannot be 101") },
			})),
		);
		expect(await service.requests()).toEqual([]);
	});
});

describe('an automatic retry', () => {
	test.each([502, 503, 504])('follows a %s to a safe request', async (status) => {
		await service.fault({ match: { method: 'GET' }, kind: 'status', status, times: 2 });
		expect((await service.run(getCampaign())).run.status).toBe('success');
		expect(await service.requests('GET')).toHaveLength(3);
	});

	test('follows a cut connection of a safe request', async () => {
		await service.fault({ match: { method: 'GET' }, kind: 'drop-before' });
		expect((await service.run(getCampaign())).run.status).toBe('success');
		expect(await service.requests('GET')).toHaveLength(2);
	});

	test('ends after the fourth try', async () => {
		await service.fault({ match: { method: 'GET' }, kind: 'status', status: 503, times: 9 });
		const { run } = await inFastTime(async () => await service.run(getCampaign()));
		expect(run.status).toBe('error');
		expect(await service.requests('GET')).toHaveLength(4);
	});

	test('treats a 404 as deleted when the first try was cut off after it succeeded', async () => {
		await service.fault({ match: { method: 'DELETE' }, kind: 'drop-after' });
		const { outputs } = await service.run({
			resource: 'campaign',
			operation: 'delete',
			campaign: byId(service.seed.campaigns.draft),
		});
		expect(outputs[0]).toMatchObject([{ json: { deleted: true } }]);
		expect((await service.requests('DELETE')).map(({ status }) => status)).toEqual([null, 404]);
	});

	test('waits as long as a 503 demands', async () => {
		await service.fault({ match: { method: 'GET' }, kind: 'status', status: 503, headers: { 'retry-after': '1' } });
		await service.run(getCampaign());
		const [first, second] = (await service.requests('GET')).map(({ at }) => Date.parse(at));
		expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1000);
	});

	test('never follows a 503 response to a call', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 503 });
		const { run } = await service.run(place(), contacts(1));
		expect(run.error?.message).toContain('Outcome unknown');
		expect(await service.requests('POST')).toHaveLength(1);
	});
});

describe('items that would fail in the same way are not tried', () => {
	const one = { sending: { maxConcurrentRequests: 1 } };
	const notTried = (reason: string) => ({
		json: { result: 'notTried', code: 'NOT_TRIED', httpStatus: null, message: expect.stringContaining(reason) },
	});

	test('an invalid token', async () => {
		const credentials = service.credentials({ environmentToken: 'another' });
		const { outputs } = await service.run(queue(one), contacts(4), { node: goesOn, credentials });
		expect(outputs[0]).toMatchObject([
			{ json: { result: 'failed', httpStatus: 401 } },
			...[1, 2, 3].map(() => notTried('item 0')),
		]);
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(await service.requests()).toHaveLength(1);
	});

	test('an account without credits; test calls continue', async () => {
		const poor = await startService({ credits: 0 });
		const items = contacts(4).map((item, index) => ({
			...item,
			agent: poor.seed.agents.published,
			testCall: index === 2 ? 'always' : 'never',
		}));
		const { outputs } = await poor.run(place(one), items, { node: goesOn });
		expect(outputs[0]).toMatchObject([
			{ json: { code: 'INSUFFICIENT_CREDITS', httpStatus: 402 } },
			notTried('item 0'),
			{ json: { to: items[2]?.to } },
			notTried('item 0'),
		]);
		expect(await poor.requests('POST')).toHaveLength(2);
	});

	test('a campaign that is not active; another campaign continues', async () => {
		const { active, paused } = service.seed.campaigns;
		const items = contacts(4).map((item, index) => ({ ...item, campaign: index === 2 ? active : paused }));
		const { outputs } = await service.run(queue(one), items, { node: goesOn });
		expect(outputs[0]).toMatchObject([
			{ json: { code: 'CAMPAIGN_NOT_ACTIVE' } },
			notTried('active'),
			{ json: { to: items[2]?.to } },
			notTried('active'),
		]);
		expect(await service.requests('POST')).toHaveLength(2);
	});

	test('an agent that is not active; another agent continues', async () => {
		const { draft, published } = service.seed.agents;
		const items = contacts(4).map((item, index) => ({ ...item, agent: index === 2 ? published : draft }));
		const { outputs } = await service.run(place(one), items, { node: goesOn });
		expect(outputs[0]).toMatchObject([
			{ json: { code: 'AGENT_INACTIVE' } },
			notTried('Publish'),
			{ json: { to: items[2]?.to } },
			notTried('Publish'),
		]);
		expect(await service.requests('POST')).toHaveLength(2);
	});

	test('a service that cannot be reached', async () => {
		const credentials = service.credentials({ baseUrl: 'http://127.0.0.1:9' });
		const run = async () => await service.run(queue(one), contacts(3), { node: goesOn, credentials });
		const { outputs } = await inFastTime(run);
		expect(outputs[0]).toMatchObject([
			{ json: { code: 'UNREACHABLE' } },
			notTried('could not be reached'),
			notTried('could not be reached'),
		]);
	});

	test('an error of one item alone does not stop the others', async () => {
		const body = { success: false, message: 'Invalid.', errors: { payload: ['is odd'] } };
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 422, body });
		const { outputs } = await service.run(queue(one), contacts(3), { node: goesOn });
		expect(codes(outputs[0])).toEqual(['VALIDATION_ERROR', 'done', 'done']);
	});

	test('a refused number with the same status as an inactive campaign does not stop the others', async () => {
		await service.fault({
			match: { method: 'POST' },
			kind: 'status',
			status: 400,
			body: { success: false, message: 'The number is not valid.' },
		});
		const { outputs } = await service.run(queue(one), contacts(3), { node: goesOn });
		expect(codes(outputs[0])).toEqual(['BAD_REQUEST', 'done', 'done']);
	});

	test('uses the error output if there is one', async () => {
		const credentials = service.credentials({ environmentToken: 'another' });
		const { outputs } = await service.run(queue(one), contacts(2), {
			node: { onError: 'continueErrorOutput' },
			credentials,
		});
		expect([outputs[0], outputs[1]?.length]).toEqual([[], 2]);
	});
});

describe('the hint above the output', () => {
	const one = { sending: { maxConcurrentRequests: 1 } };
	const items = () => [contact(1), contact(2), contact(1), { to: '030 1234' }, contact(3), contact(4)];

	test('counts the calls and names the other items', async () => {
		const { active } = service.seed.campaigns;
		await service.api('POST', `campaigns/${active}/call`, contact(2));
		const ran = await service.run(queue(one), items(), { node: goesOn });
		expect(ran.outputs[0]).toHaveLength(6);
		expect(hintsOf(ran)).toEqual([
			expect.stringMatching(
				/^1 of 6 failed: item 3 \(counted from 0\)\. 3 real calls\. 1 of 6 already queued: item 1\. 1 of 6 with the number of another item: item 2\. These items share/,
			),
		]);
	});

	test('names items that were skipped, are unknown or were not tried, and says that nobody was called', async () => {
		const path = `/api/v1/agents/${service.seed.agents.published}/call`;
		await service.fault({ match: { path }, kind: 'drop-after' });
		await service.fault({ match: { path }, kind: 'status', status: 403 });
		await service.fault({ match: { path }, kind: 'status', status: 402 });
		const ran = await service.run(place(one), contacts(5), { node: goesOn });
		expect(hintsOf(ran)).toEqual([
			expect.stringMatching(
				/^2 of 5 failed: items 1-2 \(counted from 0\)\. 1 of 5 unknown: item 0\. The phone may be .* 2 of 5 not tried: items 3-4\. No calls were placed\.$/,
			),
		]);
		const skip = queue({ options: { ifAlreadyQueued: 'skip' } });
		await service.run(skip, contacts(1));
		const skipped = await service.run(skip, contacts(1));
		expect([skipped.outputs[0], hintsOf(skipped)]).toEqual([
			[],
			['No calls were queued. 1 of 1 already queued: item 0 (counted from 0).'],
		]);
	});

	test('counts test calls and real calls as they were sent, by whatever operation', async () => {
		const testCall = '={{ $itemIndex === 0 ? "always" : "never" }}';
		const both = '1 test call: no credits used; the phone may still ring. 2 real calls.';
		expect(hintsOf(await service.run(place({ testCall }), contacts(3)))).toEqual([both]);
		expect(hintsOf(await service.run(queue({ testCall }), contacts(3)))).toEqual([both]);
		const request = {
			resource: 'service',
			operation: 'makeApiRequest',
			method: 'POST',
			path: `agents/${service.seed.agents.published}/call`,
			options: { body: '={{ { to: $json.to, is_testing: $itemIndex === 0 } }}' },
		};
		expect(hintsOf(await service.run(request, contacts(3)))).toEqual([both]);
		const testCallsOnly = { credentials: service.credentials({ testCallsOnly: true }) };
		expect(hintsOf(await service.run(place({ testCall }), contacts(3), testCallsOnly))).toEqual([
			'3 test calls: no credits used; phones may still ring.',
		]);
	});

	test('says how long the run waited for the rate limit, and what was sent again', async () => {
		const limited = { kind: 'status', status: 429, body: { message: 'Slow.', retry_after: 1 } } as const;
		await service.fault({ match: { method: 'GET' }, ...limited });
		await service.fault({ match: { method: 'GET' }, kind: 'status', status: 503 });
		expect(hintsOf(await service.run(getCampaign()))).toEqual([
			expect.stringMatching(
				/^1 of 1 item done\. Waited [1-3] seconds? for the rate limit of the service\. 1 request failed and was sent again\.$/,
			),
		]);
	});

	test('is absent if all went as planned and nobody was called', async () => {
		expect(hintsOf(await service.run(getCampaign()))).toEqual([]);
	});
});

describe('Test Calls Only in the credential', () => {
	test('makes every call a test call', async () => {
		const credentials = service.credentials({ testCallsOnly: true });
		const request = {
			resource: 'service',
			operation: 'makeApiRequest',
			method: 'POST',
			path: `agents/${service.seed.agents.published}/call`,
			options: { body: JSON.stringify({ ...contact(3), is_testing: false }) },
		};
		for (const parameters of [place(), queue(), request]) {
			expect((await service.run(parameters, contacts(1), { credentials })).run.status).toBe('success');
		}
		const bodies = (await service.requests('POST')).map(({ body }) => body);
		expect(bodies).toMatchObject([{ is_testing: true }, { is_testing: true }, { is_testing: true }]);
	});

	test('applies however the path of a call is written', async () => {
		const credentials = service.credentials({ testCallsOnly: true });
		for (const path of ['calls', `agents/${service.seed.agents.published}/Call`]) {
			const request = {
				resource: 'service',
				operation: 'makeApiRequest',
				method: 'POST',
				path,
				options: { body: JSON.stringify(contact(3)) },
			};
			await service.run(request, [{}], { credentials, node: goesOn });
		}
		expect((await service.requests('POST')).map(({ body }) => body)).toMatchObject([
			{ is_testing: true },
			{ is_testing: true },
		]);
	});

	test('changes nothing else', async () => {
		const credentials = service.credentials({ testCallsOnly: true });
		const id = byId(service.seed.campaigns.active);
		await service.run({ resource: 'campaign', operation: 'setStatus', campaign: id, status: 'paused' }, [{}], {
			credentials,
		});
		expect((await service.requests('PATCH')).map(({ body }) => body)).toEqual([{ status: 'paused' }]);
	});
});
