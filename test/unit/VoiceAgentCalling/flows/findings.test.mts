import type { LintContext } from '../../../../nodes/VoiceAgentCalling/flows/rules/rule.ts';
import { end, finding, flow, found, type Node, say } from './flows.mts';

const ask = (id: string, next?: unknown, more: Node = {}): Node => ({ ...say(id, next), type: 'ask', ...more });
const action = (id: string, next?: unknown, more: Node = {}): Node => ({ id, type: 'action', next, ...more });
const decision = (id: string, ...branches: unknown[]): Node => ({ id, type: 'decision', branches });
const branch = (match: unknown, next: unknown) => ({ match, next });
const others = branch('default', 'end');

type Case = [what: string, given: Record<string, unknown>, findings: string[], context?: LintContext];

const books: LintContext = { actions: [{ id: 'act_1', node_id: 'booking', name: 'book', current_status: 'inactive' }] };

describe('the ways of a flow', () => {
	it.each<Case>([
		[
			'start at the initial node, and perhaps where another field of the flow says so',
			{ ...flow(say('a', 'end'), say('x', 'end'), end), on_error: { go: 'x' } },
			['warning unreachable nodes[1]'],
		],
		[
			'do not start where the description of the flow says so',
			{ ...flow(say('a', 'end'), say('x', 'end'), end), meta: { name: 'x' } },
			['error unreachable nodes[1]'],
		],
		[
			'stop at an end, whatever it leads to',
			flow(say('a', 'end'), { ...end, next: 'x', then: 'x' }, say('x', 'end')),
			['warning next-ignored nodes[1].next', 'error unreachable nodes[2]'],
		],
		[
			'do not go where the match of a branch has the name of a node',
			flow(
				ask('a', undefined, { branches: [branch('x', 'end'), branch('y', 'b')] }),
				say('b', 'end'),
				say('x', 'b'),
				end,
			),
			['error unreachable nodes[2]'],
		],
		[
			'may go where the next of a branch names a node within an object',
			flow(
				ask('a', undefined, { branches: [branch('y', 'b'), branch('n', { go: ['x'] })] }),
				say('b', 'end'),
				say('x', 'b'),
				end,
			),
			['warning dead-end nodes[0].branches[1]', 'warning unreachable nodes[2]'],
		],
		[
			'go around a loop in which only one node has an ask',
			flow(say('a', 'b'), ask('b', 'c'), decision('c', branch('again', 'a'), others), end),
			[],
		],
		[
			'go around a loop, although it is not known where they start',
			{ initial_node_id: 'start', nodes: [say('a', 'b'), say('b', 'a')] },
			['error initial-unknown initial_node_id', 'warning loop-without-ask nodes[0]'],
		],
		[
			'never end, although it is not known where they start',
			{ initial_node_id: 'start', nodes: [ask('a', 'b', { store: 'x' }), say('b', 'a')] },
			['error initial-unknown initial_node_id', 'warning no-path-to-end nodes[0]'],
		],
		[
			'repeat an action, although it is not known where they start',
			{ initial_node_id: 'start', nodes: [action('a', 'b'), decision('b', branch('again', 'a'), others), end] },
			[
				'error initial-unknown initial_node_id',
				'warning loop-without-ask nodes[0]',
				'warning loop-through-action nodes[0]',
			],
		],
		[
			'end with a transfer, and at a node of which more is not known',
			flow(ask('a', 'b', { store: 1 }), decision('b', branch('again', 'a'), branch('default', 't')), {
				id: 't',
				type: 'transfer',
				to: 1,
			}),
			[],
		],
		[
			'end with a transfer, whatever it leads to',
			flow(ask('a', 'b', { store: 1 }), action('b', 't'), { id: 't', type: 'transfer', to: 1, next: 'a' }),
			['warning next-ignored nodes[2].next'],
		],
		[
			'end in a node whose type is not known',
			flow(ask('a', 'b', { store: 1 }), decision('b', branch('again', 'a'), branch('default', 't')), {
				id: 't',
				type: 'x',
				next: 'a',
			}),
			['error type-unknown nodes[2].type'],
		],
		[
			'leave a loop in which nothing is asked',
			flow(say('a', 'b'), decision('b', branch('again', 'a'), others), end),
			['warning loop-without-ask nodes[0]'],
		],
	])('%s', (_what, given, findings) => {
		expect(found(given)).toEqual(findings);
	});

	it.each(['end_conversation', 'transfer_call'])('end where a global function is %s, and with no other', (name) => {
		const loop = flow(ask('a', 'b', { store: 1 }), say('b', 'a'));
		const functions = (list: unknown) => found({ ...loop, global_functions: list });
		expect(functions([null, { name: 'other' }, { name }])).toEqual([]);
		expect(functions([null, { name: 'other' }])).toEqual(['warning no-path-to-end nodes[0]']);
		expect(functions(name)).toEqual(['warning no-path-to-end nodes[0]']);
	});
});

