import { harness, type NodeSpec, type WorkflowRun } from '../../harness.mts';
import {
	actionNode,
	byId,
	goesOn,
	hintsOf,
	jsonOf,
	loopAround,
	resultsOf,
	retried,
	shortWait,
	to,
	useService,
} from '../../service.mts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The real calls of today in the seed: at 13:00 there are three, every four hours, and the last one is a test call. */
const EARLIER_TODAY = 2;

// No test runs at midnight.
beforeAll(() => harness.skipTime(DAY_MS + 13 * HOUR_MS - (Date.now() % DAY_MS)));
const service = useService();
afterAll(() => harness.restoreTime());

const numbers = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => `+1202555${String(1001 + 10 * (from + index))}`);
const contacts = (count: number) => to(...numbers(count));
const inTurn = { sending: { maxConcurrentRequests: 1 } };
const polling = { waitBy: 'polling' };
const never = { testCall: 'never' };
const place = (options: object = {}, more: object = {}) => service.place(options, { ...never, ...more });

/** All operations that call. */
const calling: Record<string, () => NodeSpec['parameters']> = {
	Place: () => place(),
	'Place and Wait': () => place(shortWait, { operation: 'placeAndWait', ...polling }),
	'Queue Call': () => service.queue({}, never),
	'Queue Call and Wait': () => service.queue(shortWait, { ...never, operation: 'queueCallAndWait', ...polling }),
	'Make API Request': () => ({
		resource: 'service',
		operation: 'makeApiRequest',
		method: 'POST',
		path: `agents/${service.seed.agents.published}/call`,
		options: { body: '={{ { to: $json.to } }}' },
	}),
};

const limited = (limits: { callsPerRun?: unknown; callsPerDay?: unknown; testCallsOnly?: boolean }) => ({
	credentials: service.credentials(limits as { callsPerRun?: number }),
});
const called = async () => await service.dialed(true);
/** How often the list of calls was read. */
const counts = async () => (await service.requests('GET', '/api/v1/calls')).length;
const times = (count: number, result: string) => Array.from({ length: count }, () => result);
const path = '/api/v1/calls';

/** An agent for the third item, and another one for the others. The service refuses the first call of the third item. */
async function refusedOnce() {
	const { body } = await service.api('GET', 'agents?status=published&direction=outbound');
	const { published } = service.seed.agents;
	const { id } = (body.data as Array<{ id: string }>).find((agent) => agent.id !== published)!;
	await service.answer(`POST agents/${id}/call`, 403);
	return byId(`={{ $itemIndex === 2 ? '${id}' : '${published}' }}`);
}

/** Runs `work` while time passes twenty times as fast, and leaves the clock where it is then. */
async function whileTimePasses<Result>(work: Promise<Result>): Promise<Result> {
	const timer = setInterval(() => harness.skipTime(1000), 50);
	return await work.finally(() => clearInterval(timer));
}

/** A loop around a node; each round has the next items. @returns the results of each round */
async function loopOf(rounds: number, perRound: number, limits: object, parameters: object, node: object = {}) {
	const phoneNumber = `={{ '+1202555' + (1001 + 10 * ($runIndex * ${perRound} + $itemIndex)) }}`;
	const items = Array.from({ length: perRound }, (_, index) => ({ index }));
	const loop = loopAround(rounds, { parameters: { ...parameters, phoneNumber }, ...node }, items);
	const options = { package: await harness.packageWithTool() };
	return (await harness.runWorkflow({ ...loop, ...limited(limits) }, options)).nodes.Call?.map(resultsOf);
}

