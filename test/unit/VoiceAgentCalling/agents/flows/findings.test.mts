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
	const asks = ask('a', 'b', { store: 1 });
	const again = (last: string) => decision('b', to('again', 'a'), to('default', last));
	const last = (type: string, more: Node = {}) => ({ id: 't', type, ...more });
	/** A flow of which it is not known where it starts. */
	const somewhere = (...nodes: Node[]) => ({ initial_node_id: 'start', nodes });
	const [LOOP, STUCK] = ['loop-without-ask nodes[0]', 'no-path-to-end nodes[0]'];
	const START = 'no-first-node initial_node_id';
	/** A loop that nothing leads to. */
	const lost = [ask('x', 'y'), say('y', 'x')];

	it.each<Case>([
		['are followed from the initial node', flow(say('a', 'end'), ...lost, end), []],
		[
			'may start where another field of the flow says so',
			{ ...flow(say('a', 'end'), ...lost, end), on_error: { go: 'x' } },
			['no-path-to-end nodes[1]'],
		],
		[
			'do not start where the description of the flow says so',
			{ ...flow(say('a', 'end'), ...lost, end), meta: { name: 'x' } },
			[],
		],
		['stop at an end, whatever it leads to', flow(say('a', 'end'), { ...end, next: 'x', then: 'x' }, ...lost), []],
		[
			'do not go where the match of a branch has the name of a node',
			flow(ask('a', undefined, { branches: [to('x', 'end'), to('y', 'end')] }), end, ...lost),
			[],
		],
		[
			'may go where the next of a branch names a node within an object',
			flow(ask('a', undefined, { branches: [to('y', 'end'), to('n', { go: ['x'] })] }), end, ...lost),
			['dead-end nodes[0].branches[1]', 'no-path-to-end nodes[2]'],
		],
		[
			'lead wherever one of the nodes with an ID leads',
			flow(say('a', 'end'), say('a', 'x'), ...lost, end),
			['duplicate-node nodes[1].id', 'no-path-to-end nodes[2]'],
		],
		['go around a loop with one ask', flow(say('a', 'c'), ask('c', 'b'), again('end'), end), []],
		['go around a loop, wherever they start', somewhere(say('a', 'b'), say('b', 'a')), [START, LOOP]],
		['never end, wherever they start', somewhere(asks, say('b', 'a')), [START, STUCK]],
		[
			'repeat an action, wherever they start',
			somewhere(action('a', 'b'), again('end'), end),
			[START, LOOP, 'loop-through-action nodes[0]'],
		],
		['end with a transfer', flow(asks, again('t'), last('transfer', { to: 1 })), []],
		[
			'end with a transfer, whatever it leads to',
			flow(asks, action('b', 't'), last('transfer', { to: 1, next: 'a' })),
			[],
		],
		['may end in an unknown node', flow(asks, again('t'), last('x', { next: 'a' })), []],
		['may end where a target does not exist', flow(asks, again('gone')), ['unknown-node nodes[1].branches[1].next']],
		['may end where a way is missing', flow(asks, decision('b', to('again', 'a'), to('default', undefined))), []],
		['leave a loop in which nothing is asked', flow(say('a', 'b'), again('end'), end), [LOOP]],
	])('%s', (_what, given, findings) => {
		expect(found(given)).toEqual(findings);
	});

	it.each(['end_conversation', 'transfer_call'])('end where a global function is %s, and with no other', (name) => {
		const functions = (list: unknown) => found({ ...flow(asks, say('b', 'a')), global_functions: list });
		expect(functions([null, { name: 'other' }, { name }])).toEqual([]);
		for (const others of [[null, { name: 'other' }], name]) {
			expect(functions(others)).toEqual([STUCK]);
		}
	});
});

test('The node that begins may be missing, unknown or no text', () => {
	const message = (initial_node_id?: unknown) => finding('no-first-node', { initial_node_id, nodes: [end] })?.message;
	expect(message('start')).toBe('The first node "start" does not exist. The conversation cannot start.');
	for (const initial of [undefined, '', null, { id: 'end' }]) {
		expect(message(initial)).toBe('The first node is missing. The conversation cannot start.');
	}
	expect(message('end')).toBeUndefined();
});

test('Nodes without an ID, and what an end leads to, are neither repeated nor unknown', () => {
	const given = flow(say('a', 'end'), { ...end, next: 'gone' }, { type: 'end' }, { type: 'end', id: '' });
	expect(found(given)).toEqual([]);
});

