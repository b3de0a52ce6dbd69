import type { NodeSpec } from '../../harness.mts';
import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
let published: string;
let draft: string;
beforeAll(async () => {
	service = await startService();
	({ published, draft } = service.seed.agents);
});
beforeEach(async () => {
	await service.reset();
});

const nobody = '00000000-0000-4000-8000-000000000000';
const bye = { id: 'bye', type: 'end' };
const hello = { id: 'hello', type: 'say', content: 'Hello {{ name }}!', next: 'bye' };
const good = { initial_node_id: 'hello', nodes: [hello, bye] };
const nowhere = { ...good, initial_node_id: 'helo' };
const warned = { ...good, nodes: [hello, { ...bye, next: 'hello' }] };

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
const update = (options: Options = {}) => ({
	resource: 'agentFlow',
	operation: 'update',
	agent: byId('={{ $json.agent }}'),
	flow: '={{ $json.flow }}',
	options,
});
/** The token is refused once; the other items may not have been tried then. */
const refusedToken = Array.from({ length: 3 }, () =>
	failed(expect.stringMatching(/^(UNAUTHORIZED|NOT_TRIED)$/) as string),
);
/** From now on, the service answers each request to a path below the agents like this. */
const answerAlways = async (path: string, answer: { status: number; body?: unknown }) =>
	await service.fault({ match: { path: `/api/v1/agents/${path}` }, kind: 'status', times: 100, ...answer });
const whenValidated = async (agent: string, answer: { status: number; body?: unknown }) =>
	await answerAlways(`${agent}/flow/validate`, answer);
const hideActions = async () =>
	await answerAlways(`${published}/actions`, { status: 403, body: { error: 'Forbidden' } });
const validations = async () => (await service.requests('POST', 'flow/validate')).length;
const updates = async () => (await service.requests('PUT')).length;