describe('the findings of a flow', () => {
	it.each<Case>([
		[
			'are in its order: the flow itself, its nodes, and what is not in it',
			{ nodes: [say('a', 'end', { text: 1 }), say('b'), end] },
			['error initial-missing initial_node_id', 'error field-missing nodes[1].next', 'info action-never-used '],
			{ actions: [{ id: 'act_1' }] },
		],
		['name an ID that is empty as missing', flow(say('a', 'end'), end, say('', 'end')), ['error id-missing nodes[2]']],
		[
			'do not mix the branches of an end or a transfer with those of a decision',
			flow(
				{ id: 'a', type: 'transfer', to: 1, branches: [branch('', 'end'), branch('x', 'a'), branch('x', 'a')] },
				end,
			),
			['warning next-ignored nodes[0].branches'],
		],
		['allow an end with empty fields', flow(say('a', 'end'), { ...end, next: '', branches: [] }), []],
		[
			'name branches that lack a next or a match',
			flow(decision('a', { match: 'x' }, { next: 'end' }, 5), end),
			[
				'error field-missing nodes[0].branches[0].next',
				'error field-missing nodes[0].branches[1].match',
				'error field-missing nodes[0].branches[2]',
			],
		],
		[
			'name an action of which nothing follows, and not a say',
			flow(action('a'), end),
			['warning dead-end nodes[0]', 'error unreachable nodes[1]'],
		],
		[
			'name branches of an ask that are no list',
			flow(ask('a', 'end', { branches: {}, store: 1 }), end),
			['warning dead-end nodes[0].branches'],
		],
		[
			'name a decision whose next is all that it has only once',
			flow({ ...decision('a'), next: 'end' }, end),
			['error field-missing nodes[0].branches'],
		],
		[
			'name a match that is null as empty, and one of spaces',
			flow(decision('a', branch(null, 'end'), branch('  ', 'b')), say('b', 'end'), end),
			['warning match-empty nodes[0].branches[0].match', 'warning match-empty nodes[0].branches[1].match'],
		],
		[
			'name a match that differs in spaces, hyphens and case as the same',
			flow(decision('a', branch('Call  me-back', 'end'), branch(' call me back', 'b'), others), say('b', 'end'), end),
			['warning duplicate-match nodes[0].branches[1].match'],
		],
		[
			'do not name words that are written together as the same',
			flow(decision('a', branch('callback', 'end'), branch('call back', 'b'), others), say('b', 'end'), end),
			[],
		],
		[
			'do not take empty fields of a transfer for its target',
			flow({ id: 'a', type: 'transfer', to: '', number: null, next: '' }),
			['warning transfer-without-target nodes[0]'],
		],
		[
			'name an inactive action wherever its ID is, in the first place of a node only',
			flow(
				action('a', 'booking', { options: [{ x: 1 }, { id: 'act_1', also: 'act_1' }] }),
				action('booking', 'b'),
				say('b', 'end'),
				end,
			),
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

	it.each<[what: string, rule: string, given: Record<string, unknown>, text: string, context?: LintContext]>([
		[
			'what is there in place of a text',
			'field-missing',
			flow(say('a', 'end', { content: 5 }), end),
			'a content that is a number, not a text',
		],
		['that a text is empty', 'field-missing', flow(say('a', 'end', { content: '' }), end), 'an empty content'],
		['that a text is missing', 'field-missing', flow({ id: 'a', type: 'say', next: 'end' }, end), 'has no content'],
		[
			'that the initial node is none',
			'initial-missing',
			{ ...flow(end), initial_node_id: 5 },
			'an initial_node_id that is a number',
		],
		['which initial node there may be', 'initial-missing', { nodes: [{ type: 'end' }, end] }, 'such as "end"'],
		['that there are no nodes', 'flow-empty', { initial_node_id: 'a' }, 'no field nodes'],
		['what is there in place of nodes', 'flow-empty', { nodes: 5 }, 'nodes that are a number, not a list'],
		['what is there in place of a node', 'id-missing', flow(end, 5), 'The node at nodes[1] is a number, not an object'],
		['what is there in place of an ID', 'id-missing', flow(end, { id: 5, type: 'end' }), 'has an id that is a number'],
		[
			'how many nodes have an ID',
			'id-duplicate',
			flow(end, end, end),
			'3 nodes have the ID "end", the first at nodes[0]',
		],
		['what is there in place of a type', 'type-unknown', flow({ id: 'a', type: 5 }), 'a type that is a number'],
		[
			'what is there in place of branches',
			'field-missing',
			flow({ id: 'a', type: 'decision', branches: 5 }),
			'branches that are a number, not a list',
		],
		['that there are no branches', 'field-missing', flow({ id: 'a', type: 'decision' }), 'has no branches'],
		['that a type is empty', 'field-missing', flow({ id: 'a', type: '' }), 'an empty type'],
		['that a type is missing', 'field-missing', flow({ id: 'a' }), 'no type'],
		['which branch lacks a next', 'field-missing', deciding({ match: 'x' }), 'a branch with no next, for "x"'],
		['which branch is none', 'field-missing', deciding(5), 'a branch at nodes[0].branches[0] that is a number'],
		['a long ID in short', 'target-unknown', flow(say('a', 'x'.repeat(61)), end), `"${'x'.repeat(60)}…"`],
		['an ID that is not too long', 'target-unknown', flow(say('a', 'x'.repeat(60)), end), `"${'x'.repeat(60)}"`],
		['an ID in one line', 'target-unknown', flow(say('a', 'x \n y'), end), '"x y"'],
		[
			'the shortest way around a loop',
			'loop-without-ask',
			flow(decision('a', branch('x', 'b'), branch('y', 'c')), say('b', 'c'), say('c', 'a')),
			': "a" → "c" → "a".',
		],
		['a way of five steps', 'loop-without-ask', loop(5), ': "n0" → "n1" → "n2" → "n3" → "n4" → "n0".'],
		['a longer way in short', 'loop-without-ask', loop(6), ': "n0" → "n1" → "n2" → "n3" → "n4" → … → "n0".'],
		['the way of a node to itself', 'loop-without-ask', flow(say('a', 'a')), ': "a" → "a".'],
		[
			'that a decision in a loop may wait',
			'loop-without-ask',
			flow(say('a', 'b'), decision('b', branch('x', 'a'), others), end),
			'Whether a decision waits',
		],
		[
			'the other action in a loop',
			'loop-through-action',
			flow(action('a', 'b'), action('b', 'a')),
			'also has the action "b".',
		],
		[
			'the other actions in a loop',
			'loop-through-action',
			flow(action('a', 'b'), action('b', 'c'), action('c', 'a')),
			'also has the actions "b", "c".',
		],
		[
			'what an end ignores',
			'next-ignored',
			flow({ ...end, next: 'end', branches: [1] }),
			'has next and branches, but the call ends',
		],
		[
			'what a transfer ignores',
			'next-ignored',
			flow({ id: 'a', type: 'transfer', to: 1, next: 'a' }),
			'has next, but the agent leaves',
		],
		[
			'how many nodes follow one that is lost',
			'unreachable',
			lost(say('x', 'y'), say('y', 'end')),
			'So is what follows it: 1 other node.',
		],
		[
			'that a loop is lost',
			'unreachable',
			lost(ask('x', 'y', { store: 1 }), say('y', 'x')),
			'No node outside its own loop leads to',
		],
		['that no node leads to it', 'unreachable', lost(say('x', 'end')), 'No node that the conversation reaches'],
		[
			'how many nodes follow one that is perhaps lost',
			'unreachable',
			flow(action('a', 'end', { go: 'x' }), end, say('x', 'y'), say('y', 'end')),
			'The same is true of 1 other node after it.',
		],
		[
			'the name of an action',
			'action-inactive',
			flow(action('a', 'end', { action_id: 'act_1' }), end),
			'the action "book"',
			books,
		],
		['the ID of an action without a name', 'action-never-used', flow(end), 'the action "7"', { actions: [{ id: 7 }] }],
		[
			'that an action has this name',
			'action-unknown',
			flow(action('a', 'end', { action_id: 'book' }), end),
			'but under this name',
			books,
		],
		[
			'which branches are the same',
			'duplicate-match',
			deciding(branch(5, 'b'), branch('5', 'end')),
			'two branches for "5", the first at nodes[0].branches[0]. Only one of them can be taken; which',
		],
		[
			'that it does not matter which of two branches is taken',
			'duplicate-match',
			deciding(branch('x', 'b'), branch('x', 'b')),
			'Only one of them can be taken.',
		],
		[
			'which branch is never taken',
			'branch-never-taken',
			deciding(others, branch('x', 'b')),
			'its branch for "x" after the one for all answers, "default"',
		],
		[
			'how many branches are never taken',
			'branch-never-taken',
			deciding(others, branch('x', 'b'), branch('y', 'b')),
			'2 branches, the first for "x", after',
		],
		[
			'how many nodes have a placeholder',
			'placeholder-without-value',
			flow(say('a', 'b', { content: '{{x}} {{x}}' }), say('b', 'end', { content: '2 {{x}}' }), end),
			'uses {{x}}, and so do 1 other node, which',
			{ payload: {} },
		],
		[
			'that the flow itself has a placeholder',
			'placeholder-without-value',
			{ ...flow(end), meta: '{{x}}' },
			'The flow uses {{x}}, which',
			{ payload: {} },
		],
	])('%s', (_what, rule, given, text, context = {}) => {
		expect(finding(rule, given, context)?.message + String(finding(rule, given, context)?.fix)).toContain(text);
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
			...{ speak: 'say', message: 'say', text: 'say', question: 'ask', gather: 'ask', listen: 'ask', input: 'ask' },
			...{ branch: 'decision', condition: 'decision', if: 'decision', router: 'decision', switch: 'decision' },
			...{ function: 'action', tool: 'action', webhook: 'action', forward: 'transfer', handoff: 'transfer' },
			...{ exit: 'end', finish: 'end', hangup: 'end', stop: 'end' },
		}),
	)('that %s may mean the type %s', (type, meant) => {
		expect(finding('type-unknown', flow({ id: 'a', type }))?.fix).toBe(`Did you mean "${meant}"?`);
	});
});

describe('a branch for all other answers', () => {
	const rules = (match: unknown) =>
		found(flow(decision('a', branch('yes', 'b'), branch(match, 'end')), say('b', 'end'), end));

	it.each([
		...[
			'*',
			'.*',
			'_default_',
			'__default__',
			'catchall',
			'catch all',
			'Catch-All',
			'default',
			' Default ',
			'fallback',
		],
		...['otherwise', 'any', 'anything', 'anything else', 'every', 'everything', 'everything else', 'any else', 'else'],
		...[
			'none of the above',
			'none of these',
			'no match',
			'nomatch',
			'other',
			'others',
			'other answer',
			'other answers',
		],
		...[
			'other value',
			'other values',
			'other case',
			'other cases',
			'all others',
			'any other answer',
			'something other',
		],
		...['everything other', 'any answer', 'any answers', 'any other answers', 'something else', 'rest', 'the rest'],
	])('may be called %j', (match) => {
		expect(rules(match)).toEqual([]);
	});

	it.each(['x*', 'my default', 'default mode', 'restaurant', 'another', 'the others', 'no', 'answer', 5, { a: 1 }])(
		'is not called %j',
		(match) => {
			expect(rules(match)).toEqual(['warning decision-without-default nodes[0].branches']);
		},
	);

	it('is not needed where there is a next, even if that is not documented', () => {
		const given = (next: unknown) => found(flow({ ...decision('a', branch('yes', 'end')), next }, end));
		expect(given('end')).toEqual(['warning next-ignored nodes[0].next']);
		for (const none of ['', null]) {
			expect(given(none)).toEqual(['warning decision-without-default nodes[0].branches']);
		}
	});
});