describe('Calls per Run', () => {
	test('of 100 items and a limit of 50 calls the first 50, with On Error at stop', async () => {
		const ran = await service.run(place(), contacts(100), limited({ callsPerRun: 50 }));
		expect(ran.run.status).toBe('success');
		expect((await called()).toSorted()).toEqual(numbers(50).toSorted());
		expect(resultsOf(ran)).toEqual([...times(50, 'placed'), ...times(50, 'limitReached')]);
		expect(jsonOf(ran)[99]).toMatchObject({
			to: numbers(1, 99)[0],
			code: 'CALL_LIMIT_REACHED',
			message: expect.stringContaining('allows 50. Sent before: 0; for items before this one: 50.'),
		});
		expect(hintsOf(ran)[0]).toContain('50 beyond a limit (sheet rows 52-101)');
		expect(await counts()).toBe(0);
	});

	test('counts no item that is not to be called anyway, and no number twice that several items have', async () => {
		const [first, second, third, fourth] = numbers(4) as [string, string, string, string];
		const items = to(first, 'no number', second, first, third, fourth, third, fourth);
		const ran = await service.run(place({ blockedNumbers: second }), items, {
			node: goesOn,
			...limited({ callsPerRun: 2 }),
		});
		const more = ['placed', 'limitReached', 'sameNumber', 'limitReached'];
		expect(resultsOf(ran)).toEqual(['placed', 'failed', 'blocked', 'sameNumber', ...more]);
		expect(await called()).toEqual([first, third]);
		const each = place({ repeatedNumber: 'callEachTime' });
		const again = await service.run(each, to(first, first, first), limited({ callsPerRun: 2 }));
		expect(resultsOf(again)).toEqual(['placed', 'placed', 'limitReached']);
	});

	test('holds for all rounds of a loop together', async () => {
		expect(await loopOf(3, 3, { callsPerRun: 5 }, place())).toEqual([
			times(3, 'placed'),
			['placed', 'placed', 'limitReached'],
			times(3, 'limitReached'),
		]);
		expect(await called()).toEqual(numbers(5));
	});

	test('holds for all nodes of an execution together, and for each execution anew', async () => {
		const workflow = {
			nodes: [
				harness.sourceOf(contacts(3)),
				{ name: 'First', type: actionNode, parameters: place() },
				{ name: 'Second', type: actionNode, parameters: service.queue({}, never) },
			],
			...limited({ callsPerRun: 4 }),
		};
		const resultsIn = ({ nodes }: WorkflowRun) => [nodes.First, nodes.Second].map((runs) => runs?.flatMap(resultsOf));
		const first = await harness.runWorkflow(workflow);
		expect(resultsIn(first)).toEqual([times(3, 'placed'), ['queued', 'limitReached', 'limitReached']]);
		const second = await harness.runWorkflow(workflow);
		expect(resultsIn(second)).toEqual([times(3, 'placed'), ['alreadyQueued', 'queued', 'limitReached']]);
		expect(await called()).toHaveLength(8);
	});

	test('is not used up by a call that was queued before, or that the service refuses', async () => {
		const parameters = service.queue({}, { ...never, ...inTurn });
		await service.run(parameters, contacts(3));
		await service.fault({ match: { method: 'POST' }, kind: 'latency', ms: 0, times: 3 });
		await service.fault({ match: { method: 'POST' }, kind: 'status', status: 403 });
		const ran = await service.run(parameters, contacts(9), { node: goesOn, ...limited({ callsPerRun: 3 }) });
		const had = [...times(3, 'alreadyQueued'), 'failed'];
		expect(resultsOf(ran)).toEqual([...had, ...times(3, 'queued'), ...times(2, 'limitReached')]);
	});

	test('gives the place of a call that the service refused to another round, and keeps that of an unknown one', async () => {
		const match = { method: 'POST' };
		await service.fault({ match, kind: 'status', status: 403 });
		const rounds = async () => await loopOf(3, 1, { callsPerRun: 1 }, place(), goesOn);
		expect(await rounds()).toEqual([['failed'], ['placed'], ['limitReached']]);
		await service.fault({ match, kind: 'drop-after' });
		expect(await rounds()).toEqual([['unknown'], ['limitReached'], ['limitReached']]);
	});

	test.each(['tries of Retry On Fail', "n8n's Retry"])('counts each call once over %s', async (how) => {
		const isSameExecution = how !== "n8n's Retry";
		const parameters = place({}, { ...inTurn, agent: await refusedOnce() });
		const workflow = {
			nodes: [
				harness.sourceOf(contacts(6)),
				{ name: 'Call', type: actionNode, parameters, ...(isSameExecution && retried) },
			],
			...limited({ callsPerRun: 4, callsPerDay: EARLIER_TODAY + 4 }),
		};
		let run = await harness.runWorkflow(workflow);
		if (!isSameExecution) {
			expect(run.status).toBe('error');
			run = await harness.retryWorkflow(workflow, run);
		}
		expect(run.nodes.Call?.map(resultsOf).at(-1)).toEqual([...times(4, 'placed'), ...times(2, 'limitReached')]);
		expect(await called()).toEqual(numbers(4));
	});
});

