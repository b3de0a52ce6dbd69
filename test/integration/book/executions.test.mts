import { harness, type NodeSpec, type RunOptions } from '../harness.mts';
import {
	actionNode,
	goesOn,
	inFastTime,
	jsonOf,
	loopAround,
	resultsOf,
	startService,
	to,
	until,
	useService,
} from '../service.mts';
import { AGENTS, agentWorkflow, phone, phoneTool } from './kit.mts';

const service = useService();
const [ada, bob, cleo] = ['+12025550111', '+12025550122', '+12025550133'] as const;
const busy = '+12025550002';
const post = { method: 'POST' };
const refused = { match: post, kind: 'status', status: 422 } as const;
const inTurn = { sending: { maxConcurrentRequests: 1 } };
const place = (options: object = {}, more: object = {}) =>
	service.place({ missingVariables: 'ignore', ...options }, { ...inTurn, ...more });
const call = (more: Partial<NodeSpec> = {}): NodeSpec => ({
	name: 'Call',
	type: actionNode,
	parameters: place(),
	...more,
});
const sorted = async (isAccepted = false) => (await service.dialed(isAccepted)).toSorted();

describe("n8n's Retry", () => {
	test('twice from the same execution calls nobody again who was called in it', async () => {
		const spec = { nodes: [harness.sourceOf(to(ada, bob)), call()], credentials: service.credentials() };
		await service.fault({ match: post, kind: 'latency', ms: 0 });
		await service.fault({ ...refused, times: 2 });
		const ran = await harness.runWorkflow(spec);
		const first = await harness.retryWorkflow(spec, ran);
		const second = await harness.retryWorkflow(spec, ran);
		expect([ran.status, first.status, second.status]).toEqual(['error', 'error', 'success']);
		expect(await sorted()).toEqual([ada, bob, bob, bob]);
		const [called] = second.nodes.Call?.flatMap(jsonOf) ?? [];
		expect(called).toMatchObject({
			to: ada,
			alreadySent: true,
			id: (await service.calls()).find((one) => one.to === ada)?.id,
		});
	});

	test('of a Retry calls nobody again whom one of the two has called', async () => {
		const spec = { nodes: [harness.sourceOf(to(ada, bob, cleo)), call()], credentials: service.credentials() };
		await service.fault({ match: post, kind: 'latency', ms: 0 });
		await service.fault(refused);
		await service.fault({ match: post, kind: 'latency', ms: 0 });
		await service.fault(refused);
		const ran = await harness.runWorkflow(spec);
		const first = await harness.retryWorkflow(spec, ran);
		const second = await harness.retryWorkflow(spec, first);
		expect([ran.status, first.status, second.status]).toEqual(['error', 'error', 'success']);
		expect(await sorted(true)).toEqual([ada, bob, cleo]);
	});

	test('gives a call back to the item that made it, although an item before it has the number, too', async () => {
		const nodes = [harness.sourceOf(to(bob, bob, cleo)), call(goesOn)];
		const spec = { nodes, credentials: service.credentials() };
		await service.fault(refused);
		await service.fault({ match: post, kind: 'latency', ms: 0 });
		await service.fault({ match: post, kind: 'latency', ms: 400 });
		const started = await harness.startWorkflow(spec);
		await until(async () => (await service.dialed()).length === 3);
		started.cancel();
		const ended = await started.result;
		await service.settled();
		const { nodes: again } = await harness.retryWorkflow(spec, ended);
		expect(await sorted(true)).toEqual([bob, cleo]);
		expect(again.Call?.flatMap(jsonOf)).toMatchObject([
			{ to: bob, result: 'sameNumber', sameNumberAsItem: 1 },
			{ to: bob, result: 'placed', alreadySent: true },
			{ to: cleo },
		]);
	});

	test('with a credential that has Test Calls Only rings nobody again who had a real call', async () => {
		const nodes = [harness.sourceOf(to(ada, bob)), call()];
		await service.fault({ match: post, kind: 'latency', ms: 0 });
		await service.fault(refused);
		const ran = await harness.runWorkflow({ nodes, credentials: service.credentials() });
		const only = { nodes, credentials: service.credentials({ testCallsOnly: true }) };
		const again = await harness.retryWorkflow(only, ran);
		expect(await sorted(true)).toEqual([ada, bob]);
		expect(again.nodes.Call?.flatMap(jsonOf)).toMatchObject([
			{ to: ada, isTest: false, alreadySent: true },
			{ to: bob, isTest: true },
		]);
	});

	test.each(AGENTS)(
		'after a stop in the middle of a call of a tool does not call that phone again: %s',
		async (kind) => {
			await service.fault({ match: post, kind: 'latency', ms: 0 });
			await service.fault({ match: post, kind: 'latency', ms: 400 });
			const turns = [[phone(ada)], [phone(bob)], [phone(cleo)]];
			const spec = agentWorkflow(service, kind, turns, [phoneTool(service, {}, {}, goesOn)]);
			const options = { package: await harness.packageWithTool() };
			const started = await harness.startWorkflow(spec, options);
			await until(async () => (await service.dialed()).length === 2);
			started.cancel();
			const ended = await started.result;
			expect(ended.status).toBe('canceled');
			await service.settled();
			await harness.retryWorkflow(spec, ended, options);
			const all = await sorted();
			expect(all.filter((number) => number !== cleo)).toEqual([ada, bob]);
		},
	);
});