describe('the findings of a flow', () => {
	const toB = [say('b', 'end'), end];
	const id = 'act_1';

	it.each<Case>([
		[
			'are in its order: the flow itself, then its nodes',
			{ ...flow(say('a', 'b', { content: '{a}' }), action('b'), end), meta: { title: '{{title}}' } },
			['placeholder-without-value meta.title', 'placeholder-malformed nodes[0].content', 'dead-end nodes[1]'],
			{ payload: {} },
		],
		[
			'do not mix the branches of a transfer with those of a decision',
			flow({ id: 'a', type: 'transfer', to: 1, branches: [to('', 'end'), to('x', 'a'), to('x', 'a')] }, end),
			[],
		],
		[
			'name a branch of an ask that is no object',
			flow(ask('a', 'end', { branches: [5] }), end),
			['dead-end nodes[0].branches[0]'],
		],
		['name an ask whose branches are no list', flow(ask('a', undefined, { branches: {} }), end), ['dead-end nodes[0]']],
		['name no branches of an ask that leads on', flow(ask('a', 'end', { branches: {}, store: 1 }), end), []],
		[
			'take no empty match for a repeated one, nor one that is missing',
			flow(decision('a', to(null, 'end'), to('  ', 'b'), { next: 'b' }, { next: 'end' }), ...toB),
			[],
		],
		[
			'name a match that differs in spaces, hyphens and case as the same',
			flow(decision('a', to('Call  me-back', 'end'), to(' call me back', 'b'), others), ...toB),
			['duplicate-match nodes[0].branches[1].match'],
		],
		['keep words apart', flow(decision('a', to('callback', 'end'), to('call back', 'b'), others), ...toB), []],
		[
			'name an inactive action wherever its ID is, in the first place of a node only',
			flow(action('a', 'booking', { options: [{ x: 1 }, { id, also: id }] }), action('booking', 'b'), ...toB),
			['action-inactive nodes[0].options[1].id', 'action-inactive nodes[1].id'],
			books,
		],
		['do not take the ID of a say for that of an action', flow(say('booking', 'end'), end), [], books],
		['name nothing of actions that are not known', flow(action('a', 'end', { action_id: 'x' }), end), []],
		[
			'name a placeholder without a value in any text of the flow',
			{ ...flow(say('a', 'end', { more: ['x', { y: '{{who}}' }] }), end), meta: { title: '{{title}}' } },
			['placeholder-without-value meta.title', 'placeholder-without-value nodes[0].more[1].y'],
			{ payload: {} },
		],
	])('%s', (_what, given, findings, context = {}) => {
		expect(found(given, context)).toEqual(findings);
	});
});

describe('a finding says', () => {
	const loop = (count: number) =>
		flow(...Array.from({ length: count }, (_none, index) => say(`n${index}`, `n${(index + 1) % count}`)));
	const deciding = (...branches: unknown[]) => flow(decision('want', ...branches), say('b', 'end'), end);

	it.each<[rule: string, given: Record<string, unknown>, text: string, context?: LintContext]>([
		['loop-without-ask', flow(say('x'.repeat(61), 'x'.repeat(61))), `"${'x'.repeat(60)}…"`],
		['loop-without-ask', flow(say('x'.repeat(60), 'x'.repeat(60))), `"${'x'.repeat(60)}"`],
		['loop-without-ask', flow(say('x \n y', 'x \n y')), '"x y"'],
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
		['action-inactive', flow(action('a', 'end', { action_id: 'act_1' }), end), 'the action "book"', books],
		[
			'duplicate-match',
			deciding(to(5, 'b'), to('5', 'end')),
			'two branches for "5", the first at nodes[0].branches[0]. Only one of them can be taken; which',
		],
		['duplicate-match', deciding(to('x', 'b'), to('x', 'b')), 'Only one of them can be taken.'],
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
			expect(rules(match)).toEqual(['decision-without-default nodes[0].branches']);
		},
	);

	it('is not needed where there is a next, even if that is not documented', () => {
		const given = (next: unknown) => found(flow({ ...decision('a', to('yes', 'end')), next }, end));
		expect(given('end')).toEqual([]);
		for (const none of ['', null]) {
			expect(given(none)).toEqual(['decision-without-default nodes[0].branches']);
		}
	});
});
