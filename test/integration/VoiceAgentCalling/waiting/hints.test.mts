import { harness, type Instance, type WorkflowRun } from '../../harness.mts';
import { byId, hintsIn, jsonOf, to, until, useService } from '../../service.mts';
import { onAgent, triggerNode } from '../../triggers.mts';

const HOUR_MS = 3_600_000;

/** A call goes on only when the test advances the clock of the sandbox. */
const service = useService({ speed: 0.001, minimumStatusMs: 0 });
afterEach(() => harness.restoreTime());

const options = { timeLimit: { values: { amount: 1, unit: 'hours' } }, missingVariables: 'ignore' };
const call = { operation: 'placeAndWait', waitBy: 'event' };
const people = [{ to: '+12025550001' }, { to: 'nobody' }, { to: '+12025550001' }];

/** Starts an n8n with a trigger for the calls of the agent. */
async function start(): Promise<Instance> {
	const n8n = await harness.startInstance({ credentials: service.credentials() });
	const events = ['event_phone_call_ended', 'event_phone_call_did_not_connect', 'event_phone_call_error'];
	const nodes = [triggerNode(service, onAgent(service, events)), { name: 'Next', type: 'harness.noOp' }];
	expect((await n8n.deploy({ nodes }).publish()).error).toBeUndefined();
	return n8n;
}

/** The rest of an execution that has waited. */
async function rest(n8n: Instance, { id }: { id: string }): Promise<WorkflowRun> {
	await until(async () => n8n.waiting.rest(id) !== undefined);
	return (await n8n.waiting.rest(id))!;
}

describe('The hints of a run are there when its wait has ended', () => {
	test.each([
		['by an event', 'continueRegularOutput', async () => await service.advance(60)],
		['at the time limit', 'continueErrorOutput', async () => harness.passTime(HOUR_MS)],
	])('%s, and its output is as without them (On Error: %s)', async (_how, onError, end) => {
		const n8n = await start();
		const { run } = await service.run(service.place(options, call), people, { n8n, node: { onError } as never });
		const before = hintsIn(run, 'Node', 0);
		expect([run.status, before.join()]).toEqual([
			'waiting',
			expect.stringMatching(/1 with a number that cannot be called.*1 with the number of an earlier item/s),
		]);
		await end();
		const ended = await rest(n8n, run as never);
		const outcome = onError === 'continueErrorOutput' ? 'timedOut' : 'completed';
		const [first, ...further] = before;
		const rings = 'the phone rings, and ';
		const then = outcome === 'timedOut' ? first : first!.replace(rings, '');
		expect([first!.includes(rings), hintsIn(ended, 'Node', 0)]).toEqual([
			true,
			[`Outcomes: 1 ${outcome}.`, then, ...further],
		]);
		const [all, failed] = ended.nodes.Node![0]!.outputs;
		const json = { to: people[0]!.to, outcome };
		const error = onError === 'continueErrorOutput' ? { json: { error: { code: 'INVALID_PHONE_NUMBER' } } } : undefined;
		expect(failed ?? []).toMatchObject(error ? [error] : []);
		const others = all!.filter(({ json: { result } }) => result !== 'failed');
		expect(others).toMatchObject([
			{ json, pairedItem: { item: 0 } },
			{ json: { result: 'sameNumber', outcome: 'notCalled' }, pairedItem: { item: 2 } },
		]);
		// Nobody was called again.
		expect(await service.dialed()).toEqual([people[0]!.to]);
	});

	test('by the event of a campaign', async () => {
		const { draft, active } = service.seed.campaigns;
		const n8n = await harness.startInstance({ credentials: service.credentials() });
		await service.run(service.queue({}, { testCall: 'never' }), to('+12025550111', '+12025550122'));
		const campaign = byId('={{ $json.id }}');
		const wait = { resource: 'campaign', operation: 'waitUntilCompleted', campaign, waitBy: 'event' };
		const { run } = await service.run(wait, [{ id: active }, { id: draft }], { n8n });
		const before = hintsIn(run, 'Node', 0);
		expect(before.join()).toContain('is a draft');
		for (const [id, status] of [
			[active, 'completed'],
			[draft, 'cancelled'],
		] as const) {
			await service.api('PATCH', `campaigns/${id}/status`, { status });
		}
		const ended = await rest(n8n, run as never);
		const left = expect.stringMatching(/^2 of \d+ calls of .* neither completed nor failed: .*lists them\.$/);
		expect(hintsIn(ended, 'Node', 0)).toEqual([left, ...before]);
		expect(ended.nodes.Node!.flatMap(jsonOf).map(({ outcome }) => outcome)).toEqual(['completed', 'cancelled']);
	});
});

test('A workflow cannot have the parameter by which a node hands its items on: the node does what it is set to', async () => {
	const parameters = { ...service.place({ missingVariables: 'ignore' }), hintsAfterWait: ['x'] };
	await harness.runNode(
		{ type: 'n8n-nodes-voice-agent-calling.voiceAgentCalling', parameters: parameters as never },
		[people[0]!],
		{ credentials: service.credentials() },
	);
	expect(await service.dialed()).toEqual([people[0]!.to]);
});