describe('What an author means to be several calls is several calls:', () => {
	test('each round of a loop around Place and Wait rings again', async () => {
		const parameters = place(
			{ pollInterval: 1, timeLimit: { values: { amount: 2, unit: 'hours' } } },
			{ operation: 'placeAndWait', waitBy: 'polling' },
		);
		const loop = { ...loopAround(3, call({ parameters }), to(busy)), credentials: service.credentials() };
		const { nodes, status } = await inFastTime(async () => await harness.runWorkflow(loop));
		expect([status, await service.dialed()]).toEqual(['success', [busy, busy, busy]]);
		expect(nodes.Call?.flatMap(jsonOf).map(({ outcome, alreadySent }) => [outcome, alreadySent])).toEqual(
			Array(3).fill(['busy', undefined]),
		);
	});

	test('two nodes with the same phone both call it', async () => {
		const { nodes } = await harness.runWorkflow({
			nodes: [harness.sourceOf(to(ada, bob)), call(), call({ name: 'Reminder', parameters: place() })],
			connections: { Source: [['Call', 'Reminder']] },
			credentials: service.credentials(),
		});
		expect(await sorted()).toEqual([ada, ada, bob, bob]);
		expect([nodes.Call, nodes.Reminder].map((runs) => runs?.flatMap(resultsOf))).toEqual(
			Array(2).fill(['placed', 'placed']),
		);
	});

	const integrated = (rootMode: RunOptions['rootMode']): RunOptions => ({ mode: 'integrated', rootMode });
	test.each<[string, RunOptions]>([
		['a step that is executed again', { mode: 'manual' }],
		['a sub-workflow that is executed again, as by Retry On Fail of Execute Sub-workflow', integrated('trigger')],
		['a row of an evaluation', { mode: 'evaluation' }],
		['another execution', { mode: 'trigger' }],
	])('%s has a book of its own', async (_what, options) => {
		const spec = { nodes: [harness.sourceOf(to(ada)), call()], credentials: service.credentials(), id: 'same' };
		const limited = { ...spec, credentials: service.credentials({ callsPerRun: 1 }) };
		for (const one of [spec, limited]) {
			for (let count = 0; count < 2; count++) {
				const { nodes } = await harness.runWorkflow(one, options);
				expect(nodes.Call?.flatMap(resultsOf)).toEqual(['placed']);
			}
		}
		expect(await service.dialed()).toEqual([ada, ada, ada, ada]);
	});
});

test('n8n stores the calls of an execution as text, with at most 60 bytes for each and without a number in it', async () => {
	const quick = await startService({ rateLimit: 1_000_000 });
	const count = 300;
	const numbers = Array.from({ length: count }, (_, index) => `+1202${String(5_551_000 + index)}`);
	const tool = phoneTool(quick, {}, {}, goesOn);
	const agent = { turns: numbers.slice(0, 3).map((number) => [phone(number)]) as never, failingTries: 0 };
	const { stored, nodes } = await harness.runWorkflow(
		{
			nodes: [
				harness.sourceOf(to(...numbers)),
				call({ parameters: quick.place({ missingVariables: 'ignore' }) }),
				{ name: 'Agent', type: 'harness.agent', parameters: agent },
				tool,
			],
			connections: { Source: [['Call']], Call: [['Agent']] },
			tools: { Phone: 'Agent' },
			credentials: quick.credentials(),
			id: crypto.randomUUID(),
		},
		{ package: await harness.packageWithTool() },
	);
	expect(nodes.Call?.flatMap(resultsOf).filter((result) => result === 'placed')).toHaveLength(count);
	const { 'node:Agent': _own, ...contexts } = stored.data.executionData?.contextData ?? {};
	const text = JSON.stringify(contexts);
	expect(text.length).toBeLessThanOrEqual(60 * (count + 3) + 500);
	expect(text).not.toContain(numbers[1]!.slice(1));
	// n8n hands the context to each Code node: objects make that slow.
	const values = Object.values(contexts).flatMap((context) => Object.values(context ?? {}));
	expect(values.filter((value) => typeof value === 'object')).toEqual([]);
	expect(text).toContain('voiceAgentCalls');
});

test('another try of Retry On Fail calls nobody for an item that has a call, whatever its number is then', async () => {
	const phoneNumber = "={{ $json.to ?? '+1202555' + (2000 + Math.floor(Math.random() * 7000)) }}";
	await service.fault({ match: post, kind: 'latency', ms: 0 });
	await service.fault({ ...refused, times: 2 });
	const parameters = place({ metadataJson: '={{ { at: Math.random() } }}' }, { phoneNumber });
	const ran = await service.run(parameters, [{}, { to: ada }], {
		node: { retryOnFail: true, maxTries: 4, waitBetweenTries: 1 },
	});
	expect([ran.tries, (await service.dialed(true)).length]).toEqual([3, 2]);
	expect(jsonOf(ran)).toMatchObject([
		{ result: 'placed', alreadySent: true },
		{ result: 'placed', to: ada },
	]);
});
