import type { LintContext } from '../../../../../nodes/VoiceAgentCalling/agents/flows/rules/rule.ts';
import { end, finding, flow, found, type Node, say } from './flows.mts';

const ask = (id: string, next?: unknown, more: Node = {}): Node => ({ ...say(id, next), type: 'ask', ...more });
const action = (id: string, next?: unknown, more: Node = {}): Node => ({ id, type: 'action', next, ...more });
const decision = (id: string, ...branches: unknown[]): Node => ({ id, type: 'decision', branches });
const to = (match: unknown, next: unknown) => ({ match, next });
const others = to('default', 'end');

type Case = [what: string, given: Record<string, unknown>, findings: string[], context?: LintContext];

const books: LintContext = { actions: [{ id: 'act_1', node_id: 'booking', name: 'book', current_status: 'inactive' }] };

describe('the ways of a flow', () => {
	const x = say('x', 'end');
	const asks = ask('a', 'b', { store: 1 });
	const again = (last: string) => decision('b', to('again', 'a'), to('default', last));
	const last = (type: string, more: Node = {}) => ({ id: 't', type, ...more });
	const branches = (...all: unknown[]) => ask('a', undefined, { branches: all });
	/** A flow of which it is not known where it starts. */
	const somewhere = (...nodes: Node[]) => ({ initial_node_id: 'start', nodes });
	const START = 'error initial-unknown initial_node_id';
	const [LOST, LOOP] = ['error unreachable nodes[2]', 'warning loop-without-ask nodes[0]'];

	it.each<Case>([
		[
			'start at the initial node, and perhaps where another field of the flow says so',
			{ ...flow(say('a', 'end'), x, end), on_error: { go: 'x' } },
			['warning unreachable nodes[1]'],
		],
		[
			'do not start where the description of the flow says so',
			{ ...flow(say('a', 'end'), x, end), meta: { name: 'x' } },
			['error unreachable nodes[1]'],
		],
		[
			'stop at an end, whatever it leads to',
			flow(say('a', 'end'), { ...end, next: 'x', then: 'x' }, x),
			['warning next-ignored nodes[1].next', LOST],
		],
		[
			'do not go where the match of a branch has the name of a node',
			flow(branches(to('x', 'end'), to('y', 'b')), say('b', 'end'), say('x', 'b'), end),
			[LOST],
		],
		[
			'may go where the next of a branch names a node within an object',
			flow(branches(to('y', 'b'), to('n', { go: ['x'] })), say('b', 'end'), say('x', 'b'), end),
			['warning dead-end nodes[0].branches[1]', 'warning unreachable nodes[2]'],
		],
		['go around a loop with one ask', flow(say('a', 'c'), ask('c', 'b'), again('end'), end), []],
		['go around a loop, wherever they start', somewhere(say('a', 'b'), say('b', 'a')), [START, LOOP]],
		['never end, wherever they start', somewhere(asks, say('b', 'a')), [START, 'warning no-path-to-end nodes[0]']],
		[
			'repeat an action, wherever they start',
			somewhere(action('a', 'b'), again('end'), end),
			[START, LOOP, 'warning loop-through-action nodes[0]'],
		],
		['end with a transfer', flow(asks, again('t'), last('transfer', { to: 1 })), []],
		[
			'end with a transfer, whatever it leads to',
			flow(asks, action('b', 't'), last('transfer', { to: 1, next: 'a' })),
			['warning next-ignored nodes[2].next'],
		],
		['end in an unknown node', flow(asks, again('t'), last('x', { next: 'a' })), ['error type-unknown nodes[2].type']],
		['leave a loop in which nothing is asked', flow(say('a', 'b'), again('end'), end), [LOOP]],
	])('%s', (_what, given, findings) => {
		expect(found(given)).toEqual(findings);
	});

	it.each(['end_conversation', 'transfer_call'])('end where a global function is %s, and with no other', (name) => {
		const functions = (list: unknown) => found({ ...flow(asks, say('b', 'a')), global_functions: list });
		expect(functions([null, { name: 'other' }, { name }])).toEqual([]);
		for (const others of [[null, { name: 'other' }], name]) {
			expect(functions(others)).toEqual(['warning no-path-to-end nodes[0]']);
		}
	});
});

