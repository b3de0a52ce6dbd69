import { lintFlow } from '../../../../nodes/VoiceAgentCalling/flows/lintFlow.ts';
import type { LintContext } from '../../../../nodes/VoiceAgentCalling/flows/rules/rule.ts';
import { end, finding, flow, found, type Node, say } from './flows.mts';

test('a message names the node, the fact and the consequence, and the fix is separate', () => {
	const branches = [
		{ match: 'low', next: 'end' },
		{ match: 'high', next: 'hello' },
	];
	const budget = { id: 'ask_budget', type: 'decision', branches };
	expect(lintFlow(flow(budget, say('hello', 'end'), end))).toEqual([
		{
			severity: 'warning',
			rule: 'decision-without-default',
			nodeId: 'ask_budget',
			path: 'nodes[0].branches',
			message:
				'Decision "ask_budget" has no branch for other answers. If the caller says something else, the flow does not define what happens.',
			fix: expect.stringMatching(/^Add a branch .* not documented/),
		},
	]);
});

test.each<[what: string, first: Node]>([
	['a field of a decision', { type: 'decision', branches: [{ match: 'yes', next: 'end' }], default: 'help' }],
	['a field of a say', { type: 'say', content: 'Hm.', next: 'end', on_interrupt: 'help' }],
	['branches by their answer', { type: 'ask', content: 'Hm?', branches: { yes: 'end', no: 'help' } }],
	['another field of a branch', { type: 'ask', content: 'Hm?', next: 'end', branches: [{ on: 'no', target: 'help' }] }],
	['a next with several nodes', { type: 'action', action_id: 'a', next: { ok: 'end', failed: ['help'] } }],
])('a node that only %s names is no error: the service may follow it', (_, first) => {
	const errors = lintFlow(flow({ id: 'first', ...first }, say('help', 'end'), end)).filter(
		({ severity }) => severity === 'error',
	);
	expect(errors).toEqual([]);
});

test('what is not a node is one finding, not one for each field that it lacks', () => {
	expect(found({ initial_node_id: 'end', nodes: [end, null, 5, ['x']] })).toEqual([
		'error id-missing nodes[1]',
		'error id-missing nodes[2]',
		'error id-missing nodes[3]',
	]);
});

test('the number that is the ID of an action may be written as a text', () => {
	const book = { id: 'book', type: 'action', action_id: '7', next: 'end' };
	expect(found(flow(book, end), { actions: [{ id: 7, name: 'book_visit' }] })).toEqual([]);
});

