import { harness, type NodeSpec } from '../harness.mts';
import {
	actionNode,
	byId,
	goesOn,
	hintsOf,
	jsonOf,
	loopAround,
	resultsOf,
	retried,
	saidBy,
	to,
	useService,
} from '../service.mts';
import { phoneTool, runAgent, saidByTool } from './kit.mts';

const service = useService();
const [ada, bob] = ['+12025550111', '+12025550122'] as const;
const post = { method: 'POST' };
const inTurn = { sending: { maxConcurrentRequests: 1 } };
const ignore = { missingVariables: 'ignore' };

/** The outcome of the first call is unknown: the phone rings. */
const loseFirst = async () => await service.fault({ match: post, kind: 'drop-after' });
const node = (name: string, parameters: NodeSpec['parameters'], more: Partial<NodeSpec> = {}): NodeSpec => ({
	name,
	type: actionNode,
	...goesOn,
	...more,
	parameters,
});
const place = (options: object = {}, more: object = {}) =>
	service.place({ ...ignore, ...options }, { ...inTurn, ...more });

test('another item with the phone is not tried and says why, and other phones are called', async () => {
	await loseFirst();
	const ran = await service.run(place(), to(ada, '+1 202 555 0111', bob, ada), { node: goesOn });
	expect(await service.dialed()).toEqual([ada, bob]);
	expect(resultsOf(ran)).toEqual(['unknown', 'notTried', 'placed', 'notTried']);
	expect(jsonOf(ran)[1]?.message).toMatch(/unknown/i);
	const [hint] = hintsOf(ran);
	expect(hint).toContain('1 with an unknown outcome (sheet row 2)');
	expect(hint).toContain('Not called: 2 with a number that may be ringing already (sheet rows 3, 5)');
});

test('an item that has another owner, Call Each Time or another kind of call is not tried either', async () => {
	const { body } = await service.api('GET', 'agents?status=published&direction=outbound');
	const agents = (body.data as Array<{ id: string }>).map(({ id }) => id);
	const items = [0, 1, 0].map((agent, index) => ({
		to: ada,
		agent: agents[agent],
		test: index === 2 ? 'always' : 'never',
	}));
	const parameters = place(
		{ repeatedNumber: 'callEachTime' },
		{ agent: byId('={{ $json.agent }}'), testCall: '={{ $json.test }}' },
	);
	await loseFirst();
	const ran = await service.run(parameters, items, { node: goesOn });
	expect([await service.dialed(), resultsOf(ran)]).toEqual([[ada], ['unknown', 'notTried', 'notTried']]);
});

test('another try of the same item is unknown, whatever its variables and metadata are then', async () => {
	await loseFirst();
	await service.fault({ match: post, kind: 'status', status: 422 });
	const options = { metadataJson: '={{ { at: Math.random() } }}', variablesJson: '={{ { at: Math.random() } }}' };
	const parameters = place(options, { sending: { maxConcurrentRequests: 2 } });
	const ran = await service.run(parameters, to(ada, bob), { node: retried });
	expect(saidBy(ran)).toMatch(/^Outcome unknown.* 1 with an unknown outcome \(sheet row 2\)/);
	expect((await service.dialed()).filter((number) => number === ada)).toEqual([ada]);
});

/** Who else in the execution may want to call the phone. */
const others: Record<string, () => NodeSpec> = {
	'another node': () => node('Other', place()),
	'a node with Call Each Time': () => node('Other', place({ repeatedNumber: 'callEachTime' })),
	'a node of a campaign': () => node('Other', service.queue(ignore, inTurn)),
	'a node that sends requests of its own': () =>
		node('Other', {
			resource: 'service',
			operation: 'makeApiRequest',
			method: 'POST',
			path: `agents/${service.seed.agents.published}/call`,
			options: { body: { to: ada } },
		}),
	'a node that is tried again': () => node('Other', place(), retried),
};

/** Whose call is unknown. */
const first = { Place: () => place(), 'Queue Call': () => service.queue(ignore, inTurn) };

