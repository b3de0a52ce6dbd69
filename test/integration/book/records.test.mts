import { harness, type NodeSpec, type WorkflowRun } from '../harness.mts';
import { actionNode, byId, goesOn, jsonOf, resultsOf, retried, saidBy, to, useService } from '../service.mts';
import { teach } from '../VoiceAgentCalling/callRules/ruledCalls.mts';
import { agentWorkflow, phone, phoneTool, runAgent, saidByTool } from './kit.mts';

const service = useService({ rateLimit: 1_000_000 });
const [ada, bob, cleo] = ['+12025550111', '+12025550122', '+12025550133'] as const;
const post = { method: 'POST' };
const inTurn = { sending: { maxConcurrentRequests: 1 } };
const ignore = { missingVariables: 'ignore' };
const call = (parameters: NodeSpec['parameters'], more: Partial<NodeSpec> = {}): NodeSpec => ({
	name: 'Call',
	type: actionNode,
	...more,
	parameters,
});
const workflow = (node: NodeSpec, ...phones: string[]) => ({
	nodes: [harness.sourceOf(to(...phones)), node],
	credentials: service.credentials(),
});
/** What n8n has stored of an execution, to be edited before a Retry. */
const storedIn = ({ stored }: WorkflowRun) =>
	(stored.data as unknown as { executionData: Record<string, unknown> }).executionData as {
		contextData: { flow?: Record<string, unknown> };
		nodeExecutionStack: Array<{ node: Pick<NodeSpec, 'parameters'>; data: { main: [unknown[]] } }>;
	};
/** Retry with the currently saved workflow: n8n takes the settings of the node from it. */
const retryEdited = async (node: NodeSpec, ran: WorkflowRun, ...phones: string[]) => {
	const { onError, parameters } = node;
	const { node: kept } = storedIn(ran).nodeExecutionStack[0]!;
	Object.assign(kept, { onError, parameters: { ...kept.parameters, ...parameters } });
	return await harness.retryWorkflow(workflow(node, ...phones), ran);
};

test("n8n's Retry of fewer items with Call Each Time calls nobody again and gives each call back once", async () => {
	const spec = workflow(
		call(service.place({ ...ignore, repeatedNumber: 'callEachTime' }, inTurn)),
		bob,
		ada,
		ada,
		cleo,
	);
	await service.fault({ match: post, kind: 'latency', ms: 0, times: 3 });
	await service.fault({ match: post, kind: 'status', status: 422 });
	const ran = await harness.runWorkflow(spec);
	expect([ran.status, await service.dialed(true)]).toEqual(['error', [bob, ada, ada]]);
	storedIn(ran).nodeExecutionStack[0]!.data.main[0].splice(0, 1);
	const again = await harness.retryWorkflow(spec, ran);
	expect(await service.dialed(true)).toEqual([bob, ada, ada, cleo]);
	const outputs = again.nodes.Call?.flatMap(jsonOf) ?? [];
	expect(outputs.map((output) => [output.to, output.alreadySent])).toEqual([
		[ada, true],
		[ada, true],
		[cleo, undefined],
	]);
	expect(new Set(outputs.map(({ id }) => id)).size).toBe(3);
});

test("n8n's Retry says which calls were placed, also if items have mistakes now", async () => {
	await teach(service, 'Hello {{name}}!');
	const place = (name: string, third: string) =>
		service.place(
			{},
			{
				...inTurn,
				agentVariables: { mappingMode: 'defineBelow', value: { name } },
				phoneNumber: `={{ $itemIndex === 2 ? '${third}' : $json.to }}`,
			},
		);
	await service.fault({ match: post, kind: 'latency', ms: 0 });
	await service.fault({ match: post, kind: 'status', status: 403 });
	const ran = await harness.runWorkflow(workflow(call(place('Ada', cleo)), ada, bob, cleo));
	const again = await retryEdited(call(place('', '12')), ran, ada, bob, cleo);
	expect(saidBy({ run: again })).toContain(
		'Calls placed: sheet row 2. Not called: 1 without name (sheet row 3), 1 without a country code (sheet row 4)',
	);
	expect(await service.dialed(true)).toEqual([ada]);
});

