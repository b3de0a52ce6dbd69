import { DateTime } from 'luxon';

import { startChangedService } from '../changedService.mts';
import { harness, type NodeSpec } from '../harness.mts';
import { actionNode, goesOn, resultsOf, type Service, to } from '../service.mts';
import { goTo } from '../VoiceAgentCalling/callRules/ruledCalls.mts';
import { addCalls, agentWorkflow, phone, phoneTool, runAgent } from './kit.mts';

/** When a test begins: each a few days after the one before, whose calls the process remembers. */
let noon = DateTime.fromISO('2031-01-15T12:00:00Z', { zone: 'UTC' });
/** The real calls of the seed on that day. */
const EARLIER_TODAY = 2;

let service: Service;
/** Called before each request of the nodes that places a call, with its number from 1. */
let beforeCall: (count: number) => Promise<void>;
let calls = 0;
beforeAll(async () => {
	const before = async (method: string, { pathname }: URL) => {
		if (method === 'POST' && pathname.endsWith('/call')) {
			await beforeCall(++calls);
		}
		return undefined;
	};
	service = await startChangedService((body) => body, {}, before);
});
beforeEach(async () => {
	noon = noon.plus({ days: 3 });
	goTo(noon);
	beforeCall = async () => undefined;
	calls = 0;
	await service.reset();
});
afterAll(() => harness.restoreTime());

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `+49151123920${10 + index}`);
const [ada, bob] = numbers(2) as [string, string];
const onceADay = { missingVariables: 'ignore', frequencyCap: { values: { atMost: 1, days: 1 } } };
const inTurn = { sending: { maxConcurrentRequests: 1 } };
const real = { testCall: 'never' };
const post = { method: 'POST' };
const lists = { method: 'GET', path: '/api/v1/calls' };
const capped = (more: object = {}, options: object = {}) =>
	service.place({ ...onceADay, ...options }, { ...inTurn, ...real, ...more });
const call = (parameters: NodeSpec['parameters'], more: Partial<NodeSpec> = {}): NodeSpec => ({
	name: 'Call',
	type: actionNode,
	...goesOn,
	...more,
	parameters,
});

/** Lets somebody else call through the same account. */
const othersCall = async (...phones: string[]) => {
	const path = `agents/${service.seed.agents.published}/call`;
	for (const one of phones) {
		expect((await service.api('POST', path, { to: one, is_testing: false })).status).toBe(200);
	}
};
/** A campaign that has its calls for a day before the service lists one. */
const callsLater = async () =>
	await service.api('PUT', `campaigns/${service.seed.campaigns.active}`, { initial_call_delay: 86_400 });

test('three executions at once in one process call each phone once, with Frequency Cap at one call a day', async () => {
	await service.fault({ match: post, kind: 'latency', ms: 50, times: 99 });
	const phones = numbers(6);
	// Each begins with another third of the phones.
	const runs = [0, 2, 4].map(async (from) => {
		const items = to(...phones.slice(from), ...phones.slice(0, from));
		return await service.run(capped(), items, { node: goesOn });
	});
	const results = (await Promise.all(runs)).flatMap(resultsOf);
	expect((await service.dialed()).toSorted()).toEqual(phones);
	const again = Array<string>(12).fill('tooOften');
	expect(results.toSorted()).toEqual([...Array<string>(6).fill('placed'), ...again].toSorted());
});

test('a call that others place while the run lasts counts for Frequency Cap', async () => {
	beforeCall = async (count) => {
		if (count === 1) {
			await othersCall(bob);
			harness.skipTime(3000);
		}
	};
	expect(resultsOf(await service.run(capped(), to(ada, bob), { node: goesOn }))).toEqual(['placed', 'tooOften']);
});

describe('Calls per Day', () => {
	const limited = (callsPerDay: number) => ({ node: goesOn, credentials: service.credentials({ callsPerDay }) });
	const realCalls = async () =>
		(await service.requests('POST', '/call')).filter(({ status }) => Number(status) < 300).length + EARLIER_TODAY;

	test.each<[string, () => NodeSpec['parameters']]>([
		['placed', () => service.place({}, { ...inTurn, ...real })],
		['queued, which the service does not list yet', () => service.queue({}, { ...inTurn, ...real })],
	])('is kept where others call while the run lasts: own calls are %s', async (_how, parameters) => {
		await callsLater();
		const limit = EARLIER_TODAY + 5;
		beforeCall = async (count) => {
			if (count === 2) {
				await othersCall('+12025557001', '+12025557002', '+12025557003');
				harness.skipTime(3000);
			}
		};
		const results = resultsOf(await service.run(parameters(), to(...numbers(6)), limited(limit)));
		expect(await realCalls()).toBe(limit);
		expect(results.slice(2)).toEqual(Array(4).fill('limitReached'));
	});

	test('is kept by three executions at once in one process', async () => {
		await service.fault({ match: post, kind: 'latency', ms: 20, times: 99 });
		const limit = EARLIER_TODAY + 4;
		const runs = [0, 1, 2].map(async (index) => {
			const items = to(...numbers(9).slice(3 * index, 3 * index + 3));
			return await service.run(service.place({}, real), items, limited(limit));
		});
		await Promise.all(runs);
		expect(await realCalls()).toBe(limit);
	});

	test('counts an own call once that the service lists under another ID', async () => {
		const campaign = `campaigns/${service.seed.campaigns.active}`;
		await service.api('PUT', campaign, { max_retries: 0, initial_call_delay: 0 });
		const limit = EARLIER_TODAY + 2;
		const spec = {
			nodes: [
				harness.sourceOf(to(ada)),
				call(service.queue({}, real)),
				{ name: 'Wait', type: 'harness.noOp' },
				call(service.place({}, { ...real, phoneNumber: bob }), { name: 'Next' }),
				call(service.place({}, { ...real, phoneNumber: '+12025557001' }), { name: 'Beyond' }),
			],
			credentials: service.credentials({ callsPerDay: limit }),
		};
		const { nodes } = await harness.runWorkflow(spec);
		const results = ['Call', 'Next', 'Beyond'].map((name) => nodes[name]?.flatMap(resultsOf));
		expect(results).toEqual([['queued'], ['placed'], ['limitReached']]);
	});
});