test.each(Object.keys(calling))('the limits for a run and for a day hold for %s', async (name) => {
	const run = async (limits: object) =>
		await whileTimePasses(service.run(calling[name]!(), contacts(4), limited(limits)));
	expect(resultsOf(await run({ callsPerRun: 2 })).slice(2)).toEqual(times(2, 'limitReached'));
	expect(await called()).toEqual(numbers(2));
	await service.reset();
	const ran = await run({ callsPerDay: EARLIER_TODAY + 3 });
	const now = Date.now();
	const next = new Date(now - (now % DAY_MS) + DAY_MS).toISOString();
	const message = expect.stringContaining("'Calls per Day' (UTC) of the credential allows 5. Sent before: 2 or more;");
	expect(jsonOf(ran)[3]).toMatchObject({ result: 'limitReached', nextAllowedAt: next, message });
	expect(await called()).toEqual(numbers(3));
});

test('an item that a refused call would have kept from calling says which rule keeps it', async () => {
	const path = `/api/v1/agents/${service.seed.agents.published}/call`;
	await service.fault({ match: { method: 'POST', path }, kind: 'latency', ms: 0 });
	await service.fault({ match: { method: 'POST', path }, kind: 'status', status: 422 });
	const [london, berlin] = numbers(2, 80);
	const items = [
		{ to: london, testCall: 'never' },
		{ to: berlin, testCall: 'always' },
		{ to: berlin, testCall: 'never' },
	];
	const frequencyCap = { values: { atMost: 1, days: 7 } };
	const parameters = service.place({ frequencyCap }, { ...inTurn, testCall: '={{ $json.testCall }}' });
	const ran = await service.run(parameters, items, { node: goesOn, ...limited({ callsPerDay: EARLIER_TODAY + 1 }) });
	expect(resultsOf(ran)).toEqual(['placed', 'failed', 'limitReached']);
});

test('an item beyond the limits of the run in the plan says that the day is over, if that is what keeps it then', async () => {
	await service.fault({ match: { method: 'POST' }, kind: 'status', status: 422 });
	const phones = numbers(4, 85);
	const items = phones.map((phone, index) => ({ to: phone, testCall: index % 2 === 0 ? 'always' : 'never' }));
	const parameters = service.place({}, { ...inTurn, testCall: '={{ $json.testCall }}' });
	const limits = limited({ callsPerRun: 3, callsPerDay: EARLIER_TODAY + 1 });
	const ran = await service.run(parameters, items, { node: goesOn, ...limits });
	expect(resultsOf(ran)).toEqual(['failed', 'placed', 'placed', 'limitReached']);
	expect(jsonOf(ran)[3]!.message).toContain("'Calls per Day'");
});