describe('the findings of a flow', () => {
	const toB = [say('b', 'end'), end];
	const EMPTY = 'warning match-empty nodes[0].branches';
	const MISSING = 'error field-missing nodes[0].branches';
	const id = 'act_1';

	it.each<Case>([
		[
			'are in its order: the flow itself, its nodes, and what is not in it',
			{ nodes: [say('a', 'end', { text: 1 }), say('b'), end] },
			['error initial-missing initial_node_id', 'error field-missing nodes[1].next', 'info action-never-used '],
			{ actions: [{ id }] },
		],
		['name an empty ID as missing', flow(say('a', 'end'), end, say('', 'end')), ['error id-missing nodes[2]']],
		[
			'do not mix the branches of a transfer with those of a decision',
			flow({ id: 'a', type: 'transfer', to: 1, branches: [to('', 'end'), to('x', 'a'), to('x', 'a')] }, end),
			['warning next-ignored nodes[0].branches'],
		],
		['allow an end with empty fields', flow(say('a', 'end'), { ...end, next: '', branches: [] }), []],
		[
			'name branches that lack a next or a match',
			flow(decision('a', { match: 'x' }, { next: 'end' }, 5), end),
			[`${MISSING}[0].next`, `${MISSING}[1].match`, `${MISSING}[2]`],
		],
		[
			'name an action without next',
			flow(action('a'), end),
			['warning dead-end nodes[0]', 'error unreachable nodes[1]'],
		],
		[
			'name branches of an ask that are no list',
			flow(ask('a', 'end', { branches: {}, store: 1 }), end),
			['warning dead-end nodes[0].branches'],
		],
		['name a decision with a next only once', flow({ ...decision('a'), next: 'end' }, end), [MISSING]],
		[
			'name a match that is null as empty, and one of spaces',
			flow(decision('a', to(null, 'end'), to('  ', 'b')), ...toB),
			[`${EMPTY}[0].match`, `${EMPTY}[1].match`],
		],
		[
			'name a match that differs in spaces, hyphens and case as the same',
			flow(decision('a', to('Call  me-back', 'end'), to(' call me back', 'b'), others), ...toB),
			['warning duplicate-match nodes[0].branches[1].match'],
		],
		['keep words apart', flow(decision('a', to('callback', 'end'), to('call back', 'b'), others), ...toB), []],
		[
			'do not take empty fields of a transfer for its target',
			flow({ id: 'a', type: 'transfer', to: '', number: null, next: '' }),
			['warning transfer-without-target nodes[0]'],
		],
		[
			'name an inactive action wherever its ID is, in the first place of a node only',
			flow(action('a', 'booking', { options: [{ x: 1 }, { id, also: id }] }), action('booking', 'b'), ...toB),
			['warning action-inactive nodes[0].options[1].id', 'warning action-inactive nodes[1].id'],
			books,
		],
		['do not take the ID of a say for that of an action', flow(say('booking', 'end'), end), [], books],
		[
			'ask for no action that has no ID, and for none that a text names',
			flow(say('a', 'end', { content: 'act_2' }), end),
			['info action-never-used '],
			{ actions: [{ id: '', name: 'x' }, { id: 'act_2' }, { node_id: 3 }] },
		],
		[
			'name an unknown action only where there is a text, and actions are known',
			flow(action('a', 'b', { action_id: '' }), action('b', 'end', { action_id: 7 }), end),
			[],
			{ actions: [] },
		],
		['name nothing of actions that are not known', flow(action('a', 'end', { action_id: 'x' }), end), []],
		[
			'name a placeholder without a value in any text of the flow',
			{ ...flow(say('a', 'end', { more: ['x', { y: '{{who}}' }] }), end), meta: { title: '{{title}}' } },
			['warning placeholder-without-value meta.title', 'warning placeholder-without-value nodes[0].more[1].y'],
			{ payload: {} },
		],
	])('%s', (_what, given, findings, context = {}) => {
		expect(found(given, context)).toEqual(findings);
	});
});