describe('a cause is reported, and not what follows from it', () => {
	it.each<[string, Record<string, unknown>, string[]]>([
		[
			'a wrong initial node, and not that no node is reachable',
			{ ...flow(say('a', 'b'), say('b', 'end'), end), initial_node_id: 'nowhere' },
			['error initial-unknown initial_node_id'],
		],
		[
			'no nodes, and not that the initial node is missing',
			{ initial_node_id: 'a', nodes: [] },
			['error flow-empty nodes'],
		],
		[
			'a misspelled target, and not what only it would reach',
			flow(say('a', 'grete'), say('greet', 'more'), say('more', 'end'), end),
			['error target-unknown nodes[0].next'],
		],
		[
			'a misspelled target, and what it does not mean to reach',
			flow(say('a', 'grete'), say('greet', 'end'), say('x', 'end'), end),
			['error target-unknown nodes[0].next', 'error unreachable nodes[2]'],
		],
		[
			'a missing next, and not what may follow',
			flow(say('a'), say('b', 'end'), end),
			['error field-missing nodes[0].next'],
		],
		[
			'a decision without branches, and not what they may lead to',
			flow({ id: 'a', type: 'decision' }, say('b', 'end'), say('c', 'end'), end),
			['error field-missing nodes[0].branches'],
		],
		[
			'the first of several nodes that cannot be reached',
			flow(say('a', 'end'), say('x', 'y'), say('y', 'z'), say('z', 'end'), end),
			['error unreachable nodes[1]'],
		],
		[
			'a loop that cannot be reached, once',
			flow(say('a', 'end'), { id: 'x', type: 'ask', content: 'X?', next: 'y', store: 'x' }, say('y', 'x'), end),
			['error unreachable nodes[1]'],
		],
		[
			'a node without an ID, and not what follows it',
			flow(say('a', 'end'), { type: 'say', content: 'Hm', next: 'b' }, say('b', 'end'), end),
			['error id-missing nodes[1]'],
		],
		[
			'an ID that several nodes have, once, and not what only one of them reaches',
			flow(say('a', 'end'), say('a', 'b', { content: 'B' }), say('a', 'end', { content: 'C' }), say('b', 'end'), end),
			['error id-duplicate nodes[1].id'],
		],
		[
			'an unknown type, and none of the fields of the type that was meant',
			flow({ id: 'a', type: 'Say' }, say('b', 'end'), end),
			['error type-unknown nodes[0].type', 'error unreachable nodes[1]'],
		],
		[
			'an endless loop of says, and not that no way leads to an end',
			flow(say('a', 'b'), say('b', 'a')),
			['warning loop-without-ask nodes[0]'],
		],
		[
			'an empty match, and not that there is no default',
			flow(
				{
					id: 'a',
					type: 'decision',
					branches: [
						{ match: 'yes', next: 'b' },
						{ match: '', next: 'end' },
					],
				},
				say('b', 'end'),
				end,
			),
			['warning match-empty nodes[0].branches[1].match'],
		],
		[
			'a next of a decision, and not that there is no default',
			flow({ id: 'a', type: 'decision', next: 'end', branches: [{ match: 'yes', next: 'b' }] }, say('b', 'end'), end),
			['warning next-ignored nodes[0].next'],
		],
		[
			'a repeated default, and not that it is never taken',
			flow(
				{
					id: 'a',
					type: 'decision',
					branches: [
						{ match: 'default', next: 'b' },
						{ match: 'Default', next: 'end' },
					],
				},
				say('b', 'end'),
				end,
			),
			['warning duplicate-match nodes[0].branches[1].match'],
		],
	])('%s', (_what, given, expected) => {
		expect(found(given)).toEqual(expected);
	});

	it('but more unreachable nodes than broken links are reported', () => {
		expect(found(flow(say('a'), say('b', 'end'), say('c', 'end'), end))).toEqual([
			'error field-missing nodes[0].next',
			'error unreachable nodes[1]',
			'error unreachable nodes[2]',
		]);
	});

	it('and how many nodes a finding stands for', () => {
		const lost = flow(say('a', 'end'), say('x', 'y'), say('y', 'z'), say('z', 'end'), end);
		expect(finding('unreachable', lost)?.message).toContain('2 other nodes');
		const hello = { placeholder: 'Hello {{ who }}' };
		const three = flow(say('a', 'b', hello), say('b', 'c', hello), say('c', 'end', hello), end);
		const missing = finding('placeholder-without-value', three, { payload: {} });
		expect(missing?.message).toContain('2 other nodes');
	});
});

describe('what was probably meant', () => {
	it.each<[string, string, Record<string, unknown>, string]>([
		['another order of letters', 'target-unknown', flow(say('a', 'gerat'), say('great', 'end'), end), '"great"'],
		['another case', 'target-unknown', flow(say('a', 'Great Day'), say('great_day', 'end'), end), '"great_day"'],
		['an initial node', 'initial-unknown', { ...flow(say('hello', 'end'), end), initial_node_id: 'helo' }, '"hello"'],
		['a type in capitals', 'type-unknown', flow({ id: 'a', type: 'END' }), '"end"'],
		['a type of another system', 'type-unknown', flow({ id: 'a', type: 'hang_up' }), '"end"'],
		[
			'a variable',
			'placeholder-without-value',
			flow(say('a', 'end', { content: 'Hi {{fist_name}}' }), end),
			'{{first_name}}',
		],
	])('is suggested: %s', (_what, rule, given, meant) => {
		expect(finding(rule, given, { payload: { first_name: 'Ada' } })?.fix).toContain(`Did you mean ${meant}?`);
	});

	it('is not guessed where nothing or several things are close', () => {
		expect(finding('target-unknown', flow(say('a', 'xyz'), end))?.fix).not.toContain('Did you mean');
		const two = flow(say('a', 'node_3'), say('node_1', 'end'), say('node_2', 'end'), end);
		expect(finding('target-unknown', two)?.fix).not.toContain('Did you mean');
	});

	it('is the ID of an action where a flow has its name', () => {
		const given = flow({ id: 'a', type: 'action', action_id: 'book', next: 'end' }, end);
		const actions = [{ id: 'act_1', node_id: 'n', name: 'book', current_status: 'active' }];
		expect(finding('action-unknown', given, { actions })?.fix).toContain('"act_1"');
	});
});