describe('Agent Flow → Validate', () => {
	test('checks flows as JSON without sending anything', async () => {
		const items = [{ flow: good }, { flow: nowhere }, { flow: warned }, { flow: '{\n "nodes": [}' }, { flow: '' }];
		const sent = await expectItems(service, validate(), items, [
			{ valid: true, service: null, rules: [], counts: { errors: 0, warnings: 0, infos: 0 }, notChecked: [] },
			{
				valid: false,
				service: null,
				rules: [
					{
						severity: 'error',
						rule: 'initial-unknown',
						nodeId: null,
						path: 'initial_node_id',
						message: expect.stringContaining('"helo", which does not exist'),
						fix: 'Did you mean "hello"?',
					},
				],
				counts: { errors: 1, warnings: 0, infos: 0 },
			},
			{ valid: true, rules: [{ rule: 'next-ignored', nodeId: 'bye' }], counts: { warnings: 1 } },
			failed('INVALID_INPUT', { message: expect.stringContaining('line 2, column 12') }),
			failed('INVALID_INPUT'),
		]);
		expect(sent).toEqual([]);
	});

	test('with an agent, has the answer of the service and what the rules found, each under its heading', async () => {
		const withoutContent = { initial_node_id: 'a', nodes: [{ id: 'a', type: 'ask', next: 'bye', save: 'x' }, bye] };
		const items = [good, nowhere, withoutContent].map((flow) => ({ source: 'jsonForAgent', agent: published, flow }));
		const unused = { rule: 'action-never-used' };
		const sent = await expectItems(
			service,
			validate(),
			[...items, { ...items[0], agent: nobody }],
			[
				{ valid: true, service: { valid: true, errors: [] }, rules: [unused] },
				{
					valid: false,
					service: {
						valid: false,
						errors: [expect.stringContaining("'helo'"), expect.any(String), expect.any(String)],
					},
					rules: [unused],
					counts: { errors: 0, infos: 1 },
				},
				{
					valid: false,
					service: { valid: false, errors: ["Node 'a' of type 'ask' requires content."] },
					rules: [unused],
				},
				failed('AGENT_NOT_FOUND'),
			],
		);
		expect(sent).toEqualInAnyOrder([
			['GET', `agents/${published}/actions`],
			['GET', `agents/${nobody}/actions`],
			...items.map(({ flow }) => ['POST', `agents/${published}/flow/validate`, { flow_config: flow }]),
		]);
	});

	test('checks the current flow of agents, and says which have none', async () => {
		await service.api('PUT', `agents/${published}/flow`, { conversation_mode: 'flow_driven', flow_config: warned });
		const items = [{ agent: published }, { agent: draft }, { agent: nobody }].map((item) => ({
			...item,
			source: 'agent',
		}));
		const sent = await expectItems(service, validate({ ignoreRules: ['action-never-used'] }), items, [
			{ valid: true, service: { valid: true }, rules: [{ rule: 'next-ignored' }] },
			failed('NO_FLOW'),
			failed('AGENT_NOT_FOUND'),
		]);
		expect(sent.map(([method]) => method)).not.toContain('PUT');
	});

	test('takes the item of Get as it is', async () => {
		await service.api('PUT', `agents/${published}/flow`, { conversation_mode: 'flow_driven', flow_config: warned });
		const get = { resource: 'agentFlow', operation: 'get', agent: byId(published) };
		const item = (await service.run(get)).outputs[0]?.[0]?.json as object;
		const parameters = validate({}, { flowSource: 'json', flow: '={{ $json }}' });
		await expectItems(service, parameters, [{ ...item }], [{ rules: [{ path: 'nodes[1].next' }] }]);
	});

	test('its options: ignored rules and a sample payload', async () => {
		const items = [good, warned, nowhere].map((flow) => ({ flow }));
		const payload = { samplePayload: '{"nam": "Ada"}' };
		await expectItems(service, validate({ ...payload, ignoreRules: ['next-ignored', 'initial-unknown'] }), items, [
			{ rules: [{ rule: 'placeholder-without-value', fix: expect.stringContaining('{{nam}}') }] },
			{ rules: [{ rule: 'placeholder-without-value' }] },
			{ valid: true, rules: [{ rule: 'placeholder-without-value' }] },
		]);
		await expectItems(
			service,
			validate({ ignoreRules: '={{ $json.ignore }}' }),
			[
				{ flow: warned, ignore: ['next-ignored'] },
				{ flow: warned, ignore: ['nonsense'] },
			],
			[{ rules: [] }, failed('INVALID_INPUT')],
		);
	});

	test.each([
		['never', [{ valid: true }, { valid: true }, { valid: false }]],
		['errors', [{ valid: true }, { valid: true }, failed('FLOW_INVALID')]],
		['warnings', [{ valid: true }, failed('FLOW_WARNINGS'), failed('FLOW_INVALID')]],
	])('fails on %s where Fail On says so', async (failOn, expected) => {
		await expectItems(
			service,
			validate({ failOn }),
			[good, warned, nowhere].map((flow) => ({ flow })),
			expected,
		);
	});

	test.each<[string, { status: number; body: unknown }, string]>([
		[
			'422, with the errors of each field',
			{ status: 422, body: { message: 'Invalid', errors: { 'flow_config.nodes.0': ['is too long', 'is odd'] } } },
			'flow_config.nodes.0: is too long',
		],
		['200, without a list', { status: 200, body: { success: false, message: 'Fluxo inválido' } }, 'Fluxo inválido'],
	])('an answer of another form is an answer, too: %s', async (_what, answer, message) => {
		await whenValidated(published, answer);
		const item = { source: 'jsonForAgent', agent: published, flow: good };
		await expectItems(
			service,
			validate({ ignoreRules: ['action-never-used'] }),
			[item],
			[{ valid: false, service: { valid: false, errors: expect.arrayContaining([message]) }, rules: [] }],
		);
		const refused = failed('FLOW_INVALID', { message: expect.stringContaining(`The service reports: ${message}.`) });
		await expectItems(service, update(), [{ agent: published, flow: good }], [refused]);
		expect(await updates()).toBe(0);
	});

	describe('where the service does not answer', () => {
		const items = () => [good, nowhere, warned].map((flow) => ({ source: 'jsonForAgent', agent: published, flow }));

		test.each<[string, { status: number; body?: unknown }, RegExp]>([
			['403', { status: 403, body: { error: 'Forbidden' } }, /could not be asked: The service does not allow this/],
			['404', { status: 404, body: { message: 'The route could not be found.' } }, /could not be asked: .*found/i],
			[
				'a page instead of an answer',
				{ status: 200, body: '<html></html>' },
				/could not be asked: Something other than the service answered/,
			],
			['500', { status: 500, body: {} }, /could not be asked: The service had an internal error/],
		])('uses the rules alone and says so: %s', async (_what, answer, note) => {
			await whenValidated(published, answer);
			const notChecked = [expect.stringMatching(note)];
			await expectItems(service, validate({}, { options: { ignoreRules: ['action-never-used'] } }), items(), [
				{ valid: true, service: null, notChecked },
				{ valid: false, service: null, notChecked },
				{ valid: true, service: null, notChecked, counts: { warnings: 1 } },
			]);
		});

		test('says that actions were not checked if they cannot be read', async () => {
			await hideActions();
			const notChecked = [expect.stringContaining('actions of the agent could not be read')];
			await expectItems(service, validate(), items(), [
				{ valid: true, service: { valid: true }, notChecked },
				{ valid: false, notChecked },
				{ valid: true, notChecked },
			]);
		});

		test('fails where it refuses the token', async () => {
			await whenValidated(published, { status: 401, body: { error: 'Unauthorized' } });
			await expectItems(service, validate(), items(), refusedToken);
		});
	});
});