describe('a finding says', () => {
	const loop = (count: number) =>
		flow(...Array.from({ length: count }, (_none, index) => say(`n${index}`, `n${(index + 1) % count}`)));
	const lost = (...nodes: Node[]) => flow(say('a', 'end'), end, ...nodes);
	const deciding = (...branches: unknown[]) => flow(decision('want', ...branches), say('b', 'end'), end);

	it.each<[rule: string, given: Record<string, unknown>, text: string, context?: LintContext]>([
		['field-missing', flow(say('a', 'end', { content: 5 }), end), 'a content that is a number, not a text'],
		['field-missing', flow(say('a', 'end', { content: '' }), end), 'an empty content'],
		['field-missing', flow({ id: 'a', type: 'say', next: 'end' }, end), 'has no content'],
		['initial-missing', { ...flow(end), initial_node_id: 5 }, 'an initial_node_id that is a number'],
		['initial-missing', { nodes: [{ type: 'end' }, end] }, 'such as "end"'],
		['flow-empty', { initial_node_id: 'a' }, 'no field nodes'],
		['flow-empty', { nodes: 5 }, 'nodes that are a number, not a list'],
		['id-missing', flow(end, 5), 'The node at nodes[1] is a number, not an object'],
		['id-missing', flow(end, { id: 5, type: 'end' }), 'has an id that is a number'],
		['id-duplicate', flow(end, end, end), '3 nodes have the ID "end", the first at nodes[0]'],
		['type-unknown', flow({ id: 'a', type: 5 }), 'a type that is a number'],
		['field-missing', flow({ id: 'a', type: 'decision', branches: 5 }), 'branches that are a number, not a list'],
		['field-missing', flow({ id: 'a', type: 'decision' }), 'has no branches'],
		['field-missing', flow({ id: 'a', type: '' }), 'an empty type'],
		['field-missing', flow({ id: 'a' }), 'no type'],
		['field-missing', deciding({ match: 'x' }), 'a branch with no next, for "x"'],
		['field-missing', deciding(5), 'a branch at nodes[0].branches[0] that is a number'],
		['target-unknown', flow(say('a', 'x'.repeat(61)), end), `"${'x'.repeat(60)}…"`],
		['target-unknown', flow(say('a', 'x'.repeat(60)), end), `"${'x'.repeat(60)}"`],
		['target-unknown', flow(say('a', 'x \n y'), end), '"x y"'],
		[
			'loop-without-ask',
			flow(decision('a', to('x', 'b'), to('y', 'c')), say('b', 'c'), say('c', 'a')),
			': "a" → "c" → "a".',
		],
		['loop-without-ask', loop(5), ': "n0" → "n1" → "n2" → "n3" → "n4" → "n0".'],
		['loop-without-ask', loop(6), ': "n0" → "n1" → "n2" → "n3" → "n4" → … → "n0".'],
		['loop-without-ask', flow(say('a', 'a')), ': "a" → "a".'],
		['loop-without-ask', flow(say('a', 'b'), decision('b', to('x', 'a'), others), end), 'Whether a decision waits'],
		['loop-through-action', flow(action('a', 'b'), action('b', 'a')), 'also has the action "b".'],
		[
			'loop-through-action',
			flow(action('a', 'b'), action('b', 'c'), action('c', 'a')),
			'also has the actions "b", "c".',
		],
		['next-ignored', flow({ ...end, next: 'end', branches: [1] }), 'has next and branches, but the call ends'],
		['next-ignored', flow({ id: 'a', type: 'transfer', to: 1, next: 'a' }), 'has next, but the agent leaves'],
		['unreachable', lost(say('x', 'y'), say('y', 'end')), 'So is what follows it: 1 other node.'],
		['unreachable', lost(ask('x', 'y', { store: 1 }), say('y', 'x')), 'No node outside its own loop leads to'],
		['unreachable', lost(say('x', 'end')), 'No node that the conversation reaches'],
		[
			'unreachable',
			flow(action('a', 'end', { go: 'x' }), end, say('x', 'y'), say('y', 'end')),
			'The same is true of 1 other node after it.',
		],
		['action-inactive', flow(action('a', 'end', { action_id: 'act_1' }), end), 'the action "book"', books],
		['action-never-used', flow(end), 'the action "7"', { actions: [{ id: 7 }] }],
		['action-unknown', flow(action('a', 'end', { action_id: 'book' }), end), 'but under this name', books],
		[
			'duplicate-match',
			deciding(to(5, 'b'), to('5', 'end')),
			'two branches for "5", the first at nodes[0].branches[0]. Only one of them can be taken; which',
		],
		['duplicate-match', deciding(to('x', 'b'), to('x', 'b')), 'Only one of them can be taken.'],
		[
			'branch-never-taken',
			deciding(others, to('x', 'b')),
			'its branch for "x" after the one for all answers, "default"',
		],
		['branch-never-taken', deciding(others, to('x', 'b'), to('y', 'b')), '2 branches, the first for "x", after'],
		[
			'placeholder-without-value',
			flow(say('a', 'b', { content: '{{x}} {{x}}' }), say('b', 'end', { content: '2 {{x}}' }), end),
			'uses {{x}}, and so do 1 other node, which',
			{ payload: {} },
		],
		['placeholder-without-value', { ...flow(end), meta: '{{x}}' }, 'The flow uses {{x}}, which', { payload: {} }],
	])('%s in %j', (rule, given, text, context = {}) => {
		const { message, fix } = finding(rule, given, context) ?? {};
		expect(`${message}${fix}`).toContain(text);
	});

	it.each([
		['{ first.name }', 'Write {{first.name}}.'],
		['{{{name}}}', 'Write {{name}}.'],
		['{{name}', 'Write {{name}}.'],
		['{name}}', 'Write {{name}}.'],
		['{{ na!me }}', 'letters, digits'],
		['Hi {{name', 'letters, digits'],
		['{{ $json.name }}', 'an expression of n8n'],
	])('how to write %s', (content, fix) => {
		const given = flow(say('a', 'end', { content }), end);
		expect(finding('placeholder-malformed', given)?.fix).toContain(fix);
	});

	it.each(
		Object.entries({
			speak: 'say',
			message: 'say',
			text: 'say',
			question: 'ask',
			gather: 'ask',
			listen: 'ask',
			input: 'ask',
			branch: 'decision',
			condition: 'decision',
			if: 'decision',
			router: 'decision',
			switch: 'decision',
			function: 'action',
			tool: 'action',
			webhook: 'action',
			forward: 'transfer',
			handoff: 'transfer',
			exit: 'end',
			finish: 'end',
			hangup: 'end',
			stop: 'end',
		}),
	)('that %s may mean the type %s', (type, meant) => {
		expect(finding('type-unknown', flow({ id: 'a', type }))?.fix).toBe(`Did you mean "${meant}"?`);
	});
});

