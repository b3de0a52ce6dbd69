import * as page from '../../../sandbox/console/page/walkFlow.js';
import { timeInCopies } from '../../processorTime.mts';

const { actionOf, fillIn, otherFields, variablesIn, walkFlow, warningsOf, waysOf } = page;
const bye = { id: 'bye', type: 'end' };
const hello = { id: 'hello', type: 'say', content: 'Hello!', next: 'bye' };
const flowOf = (...nodes: object[]) => ({ initial_node_id: 'hello', nodes: [...nodes, bye] });

/** The IDs of the steps, and why the walk stops. */
function walked(flow: object, choices: number[]) {
	const { steps, problem } = walkFlow(flow, choices);
	return [steps.map(({ node }) => node.id).join(' '), problem];
}

describe('a walk through a flow', () => {
	it('goes on a step with each choice, and ends at an end or a transfer, and where a choice does not exist', () => {
		const flow = flowOf({ ...hello, next: 'price' }, { id: 'price', type: 'say', content: '9 euros', next: 'bye' });
		expect(walked(flow, [])).toEqual(['hello', null]);
		expect(walked(flow, [0])).toEqual(['hello price', null]);
		expect(walked(flow, [0, 0, 0, 0])).toEqual(['hello price bye', null]);
		expect(walked(flow, [5, 0])).toEqual(['hello', null]);
		const desk = flowOf({ ...hello, next: 'desk' }, { id: 'desk', type: 'transfer', next: 'bye' });
		expect(walked(desk, [0, 0])).toEqual(['hello desk', null]);
		expect(waysOf({ ...bye, next: 'hello', branches: [{ match: 'yes', next: 'hello' }] })).toEqual([]);
	});

	it('offers every branch with its condition, one without a condition, and `next` for all other answers', () => {
		const many = { match: { min: 3 }, label: 'Many', next: 'bye' };
		const branches = [{ match: 'yes', next: 'bye' }, many, { match: 'default', next: 'hello' }, { next: 'bye' }];
		const flow = flowOf({ id: 'hello', type: 'decision', branches, next: 'bye' });
		const way = (text: string, to: string, isNext = false) => ({ text, to, isNext });
		expect(walkFlow(flow, []).steps[0]!.ways).toEqual([
			way('yes', 'bye'),
			way('Many: {"min":3}', 'bye'),
			way('default', 'hello'),
			way('', 'bye'),
			way('', 'bye', true),
		]);
		expect(walkFlow(flow, [2, 0]).steps.map(({ chosen }) => chosen)).toEqual([2, 0, undefined]);
	});

	it('goes around a loop that asks, as often as the person likes', () => {
		const branches = [
			{ match: 'Yes', next: 'hello' },
			{ match: 'No', next: 'bye' },
		];
		const flow = flowOf(
			{ ...hello, next: 'more' },
			{ id: 'more', type: 'ask', content: 'Anything else?', next: 'which' },
			{ id: 'which', type: 'decision', branches },
		);
		expect(walked(flow, [0, 0, 0, 0, 0, 1])).toEqual(['hello more which hello more which bye', null]);
	});

	it('stops in a loop that does not ask, also after a question', () => {
		const loop = flowOf(
			{ id: 'hello', type: 'ask', content: 'Hm?', branches: [{ match: 'yes', next: 'one' }] },
			{ id: 'one', type: 'say', content: 'One', next: 'two' },
			{ id: 'two', type: 'decision', branches: [{ match: 'two', next: 'one' }] },
		);
		const problem = '"two" leads back to "one" without a question in between: the agent would never stop.';
		expect(walked(loop, [0, 0, 0, 0])).toEqual(['hello one two', problem]);
		expect(walked(flowOf({ ...hello, next: 'hello' }), [0])[1]).toContain('leads back to "hello"');
	});

	it.each([
		['a node that does not exist', { next: 'by' }, '"hello" leads to "by", but there is no such node.'],
		['a name of a property of all objects', { next: 'constructor' }, 'leads to "constructor", but there is no such'],
		['a branch without a target', { next: null, branches: [{ match: 'yes' }] }, 'This branch of "hello" leads nowhere'],
		[
			'a branch that is none',
			{ next: null, branches: [null] },
			'This branch of "hello" leads nowhere: it has no next.',
		],
		['no target', { next: '' }, '"hello" leads nowhere: it is no end, and it has no next and no branches.'],
		['a target that is no text', { next: 7, branches: 'none' }, '"hello" leads nowhere'],
	])('stops at %s, and says what is wrong', (_what, change, problem) => {
		expect(walked(flowOf({ ...hello, ...change }), [0])).toEqual(['hello', expect.stringContaining(problem)]);
	});

	it.each([
		['without nodes', {}, 'The flow has no nodes.'],
		['with nodes without IDs', { initial_node_id: 'a', nodes: [null, 5, { type: 'end' }] }, 'The flow has no nodes.'],
		['without a beginning', { nodes: [bye] }, 'The flow does not say where it begins: set initial_node_id.'],
		[
			'that begins nowhere',
			{ initial_node_id: 'helo', nodes: [bye] },
			'begins with "helo", but there is no such node.',
		],
	])('does not begin in a flow %s', (_what, flow, problem) => {
		expect(walked(flow, [0, 0])).toEqual(['', expect.stringContaining(problem)]);
	});

	it('stops at a node whose ID another one has', () => {
		const problem = 'Several nodes have the ID "bye": it is not defined which one follows.';
		expect(walked(flowOf(hello, { ...bye, content: 'Bye!' }), [0])).toEqual(['hello bye', problem]);
	});

	it('is quick with 4,000 nodes, and with 4,000 rounds of a question', async () => {
		const nodes = Array.from({ length: 4000 }, (_, index) => ({
			id: index === 0 ? 'hello' : `n${index}`,
			type: 'say',
			content: `{{ v${index} }}`,
			next: index === 3999 ? 'bye' : `n${index + 1}`,
		}));
		const choices = nodes.map(() => 0);
		const copies = await timeInCopies(nodes, () => {
			expect(walkFlow(flowOf(...nodes), choices).steps.at(-1)!.node).toBe(bye);
			expect(walkFlow(flowOf({ id: 'hello', type: 'ask', next: 'hello' }), choices).steps).toHaveLength(4001);
			expect(variablesIn(flowOf(...nodes))).toHaveLength(4000);
		});
		expect(copies).toBeLessThan(50);
	});
});

