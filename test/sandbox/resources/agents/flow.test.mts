import { asList } from '../../client.mts';
import { useService } from '../../use.mts';

type Node = Record<string, unknown>;
const start = (type: string, fields: object = {}): Node => ({ id: 'start', type, ...fields });
const say = (id: string, next: string): Node => ({ id, type: 'say', content: 'Hello', next });
const end: Node = { id: 'end', type: 'end' };
const flow_config = { initial_node_id: 'end', nodes: [end] };
const service = useService();
let path: string;
beforeEach(() => {
	path = `/agents/${service.seed.agents.published}/flow`;
});
const update = (body: object) => service.api('PUT', path, { conversation_mode: 'flow_driven', ...body });
const validate = async (nodes: unknown) =>
	(await service.api('POST', `${path}/validate`, { flow_config: { initial_node_id: 'start', nodes } })).data;

describe('flow validation', () => {
	it('accepts a flow of every node type, and a loop', async () => {
		const agent = await service.api('GET', `/agents/${service.seed.agents.published}`);
		const branches = ['book', 'pass'].map((next) => ({ match: next, next }));
		const nodes = [
			say('start', 'ask'),
			{ id: 'ask', type: 'ask', content: 'Shall I book?', next: 'choose' },
			{ id: 'choose', type: 'decision', branches },
			{ id: 'pass', type: 'transfer' },
			end,
			{ id: 'book', type: 'action', action_id: agent.data.data.actions[0]!.id, next: 'end' },
		];
		expect(await validate(nodes)).toEqual({ success: true, message: expect.any(String) });
		expect((await validate([say('start', 'again'), say('again', 'start')])).success).toBe(true);
	});

	it.each<[string, Node[], string]>([
		['an initial node that is not there', [say('first', 'end'), end], "Initial node 'start' does not exist in nodes."],
		['an id that comes twice', [say('start', 'end'), end, end], "Duplicate node id 'end'."],
		['an unknown target', [say('start', 'gone'), end], "Node 'start' references unknown next node 'gone'."],
		['a node that nothing leads to', [say('start', 'end'), end, say('alone', 'end')], "Node 'alone' is unreachable."],
		['an unknown type', [start('shout', { next: 'end' }), end], "Node 'start' has the unknown type 'shout'."],
		['a node without type', [{ id: 'start', next: 'end' }, end], "Node 'start' requires type."],
		['say without content', [start('say', { next: 'end' }), end], "Node 'start' of type 'say' requires content."],
		['say without next', [start('say', { content: 'Hi' })], "Node 'start' of type 'say' requires next."],
		['a decision without branches', [start('decision')], "Node 'start' of type 'decision' requires branches."],
		['a branch without target', [start('decision', { branches: [{ match: 'x' }] })], "node 'start' requires next."],
		['a branch without match', [start('decision', { branches: [{ next: 'end' }] }), end], "'start' requires match."],
		['an action without id', [start('action', { next: 'end' }), end], "of type 'action' requires action_id."],
		['an unknown action', [start('action', { action_id: 'x', next: 'end' }), end], "references unknown action 'x'."],
		['a node without id', [{ type: 'end' }], 'Node at index 0 has no id.'],
	])('names %s', async (_what, nodes, error) => {
		const { success, errors } = await validate(nodes);
		expect([success, asList(errors)]).toEqual([false, expect.arrayContaining([expect.stringContaining(error)])]);
	});

	it('saves nothing, while an update saves the flow and leaves the agent published, or names all errors', async () => {
		await validate([say('start', 'end'), end]);
		const { data } = await update({ flow_config: { initial_node_id: 'x', nodes: [end] } });
		expect(asList(data.errors)).toHaveLength(2);
		expect((await service.api('GET', path)).data.data).toEqual({ conversation_mode: 'llm_driven', flow_config: null });
		await update({ flow_config });
		expect((await service.api('GET', path)).data.data).toEqual({ conversation_mode: 'flow_driven', flow_config });
		const agent = await service.api('GET', `/agents/${service.seed.agents.published}`);
		expect(agent.data.data.current_status).toBe('published');
	});
});
