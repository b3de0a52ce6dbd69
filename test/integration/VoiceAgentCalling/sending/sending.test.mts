import { byId, goesOn, hintsOf, inFastTime, jsonOf, startService, to, useService } from '../../service.mts';

const service = useService();

const contacts = (count: number) => to(...Array.from({ length: count }, (_, index) => `+1202555${1000 + index}`));
const one = { sending: { maxConcurrentRequests: 1 } };
const getCampaign = () => ({ resource: 'campaign', operation: 'get', campaign: byId(service.seed.campaigns.active) });

test('the pace of two runs at the same time follows the service’s rate limit: all calls are queued once, and few requests are refused', async () => {
	const limited = await startService({ rateLimit: 20, rateWindow: 1 });
	const items = contacts(40);
	const runs = [items.slice(0, 20), items.slice(20)].map(async (half) => await limited.run(limited.queue(), half));
	const done = (await Promise.all(runs)).flatMap(jsonOf);
	expect(done).toMatchObject(items.map(({ to: number }) => ({ result: 'queued', to: number })));
	expect((await limited.dialed(true)).toSorted()).toEqual(items.map(({ to: number }) => number));
	expect((await limited.dialed()).length).toBeLessThanOrEqual(60);
});

test('the settings of the pace are validated before anything is sent', async () => {
	const parameters = service.place({}, { sending: { maxConcurrentRequests: 101 } });
	const ran = await service.run(parameters, contacts(2), { node: goesOn });
	expect(jsonOf(ran)).toMatchObject([{ code: 'INVALID_INPUT' }, { code: 'INVALID_INPUT' }]);
	expect(await service.requests()).toEqual([]);
});

describe('items that would fail in the same way are not tried', () => {
	const notTried = { result: 'notTried', code: 'NOT_TRIED', httpStatus: null };

	test('after an invalid token', async () => {
		const credentials = service.credentials({ environmentToken: 'another' });
		const ran = await service.run(service.queue({}, one), contacts(3), { node: goesOn, credentials });
		expect(jsonOf(ran)).toMatchObject([{ result: 'failed', httpStatus: 401 }, notTried, notTried]);
		expect(ran.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(await service.requests()).toHaveLength(1);
	});

	test('if the service cannot be reached', async () => {
		const credentials = service.credentials({ baseUrl: 'http://127.0.0.1:9' });
		const run = async () => await service.run(service.queue({}, one), contacts(3), { node: goesOn, credentials });
		expect(jsonOf(await inFastTime(run))).toMatchObject([{ code: 'UNREACHABLE' }, notTried, notTried]);
	});

	test.each([
		['an account without credits; test calls', 'INSUFFICIENT_CREDITS'],
		['a campaign that is not active; another campaign', 'CAMPAIGN_NOT_ACTIVE'],
		['an agent that is not active; another agent', 'AGENT_INACTIVE'],
	])('after %s continue', async (_what, code) => {
		const own = code === 'INSUFFICIENT_CREDITS' ? await startService({ credits: 0 }) : service;
		const { agents, campaigns } = own.seed;
		const third = (then: string, other: string) => `={{ $itemIndex === 2 ? '${then}' : '${other}' }}`;
		const parameters = {
			INSUFFICIENT_CREDITS: own.place({}, { testCall: third('always', 'never') }),
			CAMPAIGN_NOT_ACTIVE: own.queue({}, { campaign: byId(third(campaigns.active, campaigns.paused)) }),
			AGENT_INACTIVE: own.place({}, { agent: byId(third(agents.published, agents.draft)) }),
		}[code];
		const ran = await own.run({ ...parameters, ...one }, contacts(4), { node: goesOn });
		const result = code === 'CAMPAIGN_NOT_ACTIVE' ? 'queued' : 'placed';
		expect(jsonOf(ran)).toMatchObject([{ code }, notTried, { result }, notTried]);
		expect(await own.requests('POST')).toHaveLength(2);
	});
});

test('the hint above the output counts test calls and real calls as they were sent, by whatever operation', async () => {
	const testCall = '={{ $itemIndex === 0 ? "always" : "never" }}';
	const request = {
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'POST',
		path: `agents/${service.seed.agents.published}/call`,
		options: { body: '={{ { to: $json.to, is_testing: $itemIndex === 0 } }}' },
	};
	const rings = 'the phone may still ring';
	const holds =
		'the phone may still ring; it holds its number in the campaign, so that a real run skips or postpones it';
	for (const [parameters, placed, after] of [
		[service.place({}, { testCall }), 'placed', rings],
		[service.queue({}, { testCall }), 'queued', holds],
		[request, 'placed', rings],
	] as const) {
		const hints = hintsOf(await service.run(parameters, contacts(3)));
		expect(hints).toEqual([
			`1 test call ${placed}: no credits used; ${after}. 2 real calls ${placed}: phones ring, and credits are spent.`,
		]);
	}
	const credentials = service.credentials({ testCallsOnly: true });
	expect(hintsOf(await service.run(service.place({}, { testCall }), contacts(3), { credentials }))).toEqual([
		"3 test calls placed: no credits used; the credential has 'Test Calls Only'; phones may still ring.",
	]);
	const getAgent = { resource: 'agent', operation: 'get', agent: byId(service.seed.agents.published) };
	expect(hintsOf(await service.run(getAgent))).toEqual([]);
	expect(hintsOf(await service.run(getCampaign()))).toEqual([
		expect.stringMatching(/^Test calls do not count in the statistics: .* all \d+ calls\.$/),
	]);
});

test('Test Calls Only in the credential makes every call a test call, however it is requested, and changes nothing else', async () => {
	const credentials = service.credentials({ testCallsOnly: true });
	const { agents, campaigns } = service.seed;
	const request = (path: string) => ({
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'POST',
		path,
		options: { body: { to: '+12025551003', is_testing: false } },
	});
	const paths = [`agents/${agents.published}/call`, `agents/${agents.published}/Call`, 'calls'].map(request);
	const never = { testCall: 'never' };
	for (const parameters of [service.place({}, never), service.queue({}, never), ...paths]) {
		await service.run(parameters, contacts(1), { credentials, node: goesOn });
	}
	const bodies = (await service.requests('POST')).map(({ body }) => body);
	expect(bodies).toMatchObject(Array(5).fill({ is_testing: true }));
	const pause = { resource: 'campaign', operation: 'setStatus', campaign: byId(campaigns.active), status: 'paused' };
	await service.run(pause, [{}], { credentials });
	expect((await service.requests('PATCH')).map(({ body }) => body)).toEqual([{ status: 'paused' }]);
});
