import type { NodeSpec } from '../../harness.mts';
import { byId, hintsOf, jsonOf, useService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

const service = useService();
let published: string;
let draft: string;
beforeAll(() => void ({ published, draft } = service.seed.agents));

const nobody = '00000000-0000-4000-8000-000000000000';
const bye = { id: 'bye', type: 'end' };
const hello = { id: 'hello', type: 'say', content: 'Hello {{ name }}!', next: 'bye' };
const good = { initial_node_id: 'hello', nodes: [hello, bye] };
const nowhere = { ...good, initial_node_id: 'helo' };
const warned = { ...good, nodes: [{ ...hello, content: 'Hello {name}!' }, bye] };
const warning = {
	rule: 'placeholder-malformed',
	nodeId: 'hello',
	path: 'nodes[0].content',
	message: expect.any(String),
	fix: 'Write {{name}}.',
};
const noFirstNode = { rule: 'no-first-node', nodeId: null, path: 'initial_node_id' };
const withoutContent = { initial_node_id: 'a', nodes: [{ id: 'a', type: 'ask', next: 'bye', save: 'x' }, bye] };

type Options = NonNullable<NodeSpec['parameters']>;

const validate = (options: Options = {}, more: Options = {}) => ({
	resource: 'agentFlow',
	operation: 'validate',
	flowSource: '={{ $json.source ?? "json" }}',
	agent: byId('={{ $json.agent }}'),
	flow: '={{ $json.flow }}',
	options,
	...more,
});
const to = { agent: byId('={{ $json.agent }}'), flow: '={{ $json.flow }}' };
const update = { resource: 'agentFlow', operation: 'update', ...to };
/** The token is refused once; the other items may not have been tried then. */
const refusedToken = Array(3).fill(failed(expect.stringMatching(/^(UNAUTHORIZED|NOT_TRIED)$/) as string));
/** From now on, the service answers each request to a path below the agents like this. */
const answerAlways = async (path: string, answer: { status: number; body?: unknown }) =>
	await service.fault({ match: { path: `/api/v1/agents/${path}` }, kind: 'status', times: 100, ...answer });
const updates = async () => (await service.requests('PUT')).length;
const setFlow = async (flow_config: object) =>
	await service.api('PUT', `agents/${published}/flow`, { conversation_mode: 'flow_driven', flow_config });
const threeFlows = (agent: string) => [good, nowhere, warned].map((flow) => ({ agent, flow }));

describe('Agent Flow → Validate', () => {
	test('checks flows as JSON without sending anything, and says that the service has not validated them', async () => {
		const items = [{ flow: good }, { flow: nowhere }, { flow: warned }, { flow: '{\n "nodes": [}' }, { flow: '' }];
		const sent = await expectItems(service, validate(), items, [
			{ valid: null, service: null, rules: [], counts: { errors: 0, warnings: 0 }, notChecked: [expect.any(String)] },
			{ valid: null, service: null, rules: [noFirstNode], counts: { errors: 0, warnings: 1 } },
			{ valid: null, service: null, rules: [warning], counts: { errors: 0, warnings: 1 } },
			failed('INVALID_INPUT', { message: expect.stringContaining('line 2, column 12') }),
			failed('INVALID_INPUT'),
		]);
		expect(sent).toEqual([]);
		const ran = await service.run(validate(), [{ flow: good }]);
		expect(hintsOf(ran)).toEqual((jsonOf(ran)[0] as { notChecked: string[] }).notChecked);
	});

	test('with an agent, has the response of the service and what the rules found, each under its heading', async () => {
		const items = [good, nowhere, withoutContent, warned].map((flow) => ({
			source: 'jsonForAgent',
			agent: published,
			flow,
		}));
		const rejected = (...errors: unknown[]) => ({ valid: false, service: { valid: false, errors } });
		const sent = await expectItems(
			service,
			validate(),
			[...items, { ...items[0], agent: nobody }],
			[
				{ valid: true, service: { valid: true, errors: [] }, rules: [] },
				{ ...rejected(...Array(3).fill(expect.any(String))), counts: { errors: 3, warnings: 1 } },
				rejected("Node 'a' of type 'ask' requires content."),
				{ valid: true, service: { valid: true, errors: [] }, rules: [warning] },
				failed('AGENT_NOT_FOUND'),
			],
		);
		expect(sent).toEqualInAnyOrder([
			['GET', `agents/${published}/actions`],
			['GET', `agents/${nobody}/actions`],
			...items.map(({ flow }) => ['POST', `agents/${published}/flow/validate`, { flow_config: flow }]),
		]);
	});

	test('says in a hint how many mistakes it has found, and nothing of a flow without any', async () => {
		const hints = async (flow: object) =>
			hintsOf(await service.run(validate(), [{ source: 'jsonForAgent', agent: published, flow }]));
		expect(await hints(nowhere)).toEqual([
			expect.stringMatching(/^A flow has 3 errors, 1 warning\. The first: Initial node .* does not exist/),
		]);
		expect(await hints(warned)).toEqual([expect.stringMatching(/^A flow has 1 warning\. The first: [A-Z]/)]);
		expect(await hints(good)).toEqual([]);
	});

	test('checks the current flow of agents, and says which have none', async () => {
		await setFlow(warned);
		const items = [published, draft, nobody].map((agent) => ({ agent, source: 'agent' }));
		const sent = await expectItems(service, validate({ ignoreRules: ['dead-end'] }), items, [
			{ valid: true, service: { valid: true }, rules: [warning] },
			failed('NO_FLOW'),
			failed('AGENT_NOT_FOUND'),
		]);
		expect(sent.map(([method]) => method)).not.toContain('PUT');
	});

	test('replaces the variables of a flow with a sample payload', async () => {
		const payload = { samplePayload: '{"nam": "Ada"}' };
		const rules = [{ rule: 'placeholder-without-value' }];
		await expectItems(service, validate(payload), [{ flow: good }], [{ rules }]);
	});

	test.each([
		['never', [{ valid: true }, { valid: true }, { valid: false }]],
		['errors', [{ valid: true }, { valid: true }, failed('FLOW_INVALID')]],
		['warnings', [{ valid: true }, failed('FLOW_WARNINGS'), failed('FLOW_INVALID')]],
	])('fails on %s where Fail On says so', async (failOn, expected) => {
		const items = [good, warned, nowhere].map((flow) => ({ source: 'jsonForAgent', agent: published, flow }));
		await expectItems(service, validate({ failOn }), items, expected);
	});
});

describe('Agent Flow → Update validates first', () => {
	test('and sends only flows that the service accepts, with the findings in the output', async () => {
		const items = [...threeFlows(draft), { agent: draft, flow: withoutContent }];
		const sent = await expectItems(service, update, items, [
			{ conversation_mode: 'flow_driven', flow_config: good, rules: [] },
			failed('FLOW_INVALID'),
			{ flow_config: warned, rules: [warning] },
			failed('FLOW_INVALID'),
		]);
		const bodies = sent.filter(([method]) => method === 'PUT').map(([, , body]) => body);
		const written = [good, warned].map((flow_config) => ({ conversation_mode: 'flow_driven', flow_config }));
		expect(bodies).toEqualInAnyOrder(written);
	});

	test('and says in a hint that a saved flow has warnings', async () => {
		expect(hintsOf(await service.run(update, [{ agent: draft, flow: warned }]))).toHaveLength(1);
		expect(hintsOf(await service.run(update, [{ agent: draft, flow: good }]))).toEqual([]);
	});

	test.each([403, 404, 500])(
		'and if the service cannot be asked (%s), the update itself finds the errors',
		async (status) => {
			await answerAlways(`${draft}/flow/validate`, { status, body: { error: 'No' } });
			const expected = [{ flow_config: good }, failed('FLOW_INVALID'), { flow_config: warned }];
			await expectItems(service, update, threeFlows(draft), expected);
			expect(await updates()).toBe(3);
		},
	);

	test('and nothing is sent after the service has refused the token', async () => {
		await answerAlways(`${draft}/flow/validate`, { status: 401, body: { error: 'Unauthorized' } });
		await expectItems(service, update, threeFlows(draft), refusedToken);
		expect(await updates()).toBe(0);
	});
});