describe('A call that the campaign had before', () => {
	const queue = (ifAlreadyQueued: string) => service.queue({ ...ignore, ifAlreadyQueued }, inTurn);
	beforeEach(async () => {
		const campaign = `campaigns/${service.seed.campaigns.active}`;
		await service.api('PUT', campaign, { initial_call_delay: 86_400 });
		await service.api('POST', `${campaign}/call`, { to: ada });
	});

	test.each([
		['returnExisting', ['alreadyQueued', 'queued']],
		['skip', ['queued']],
	])('is not told as sent by this execution, in another try either: %s', async (how, results) => {
		await service.fault({ match: post, kind: 'latency', ms: 0 });
		await service.fault({ match: post, kind: 'status', status: 422 });
		const ran = await service.run(queue(how), to(ada, bob), { node: retried });
		expect([ran.run.status, ran.tries, resultsOf(ran)]).toEqual(['success', 2, results]);
		expect(jsonOf(ran).filter(({ alreadySent }) => alreadySent !== undefined)).toEqual([]);
	});

	test("does not keep n8n's Retry from queuing again, after the author has chosen that", async () => {
		await service.fault({ match: post, kind: 'latency', ms: 0 });
		await service.fault({ match: post, kind: 'status', status: 422 });
		const ran = await harness.runWorkflow(workflow(call(queue('returnExisting')), ada, bob));
		expect(ran.status).toBe('error');
		const before = (await service.dialed(true)).filter((one) => one === ada).length;
		const again = await retryEdited(call(queue('queueAgain')), ran, ada, bob);
		expect(again.nodes.Call?.flatMap(resultsOf)).toEqual(['queued', 'queued']);
		expect((await service.dialed(true)).filter((one) => one === ada)).toHaveLength(before + 1);
	});

	test('does not hide the number from another tool, if a tool has skipped it', async () => {
		const campaign = {
			operation: 'queueCall',
			resource: 'campaign',
			campaign: byId(service.seed.campaigns.active),
		};
		const tools = [
			{ ...phoneTool(service, campaign, { ifAlreadyQueued: 'skip' }, goesOn), name: 'Queue' },
			phoneTool(service, {}, {}, goesOn),
		];
		const turns = [[{ tool: 'Queue', input: { phone: ada } }], [phone(ada)]];
		const ran = await runAgent(agentWorkflow(service, 'agent', turns, tools));
		expect(saidByTool(ran)).toMatchObject([{ to: ada, result: 'placed' }]);
	});
});

test.each<[string, unknown]>([
	['a line that is none', '#salt\n@1\nnonsense'],
	['a response to no call', '#salt\n@1\n+5.uAAAA'],
	['a group that is no JSON', '#salt\n@1\n=["'],
	['null', null],
	['an object', {}],
])('where the record of calls cannot be read, nobody is called and everybody is told: %s', async (_what, record) => {
	const node = call(service.place(ignore));
	await service.fault({ match: post, kind: 'status', status: 403, times: 2 });
	const ran = await harness.runWorkflow(workflow(node, ada, bob));
	await fetch(`${service.url}/_sandbox/faults`, { method: 'DELETE' });
	storedIn(ran).contextData.flow = { voiceAgentCalls: record };
	const stopped = await harness.retryWorkflow(workflow(node, ada, bob), ran);
	expect([stopped.status, saidBy({ run: stopped })]).toEqual([
		'error',
		expect.stringMatching(/record .* cannot be read/),
	]);
	const went = await retryEdited({ ...node, ...goesOn }, ran, ada, bob);
	const outputs = went.nodes.Call?.flatMap(jsonOf) ?? [];
	expect(outputs).toHaveLength(2);
	for (const output of outputs) {
		expect(JSON.stringify(output)).toMatch(/record .* cannot be read/);
	}
	expect(await service.dialed(true)).toEqual([]);
});

test('many refused uses of a tool at once, while one is in flight, lose no call', async () => {
	const count = 120;
	const phones = Array.from({ length: count }, (_, index) => `+1202555${2000 + index}`);
	const limits = { maxCalls: 999, maxCallsPerHour: 999 };
	const spec = agentWorkflow(
		service,
		'olderAgent',
		[phones.map((one) => phone(one))],
		[phoneTool(service, limits, {}, goesOn)],
		{ failingTries: 1, retryOnFail: false },
	);
	await service.fault({ match: post, kind: 'latency', ms: 700 });
	await service.fault({ match: post, kind: 'status', status: 422, times: count - 1 });
	const options = { package: await harness.packageWithTool() };
	const ran = await harness.runWorkflow(spec, options);
	const [called] = await service.dialed();
	expect([ran.status, await service.dialed(true)]).toEqual(['error', [called]]);
	const record = String(storedIn(ran).contextData.flow?.voiceAgentCalls);
	// With all lines about refused calls it would have more than 3,500.
	expect(record.length).toBeLessThan(2000);
	const again = await harness.retryWorkflow(spec, ran, options);
	expect(again.status).toBe('success');
	expect((await service.dialed(true)).toSorted()).toEqual(phones);
});

test('a limit of the credential that is no number ends the run, also where an item is blocked', async () => {
	const parameters = service.place({ ...ignore, blockedNumbers: ada });
	const credentials = service.credentials({ callsPerRun: 'many' as never });
	const ran = await service.run(parameters, to(ada, bob), { credentials });
	expect([ran.run.status, saidBy(ran)]).toEqual(['error', expect.stringContaining('whole number')]);
	expect(await service.dialed()).toEqual([]);
});