describe('a branch for all other answers', () => {
	const rules = (match: unknown) => found(flow(decision('a', to('yes', 'b'), to(match, 'end')), say('b', 'end'), end));
	const names = `*|.*|_default_|__default__|catchall|catch all|Catch-All|default| Default |fallback|otherwise|any|anything|
		anything else|every|everything|everything else|any else|else|none of the above|none of these|no match|nomatch|other|
		others|other answer|other answers|other value|other values|other case|other cases|all others|any other answer|
		something other|everything other|any answer|any answers|any other answers|something else|rest|the rest`;

	it.each(names.split(/\|\n?\t*/))('may be called %j', (match) => {
		expect(rules(match)).toEqual([]);
	});

	it.each(['x*', 'my default', 'default mode', 'restaurant', 'another', 'the others', 'no', 'answer', 5, { a: 1 }])(
		'is not called %j',
		(match) => {
			expect(rules(match)).toEqual(['warning decision-without-default nodes[0].branches']);
		},
	);

	it('is not needed where there is a next, even if that is not documented', () => {
		const given = (next: unknown) => found(flow({ ...decision('a', to('yes', 'end')), next }, end));
		expect(given('end')).toEqual(['warning next-ignored nodes[0].next']);
		for (const none of ['', null]) {
			expect(given(none)).toEqual(['warning decision-without-default nodes[0].branches']);
		}
	});
});