describe('Agent Flow → Update validates first', () => {
	const items = () => [good, nowhere, warned].map((flow) => ({ agent: draft, flow }));

	test('and sends only flows that the service accepts, with the findings in the output', async () => {
		const sent = await expectItems(service, update(), items(), [
			{ conversation_mode: 'flow_driven', flow_config: good, rules: [] },
			failed('FLOW_INVALID', {
				message: expect.stringMatching(
					/^The flow has 3 errors\. The service reports: .*'helo'.* as the service says\. /,
				),
			}),
			{ flow_config: warned, rules: [{ rule: 'next-ignored', severity: 'warning' }] },
		]);
		expect(sent.filter(([method]) => method === 'PUT').map(([, , body]) => body)).toEqualInAnyOrder([
			{ conversation_mode: 'flow_driven', flow_config: good },
			{ conversation_mode: 'flow_driven', flow_config: warned },
		]);
	});

	test('and what the service alone rejects stops it, too', async () => {
		const flow = { initial_node_id: 'a', nodes: [{ id: 'a', type: 'ask', next: 'bye', save: 'x' }, bye] };
		const refused = failed('FLOW_INVALID', {
			message: expect.stringContaining("The service reports: Node 'a' of type 'ask' requires content."),
		});
		await expectItems(service, update(), [{ agent: draft, flow }], [refused]);
		expect(await updates()).toBe(0);
	});

	test.each([403, 404, 500])(
		'and if the service cannot be asked (%s), any error of the rules stops it',
		async (status) => {
			await whenValidated(draft, { status, body: { error: 'No' } });
			await expectItems(service, update(), items(), [
				{ flow_config: good },
				failed('FLOW_INVALID', { message: expect.stringContaining('Did you mean "hello"?') }),
				{ flow_config: warned },
			]);
			expect(await updates()).toBe(2);
		},
	);

	test('and nothing is sent after the service has refused the token', async () => {
		await whenValidated(draft, { status: 401, body: { error: 'Unauthorized' } });
		await expectItems(service, update(), items(), refusedToken);
		expect(await updates()).toBe(0);
	});

	test('and reads the actions of the agent only for a flow that has some', async () => {
		const inactive = { node_id: 'hold', name: 'hold', description: 'Waits', type: 'hold', current_status: 'inactive' };
		const { body } = await service.api('POST', `agents/${published}/actions`, inactive);
		const id = (body.data as { id: string }).id;
		const flow = { initial_node_id: 'a', nodes: [{ id: 'a', type: 'action', action_id: id, next: 'bye' }, bye] };
		const rules = expect.arrayContaining([expect.objectContaining({ rule: 'action-inactive', nodeId: 'a' })]);
		const items = [flow, good].map((given) => ({ agent: published, flow: given }));
		const sent = await expectItems(service, update(), items, [{ rules }, { rules: [] }]);
		expect(sent.filter(([method]) => method === 'GET')).toEqual([['GET', `agents/${published}/actions`]]);
		await hideActions();
		await expectItems(service, update(), items, [{ rules: [] }, { rules: [] }]);
	});

	test('unless the language model leads', async () => {
		const llm = { ...update(), conversationMode: 'llm_driven' };
		await expectItems(service, llm, [{ agent: draft }], [{ conversation_mode: 'llm_driven' }]);
		expect([await validations(), await updates()]).toEqual([0, 1]);
	});
});