test('the calls of an execution count for Frequency Cap in its other nodes and tools, though the service lists none', async () => {
	await callsLater();
	const phoneNumber = { phoneNumber: ada };
	const spec = agentWorkflow(service, 'agent', [[phone(ada)]], [phoneTool(service, real, onceADay, goesOn)]);
	const ran = await runAgent({
		...spec,
		nodes: [
			...spec.nodes,
			call(service.queue({ missingVariables: 'ignore' }, { ...real, ...phoneNumber }), { name: 'First' }),
			call(capped(phoneNumber), { name: 'Last' }),
		],
		connections: { Source: [['First']], First: [['Agent']], Agent: [['Last']] },
	});
	expect([ran.nodes.Last?.flatMap(resultsOf), await service.dialed()]).toEqual([['tooOften'], [ada]]);
});

test('a delayed call counts for Frequency Cap when it rings', async () => {
	const delayed = service.place({ missingVariables: 'ignore', delay: 3600 }, real);
	const spec = {
		nodes: [
			harness.sourceOf(to(ada)),
			call(delayed),
			call(capped({ phoneNumber: ada }), { name: 'Next', onError: 'stopWorkflow' }),
		],
		credentials: service.credentials(),
	};
	// The second node cannot read the list: a person retries the execution on the next day.
	await service.fault({ match: lists, kind: 'status', status: 403, times: 9 });
	const ran = await harness.runWorkflow(spec);
	expect([ran.status, await service.dialed()]).toEqual(['error', [ada]]);
	await fetch(`${service.url}/_sandbox/faults`, { method: 'DELETE' });
	goTo(noon.plus({ hours: 24, minutes: 30 }));
	const early = await harness.retryWorkflow(spec, ran);
	expect(early.nodes.Next?.flatMap(resultsOf)).toEqual(['tooOften']);
	goTo(noon.plus({ hours: 25, minutes: 1 }));
	const late = await harness.retryWorkflow(spec, ran);
	expect(late.nodes.Next?.flatMap(resultsOf)).toEqual(['placed']);
});

describe('In an account with many calls, Frequency Cap', () => {
	const MANY = 4000;
	const requestsOf = async (work: () => Promise<unknown>) => {
		const { length } = await service.requests();
		await work();
		return (await service.requests()).length - length;
	};

	test('costs at most three requests more for one item, in a node and in a tool', async () => {
		await addCalls(service, MANY);
		const tool = async (options: object, one: string) => {
			const spec = agentWorkflow(service, 'agent', [[phone(one)]], [phoneTool(service, real, options, goesOn)]);
			await runAgent(spec);
		};
		const ignore = { missingVariables: 'ignore' };
		const [plain, withCap] = [
			await requestsOf(async () => await service.run(service.place(ignore, real), to(ada))),
			await requestsOf(async () => await service.run(capped(), to(bob))),
		];
		expect(withCap - plain).toBeLessThanOrEqual(3);
		const [third, fourth] = numbers(4).slice(2) as [string, string];
		const ofTool = [
			await requestsOf(async () => await tool(ignore, third)),
			await requestsOf(async () => await tool(onceADay, fourth)),
		] as const;
		expect(ofTool[1] - ofTool[0]).toBeLessThanOrEqual(3);
		expect((await service.dialed()).toSorted()).toEqual(numbers(4));
		expect(resultsOf(await service.run(capped(), to(ada)))).toEqual(['tooOften']);
	});
});

test('Calls per Day reads one page where the limit is far, however many calls the account has', async () => {
	await addCalls(service, 3000);
	const credentials = service.credentials({ callsPerDay: 9000 });
	const ran = await service.run(service.place({}, real), to(...numbers(9)), { credentials });
	expect(resultsOf(ran)).toEqual(Array(9).fill('placed'));
	expect((await service.requests('GET', lists.path)).length).toBeLessThanOrEqual(2);
});

test.each<[string, (one: string) => NodeSpec['parameters']]>([
	['Place', () => service.place({ missingVariables: 'ignore' }, inTurn)],
	['Queue Call', () => service.queue({ missingVariables: 'ignore' }, inTurn)],
	[
		'Make API Request',
		() => ({
			resource: 'service',
			operation: 'makeApiRequest',
			method: 'POST',
			path: `agents/${service.seed.agents.published}/call`,
			...inTurn,
			options: { body: '={{ { to: $json.to } }}' },
		}),
	],
])('%s: a withheld call is a result and no error, also with On Error at stop', async (_name, parameters) => {
	const options = { credentials: service.credentials({ callsPerRun: 1 }) };
	const ran = await service.run(parameters(ada), to(ada, bob), options);
	expect([ran.run.status, resultsOf(ran)[1]]).toEqual(['success', 'limitReached']);
	expect(await service.dialed()).toEqual([ada]);
});