describe('what is not documented is never an error, and its findings say so', () => {
	const undocumented: Array<[string, Record<string, unknown>, LintContext?]> = [
		['an ask without anything', flow({ id: 'a', type: 'ask' })],
		['an action without anything', flow({ id: 'a', type: 'action' })],
		['a transfer without anything', flow({ id: 'a', type: 'transfer' })],
		['a transfer with a next', flow({ id: 'a', type: 'transfer', to: 'x', next: 'end' }, end)],
		['an end with a next', flow(say('a', 'end'), { ...end, next: 'a' })],
		['branches of an ask that are a text', flow({ id: 'a', type: 'ask', content: 'A?', branches: 'b' })],
		['branches of an ask without next', flow({ id: 'a', type: 'ask', content: 'A?', branches: [{ match: 'x' }, 5] })],
		['an ask that leads on by another field', flow({ id: 'a', type: 'ask', content: 'A?', on_answer: 'end' }, end)],
		['a match that is empty', flow({ id: 'a', type: 'decision', branches: [{ match: '', next: 'end' }] }, end)],
		[
			'a match that is no text',
			flow({ id: 'a', type: 'decision', branches: [{ match: { is: 1 }, next: 'end' }] }, end),
		],
		[
			'an action that is named by its node ID',
			flow({ id: 'book', type: 'action', next: 'end' }, end),
			{
				actions: [{ id: 'act_1', node_id: 'book', current_status: 'inactive' }],
			},
		],
	];

	const cases = undocumented.map(([what, given, context = {}]) => [what, given, context] as const);

	it.each(cases)('%s', (_what, given, context) => {
		const findings = lintFlow(given, context);
		expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
		for (const { rule, message, fix } of findings.filter(({ severity }) => severity === 'warning')) {
			expect([rule, `${message} ${fix}`]).toEqual([
				rule,
				expect.stringMatching(/document|inactive|no branch for other/),
			]);
		}
	});

	it('an undocumented field that names a node may lead there', () => {
		const given = flow({ id: 'a', type: 'action', next: 'end', on_error: { say: 'sorry' } }, say('sorry', 'end'), end);
		expect(found(given)).toEqual(['warning unreachable nodes[1]']);
		expect(lintFlow(given)[0]?.message).toContain('does not document');
	});

	it('a global function that ends the conversation is a way to the end', () => {
		const ask = { id: 'a', type: 'ask', content: 'A?', next: 'b', store: 'x' };
		expect(found(flow(ask, say('b', 'a')))).toEqual(['warning no-path-to-end nodes[0]']);
		const functions = { global_functions: [{ name: 'end_conversation', description: 'Ends the call' }] };
		expect(found({ ...flow(ask, say('b', 'a')), ...functions, meta: { name: 'x', version: '1.0.0' } })).toEqual([]);
	});
});

describe('placeholders', () => {
	const saying = (content: string) => flow(say('a', 'end', { content }), end);

	it.each([
		'{name}',
		'{ first.name }',
		'{{name}',
		'{name}}',
		'{{{name}}}',
		'{{}}',
		'{{ na!me }}',
		'Hi {{name',
		'{{ $json.name }}',
	])('that are malformed are found: %s', (content) => {
		expect(found(saying(content))).toEqual(['warning placeholder-malformed nodes[0].content']);
	});

	it.each([
		'{{name}}',
		'{{ first_name }} and {{ address.city }}',
		'a } b',
		'{"a": 1}',
		'see {this here}',
		'{}',
		'5 < 6',
	])('that are fine, and other braces, are not: %s', (content) => {
		expect(found(saying(content))).toEqual([]);
	});

	it('that n8n was to fill in are explained', () => {
		expect(lintFlow(saying('Hi {{ $json.name }}'))[0]?.fix).toContain('expression');
	});

	it('need a value only where there is a sample payload; an empty text is none', () => {
		const content = 'Hi {{ name }} from {{ address.city }}';
		expect(found(saying(content))).toEqual([]);
		expect(found(saying(content), { payload: { name: '', address: { city: 'Bonn' } } })).toEqual([
			'warning placeholder-without-value nodes[0].content',
		]);
	});
});

describe('a flow that is not what it should be', () => {
	it.each([
		{},
		{ nodes: 'x' },
		{ nodes: { a: {} } },
		{ initial_node_id: 5, nodes: [null, 5, 'x', [], {}] },
		{
			initial_node_id: 'a',
			nodes: [{ id: 'a', type: 'decision', branches: [null, [], 5, {}, { match: null, next: null }] }],
		},
		{ initial_node_id: '__proto__', nodes: [{ id: '__proto__', type: 'constructor' }] },
		{ initial_node_id: 'a', nodes: [{ id: 'a', type: 'say', content: ['x'], next: { id: 'a' } }] },
		{ initial_node_id: 'a', nodes: [{ id: 'a', type: 'say', content: '{{x}}', color: 1 }] },
	])('has errors and breaks nothing: %j', (given) => {
		const findings = lintFlow(given, { actions: [{}], payload: {} });
		expect(findings.some(({ severity }) => severity === 'error')).toBe(true);
		expect(findings.map(({ message, fix }) => `${message} ${fix}`).join(' ')).not.toMatch(/undefined|\[object|NaN/);
	});
});