test.each<[string, keyof typeof first]>([
	...Object.keys(others).map((name): [string, 'Place'] => [name, 'Place']),
	['another node', 'Queue Call'],
])('%s does not call the phone after an unknown call of %s, and never says that it has', async (name, operation) => {
	await loseFirst();
	const { nodes } = await harness.runWorkflow({
		nodes: [
			harness.sourceOf(to(ada)),
			node('Call', first[operation]()),
			{ name: 'Person', type: 'harness.noOp' },
			{ ...others[name]!(), name: 'Other' },
		],
		connections: { Source: [['Call', 'Person']], Person: [['Other']] },
		credentials: service.credentials(),
	});
	expect(await service.dialed()).toEqual([ada]);
	expect(nodes.Call?.flatMap(resultsOf)).toEqual(['unknown']);
	const [said] = nodes.Other?.flatMap(jsonOf) ?? [];
	expect(said?.result).toMatch(/^(unknown|notTried)$/);
	expect(said?.message).toMatch(/unknown/i);
});

test('a tool does not call the phone of a node, nor a node that of a tool', async () => {
	for (const order of [
		['Call', 'Agent'],
		['Agent', 'Call'],
	] as const) {
		await service.reset();
		await loseFirst();
		const agent = { turns: [[{ tool: 'Phone', input: { phone: ada } }]] as never, failingTries: 0 };
		const ran = await runAgent({
			nodes: [
				harness.sourceOf(to(ada)),
				node('Call', place({}, { phoneNumber: ada })),
				{ name: 'Agent', type: 'harness.agent', parameters: agent },
				phoneTool(service, {}, {}, goesOn),
			],
			connections: { Source: [[order[0]]], [order[0]]: [[order[1]]] },
			tools: { Phone: 'Agent' },
			credentials: service.credentials(),
			id: crypto.randomUUID(),
		});
		expect(await service.dialed()).toEqual([ada]);
		expect(JSON.stringify(saidByTool(ran))).toMatch(/unknown/i);
	}
});

test('a later round of a loop does not call the phone, and its other phones ring in each round', async () => {
	await loseFirst();
	const workflow = { ...loopAround(3, node('Call', place()), to(ada, bob)), credentials: service.credentials() };
	const { nodes } = await harness.runWorkflow(workflow);
	expect(await service.dialed()).toEqual([ada, bob, bob, bob]);
	for (const round of nodes.Call ?? []) {
		const [first, second] = jsonOf(round);
		expect(first?.result).toMatch(/^(unknown|notTried)$/);
		expect(second?.result).toBe('placed');
	}
});

test("n8n's Retry, twice from the same execution, does not call the phone", async () => {
	await loseFirst();
	const spec = {
		nodes: [
			harness.sourceOf(to(ada)),
			node('Call', place()),
			node('Next', place({}, { phoneNumber: bob }), { onError: 'stopWorkflow' }),
			node('Other', place({}, { phoneNumber: ada })),
		],
		connections: { Source: [['Call']], Call: [['Next']], Next: [['Other']] },
		credentials: service.credentials(),
	};
	await service.fault({ match: post, kind: 'status', status: 422 });
	const ran = await harness.runWorkflow(spec);
	expect([ran.status, await service.dialed()]).toEqual(['error', [ada, bob]]);
	for (let count = 0; count < 2; count++) {
		const again = await harness.retryWorkflow(spec, ran);
		expect(again.nodes.Other?.flatMap(resultsOf)).toEqual([expect.stringMatching(/^(unknown|notTried)$/)]);
	}
	expect((await service.dialed()).filter((number) => number === ada)).toEqual([ada]);
});

describe('a call that the service has certainly refused leaves nothing:', () => {
	test('the next item with the number tries, and those after it share its call', async () => {
		await service.fault({ match: post, kind: 'status', status: 422, times: 2 });
		const ran = await service.run(place(), to(ada, ada, ada, ada, bob), { node: goesOn });
		expect(await service.dialed()).toEqual([ada, ada, ada, bob]);
		expect(resultsOf(ran)).toEqual(['failed', 'failed', 'placed', 'sameNumber', 'placed']);
	});

	test('also where all of them are sent at the same time', async () => {
		await service.fault({ match: post, kind: 'status', status: 422 });
		const parameters = place({}, { sending: { maxConcurrentRequests: 5 } });
		const ran = await service.run(parameters, to(ada, ada, ada, ada), { node: goesOn });
		expect(await service.dialed(true)).toEqual([ada]);
		expect(resultsOf(ran).toSorted()).toEqual(['failed', 'placed', 'sameNumber', 'sameNumber']);
	});
});
