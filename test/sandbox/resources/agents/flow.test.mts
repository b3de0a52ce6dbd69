import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { expectRefusals } from '../../refusals.mts';

type Node = Record<string, unknown>;
const say = (id: string, next: string): Node => ({ id, type: 'say', content: 'Hello', next });
const end: Node = { id: 'end', type: 'end' };

describe('flow validation', () => {
	let service: SandboxClient;
	let path: string;
	let action: string;
	beforeAll(async () => {
		service = await startClient();
		path = `/agents/${service.seed.agents.published}/flow`;
		action = asText((await service.api('GET', `/agents/${service.seed.agents.published}`)).data.data.actions[0]!.id);
	});
	afterAll(() => service.close());

	const validate = (nodes: unknown, initial_node_id: unknown = 'start') =>
		service.api('POST', `${path}/validate`, { flow_config: { initial_node_id, nodes } });

	it('accepts a flow of every node type', async () => {
		const { status, data } = await validate([
			say('start', 'ask'),
			{ id: 'ask', type: 'ask', content: 'Shall I book?', next: 'choose' },
			{
				id: 'choose',
				type: 'decision',
				branches: [
					{ match: 'yes', next: 'book' },
					{ match: 'no', next: 'pass' },
				],
			},
			{ id: 'book', type: 'action', action_id: action, next: 'end' },
			{ id: 'pass', type: 'transfer' },
			end,
		]);
		expect([status, data]).toEqual([200, { success: true, message: expect.any(String) }]);
	});

	it.each<[string, Node[], string]>([
		['an initial node that is not there', [say('first', 'end'), end], "Initial node 'start' does not exist in nodes."],
		['an id that comes twice', [say('start', 'end'), end, end], "Duplicate node id 'end'."],
		['an unknown target', [say('start', 'gone'), end], "Node 'start' references unknown next node 'gone'."],
		['a node that nothing leads to', [say('start', 'end'), end, say('alone', 'end')], "Node 'alone' is unreachable."],
		[
			'an unknown type',
			[{ id: 'start', type: 'shout', next: 'end' }, end],
			"Node 'start' has the unknown type 'shout'.",
		],
		['a node without type', [{ id: 'start', next: 'end' }, end], "Node 'start' requires type."],
		[
			'say without content',
			[{ id: 'start', type: 'say', next: 'end' }, end],
			"Node 'start' of type 'say' requires content.",
		],
		['say without next', [{ id: 'start', type: 'say', content: 'Hi' }], "Node 'start' of type 'say' requires next."],
		[
			'ask without next or branches',
			[{ id: 'start', type: 'ask', content: 'Hm?' }],
			"Node 'start' of type 'ask' requires next or branches.",
		],
		[
			'a decision without branches',
			[{ id: 'start', type: 'decision' }],
			"Node 'start' of type 'decision' requires branches.",
		],
		[
			'a branch without target',
			[{ id: 'start', type: 'decision', branches: [{ match: 'x' }] }],
			"Branch 0 of node 'start' requires next.",
		],
		[
			'a branch without match',
			[{ id: 'start', type: 'decision', branches: [{ next: 'end' }] }, end],
			"Branch 0 of node 'start' requires match.",
		],
		[
			'a branch to nowhere',
			[{ id: 'start', type: 'decision', branches: [{ match: 'x', next: 'gone' }] }],
			"Node 'start' references unknown next node 'gone'.",
		],
		[
			'an action without id',
			[{ id: 'start', type: 'action', next: 'end' }, end],
			"Node 'start' of type 'action' requires action_id.",
		],
		[
			'an action that the agent lacks',
			[{ id: 'start', type: 'action', action_id: 'x', next: 'end' }, end],
			"Node 'start' references unknown action 'x'.",
		],
		['a node without id', [{ type: 'end' }], 'Node at index 0 has no id.'],
	])('names %s', async (_what, nodes, error) => {
		const { status, data } = await validate(nodes);
		expect(status).toBe(200);
		expect(data.success).toBe(false);
		expect(data.errors).toContain(error);
		expect(data).not.toHaveProperty('message');
	});

	it('ignores the next of an end', async () => {
		const { data } = await validate([say('start', 'end'), { ...end, next: 'after' }, say('after', 'end')]);
		expect(data.errors).toEqual(["Node 'after' is unreachable."]);
	});

	it('treats a loop as reachable and reports several errors at once', async () => {
		const loop = await validate([say('start', 'again'), say('again', 'start')]);
		expect(loop.data.success).toBe(true);
		const { data } = await validate([say('start', 'gone'), say('alone', 'lost')]);
		expect(data.errors).toHaveLength(3);
	});

	it('refuses a missing flow_config with 422 and the field', async () => {
		for (const body of [{}, { flow_config: 'text' }, { flow_config: [] }]) {
			const { status, data } = await service.api('POST', `${path}/validate`, body);
			expect([status, Object.keys(data.errors)]).toEqual([422, ['flow_config']]);
		}
		expect((await validate([], 'start')).data.errors).toHaveLength(1);
		expect((await validate('x', '')).data.errors).toHaveLength(2);
		expect((await service.api('POST', '/agents/nobody/flow/validate', {})).status).toBe(404);
	});

	it('saves nothing, while an update saves the flow and leaves the agent published', async () => {
		const flow_config = { initial_node_id: 'start', nodes: [say('start', 'end'), end] };
		await validate(flow_config.nodes);
		expect((await service.api('GET', path)).data.data).toEqual({ conversation_mode: 'llm_driven', flow_config: null });
		await service.api('PUT', path, { conversation_mode: 'flow_driven', flow_config });
		expect((await service.api('GET', path)).data.data).toEqual({ conversation_mode: 'flow_driven', flow_config });
		const agent = await service.api('GET', `/agents/${service.seed.agents.published}`);
		expect(agent.data.data.current_status).toBe('published');
	});

	it('refuses an update with the errors that the validation gives, as an array', async () => {
		const body = { conversation_mode: 'flow_driven', flow_config: { initial_node_id: 'x', nodes: [end] } };
		const { status, data } = await service.api('PUT', path, body);
		expect([status, data.success, asList(data.errors).length]).toEqual([422, false, 2]);
		const missing = await service.api('PUT', path, { conversation_mode: 'flow_driven' });
		expect(missing.data.errors).toHaveProperty('flow_config');
	});
});