it('what the agent says has each variable once, and the values of those that have one', () => {
	const other = { id: 'other', type: 'ask', content: '{{plan}}, {{ first_name }}, {{ }}, {not} {{a.b}}' };
	const flow = flowOf({ ...hello, content: 'Hello {{first_name}}!' }, other, { ...bye, content: 7 });
	expect(variablesIn(flow)).toEqual(['first_name', 'plan', 'a.b']);
	const values = new Map(Object.entries({ first_name: 'Ada $& {{plan}}', empty: '' }));
	const text = 'Hello {{ first_name }}{{empty}}, {{plan}} {{constructor}} {{ }} {{open {x}';
	expect(fillIn(text, values)).toBe('Hello Ada $& {{plan}}, plan constructor {{ }} {{open {x}');
	const filled = [undefined, null, 5, ['{{a}}']].map((content) => fillIn(content, new Map([['a', 'b']])));
	expect(filled).toEqual(['', '', '5', '["b"]']);
});

describe('the node', () => {
	const book = { id: 'act_1', node_id: 'booking', name: 'book', current_status: 'active' };
	const call = { id: 'act_2', node_id: 'calling', name: 'call', current_status: 'inactive' };
	const node = (action_id?: unknown) => ({ id: 'do', type: 'action', action_id, next: 'bye' });

	it('has the action whose ID or node ID it names, and shows the fields that are not documented', () => {
		const found = [node('act_1'), node('calling'), node('none'), node(), node(7)].map((one) =>
			actionOf(one, [book, call]),
		);
		expect(found).toEqual([book, call, undefined, undefined, undefined]);
		const fields = { name: 'Book', content: 'One moment.', branches: [], parameters: { day: 1 } };
		expect(otherFields({ ...node('act_1'), ...fields })).toEqual({ parameters: { day: 1 } });
	});

	it.each([
		[node('act_1'), []],
		[node('act_2'), ['The action is inactive: it may not be sent.']],
		[node('none'), ['The agent has no action "none": no action would be sent.']],
		[node(), ['The node has no action_id: no action would be sent.']],
		[{ type: 'speak' }, ['The type "speak" is not documented: the service may refuse the flow.']],
		[{}, ['The type null is not documented: the service may refuse the flow.']],
		[{ type: 'say', content: ' ' }, ['The node has no content: the agent says nothing.']],
	])('%j has its warnings', (one, warnings) => {
		expect(warningsOf(one, [book, call])).toEqual(warnings);
	});
});