describe('Calls per Day', () => {
	test('reads the total every two seconds if it shows that the limit is far, otherwise all pages', async () => {
		const began = performance.now();
		await service.run(place(), contacts(100), limited({ callsPerDay: 500 }));
		const seconds = (performance.now() - began) / 1000;
		expect((await called()).length).toBe(100);
		expect(await counts()).toBeLessThanOrEqual(1 + seconds / 2);
		const results = async (callsPerDay: number) =>
			resultsOf(await service.run(place(), contacts(3), limited({ callsPerDay })));
		expect(await results(EARLIER_TODAY + 100)).toEqual(times(3, 'limitReached'));
		expect(await results(EARLIER_TODAY + 101)).toEqual(['placed', 'limitReached', 'limitReached']);
	});

	test('counts a call of a model that uses a tool', async () => {
		const parameters = place({}, { phoneNumber: "={{ $fromAI('phone') }}" });
		const limits = { ...limited({ callsPerDay: EARLIER_TODAY + 2 }), workflowId: 'day' };
		const call = await harness.mcpTool({ parameters }, limits);
		const [first, second, third] = numbers(3);
		await call({ phone: first });
		await call({ phone: second });
		expect(await call({ phone: third })).toMatch(/limitReached.*'Calls per Day'/s);
		expect(await called()).toEqual(numbers(2));
	});

	test('counts what the execution has sent, although the service does not list it yet', async () => {
		const pagination = { current_page: 1, last_page: 1, per_page: 100, total: 0 };
		const body = { success: true, data: [], pagination };
		await service.fault({ match: { method: 'GET', path }, kind: 'status', status: 200, body, times: 99 });
		const rounds = await loopOf(3, 2, { callsPerDay: 3 }, service.queue({}, never));
		expect(rounds).toEqual([times(2, 'queued'), ['queued', 'limitReached'], times(2, 'limitReached')]);
	});

	test('counts a call of the execution once, that the service lists at once', async () => {
		const rounds = await loopOf(2, 2, { callsPerDay: EARLIER_TODAY + 3 }, place());
		expect(rounds).toEqual([times(2, 'placed'), ['placed', 'limitReached']]);
	});

	test('begins anew at midnight in UTC', async () => {
		const calls = async () => await service.run(place(), contacts(3), limited({ callsPerDay: 3 }));
		await calls();
		harness.skipTime(11 * HOUR_MS);
		await calls();
		harness.skipTime(13 * HOUR_MS);
		expect(await called()).toHaveLength(4);
	});

	test('has no test calls, which count for the run', async () => {
		const parameters = place({}, { testCall: '={{ $itemIndex % 2 === 0 ? "always" : "never" }}' });
		const results = async (limits: object) => resultsOf(await service.run(parameters, contacts(4), limited(limits)));
		const three = [...times(3, 'placed'), 'limitReached'];
		expect(await results({ callsPerDay: EARLIER_TODAY + 1 })).toEqual(three);
		expect(await results({ callsPerRun: 3 })).toEqual(three);
		expect(await results({ callsPerDay: 1, testCallsOnly: true })).toEqual(times(4, 'placed'));
	});
});

describe('If the calls of today cannot be counted', () => {
	const ok = (body: object) => ({ kind: 'status', status: 200, body }) as const;

	test('nobody is called, and each item says so', async () => {
		await service.fault({ match: { method: 'GET', path }, times: 99, kind: 'status', status: 403 });
		const ran = await service.run(place(), contacts(3), { node: goesOn, ...limited({ callsPerDay: 5 }) });
		const message = expect.stringContaining("could not be counted for 'Calls per Day'");
		expect(jsonOf(ran)).toMatchObject(times(3, 'failed').map((result) => ({ result, message })));
		expect(await called()).toEqual([]);
	});

	test.each([
		['does not say when it was', { id: 'a', direction: 'outbound', is_testing: false }],
		['does not say what it is', { id: 'a', created_at: 'yesterday' }],
		['calls a test by another word', { id: 'a', is_testing: 'yes' }],
	])('a call counts that %s', async (_what, call) => {
		const pagination = { current_page: 1, last_page: 1, per_page: 100, total: 1 };
		const fault = ok({ success: true, data: [call], pagination });
		await service.fault({ match: { method: 'GET', path }, times: 99, ...fault });
		const ran = await service.run(place(), contacts(3), limited({ callsPerDay: 2 }));
		expect(resultsOf(ran)).toEqual(['placed', 'limitReached', 'limitReached']);
	});
});

test('A limit of the credential that is no whole number calls nobody, and lets everything else be done', async () => {
	const options = limited({ callsPerRun: 'many' });
	expect((await service.run(place(), contacts(3), options)).run.status).toBe('error');
	expect(await called()).toEqual([]);
	const list = await service.run({ resource: 'campaign', operation: 'getAll' }, [{}], options);
	expect(list.run.status).toBe('success');
});