describe('the versions of a flow', () => {
	let service: SandboxClient;
	let path: string;
	beforeEach(async () => {
		service = await startClient();
		path = `/agents/${service.seed.agents.published}/flow`;
	});
	afterEach(() => service.close());

	const versions = async () => asList((await service.api('GET', `${path}/versions`)).data.data.versions);
	const update = (body: object) => service.api('PUT', path, body);
	const flow_config = { initial_node_id: 'end', nodes: [end] };

	it('are empty before the first update', async () => {
		const { status, data } = await service.api('GET', `${path}/versions`);
		expect([status, data]).toEqual([200, { success: true, data: { versions: [] } }]);
	});

	it('are one for each update, the newest first and current', async () => {
		await update({ conversation_mode: 'flow_driven', flow_config });
		await service.advance(60);
		await update({ conversation_mode: 'llm_driven' });
		const entry = { id: expect.any(String), created_at: expect.stringMatching(/Z$/) };
		const [newest, oldest] = await versions();
		expect(newest).toEqual({ ...entry, version: 2, is_current: true });
		expect(oldest).toEqual({ ...entry, version: 1, is_current: false });
		expect(asText(newest?.created_at) > asText(oldest?.created_at)).toBe(true);
		expect(newest?.id).not.toBe(oldest?.id);
	});

	it('do not include rejected and only validated flows', async () => {
		await update({ conversation_mode: 'flow_driven' });
		await update({ conversation_mode: 'flow_driven', flow_config: { initial_node_id: 'x', nodes: [end] } });
		await update({ conversation_mode: 'both' });
		await service.api('POST', `${path}/validate`, { flow_config });
		expect(await versions()).toEqual([]);
	});

	it('need a known agent and a token', async () => {
		expect((await service.api('GET', '/agents/nobody/flow/versions')).data.message).toBe('Agent not found.');
		await expectRefusals(service, 'GET', `${path}/versions`);
	});
});
