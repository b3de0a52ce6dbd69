import { lintFlow } from '../../../../../nodes/VoiceAgentCalling/agents/flows/lintFlow.ts';
import type { LintContext } from '../../../../../nodes/VoiceAgentCalling/agents/flows/rules/rule.ts';
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

test.each(['type', 'content', 'next'])('a say without %s is one finding, at that field', (lacking) => {
	const { [lacking]: _, ...rest } = say('a', 'end');
	expect(found(flow(rest, end))).toEqual([`error field-missing nodes[0].${lacking}`]);
});

describe('a cause is reported, and not what follows from it', () => {
	const decision = (...branches: Array<[match: string, next: string]>): Node => ({
		id: 'a',
		type: 'decision',
		branches: branches.map(([match, next]) => ({ match, next })),
	});
	const [b, c] = [say('b', 'end'), say('c', 'end')];
	const a = (next?: string, more: Node = {}) => say('a', next, more);
	const [x, lostAsk] = [say('x', 'y'), { id: 'x', type: 'ask', content: 'X?', next: 'y', store: 'x' }];
	const yes = decision(['yes', 'b']);
	it.each<[finding: string, what: string, given: Record<string, unknown>]>([
		['error initial-unknown initial_node_id', 'no reach', { ...flow(a('b'), b, end), initial_node_id: 'nowhere' }],
		['error flow-empty nodes', 'no initial node', { initial_node_id: 'a', nodes: [] }],
		[
			'error target-unknown nodes[0].next',
			'its reach',
			flow(a('grete'), say('greet', 'more'), say('more', 'end'), end),
		],
		['error field-missing nodes[0].next', 'what may follow', flow(a(), b, end)],
		['error field-missing nodes[0].branches', 'where they lead', flow({ id: 'a', type: 'decision' }, b, c, end)],
		['error unreachable nodes[1]', 'what follows it', flow(a('end'), x, say('y', 'z'), say('z', 'end'), end)],
		['error unreachable nodes[1]', 'the rest of its loop', flow(a('end'), lostAsk, say('y', 'x'), end)],
		['error id-missing nodes[1]', 'what follows it', flow(a('end'), { type: 'say', content: 'Hm', next: 'b' }, b, end)],
		[
			'error id-duplicate nodes[1].id',
			'its reach',
			flow(a('end'), a('b', { content: 'B' }), a('end', { content: 'C' }), b, end),
		],
		['warning loop-without-ask nodes[0]', 'no way to an end', flow(a('b'), say('b', 'a'))],
		['warning match-empty nodes[0].branches[1].match', 'no default', flow(decision(['yes', 'b'], ['', 'end']), b, end)],
		['warning next-ignored nodes[0].next', 'no default', flow({ ...yes, next: 'end' }, b, end)],
		[
			'warning duplicate-match nodes[0].branches[1].match',
			'never taken',
			flow(decision(['default', 'b'], ['Default', 'end']), b, end),
		],
	])('%s, and not %s', (expected, _what, given) => {
		expect(found(given)).toEqual([expected]);
	});

	it('but what a misspelled target does not mean to reach, and what an unknown type hides', () => {
		expect(found(flow(a('grete'), say('greet', 'end'), say('x', 'end'), end))).toEqual([
			'error target-unknown nodes[0].next',
			'error unreachable nodes[2]',
		]);
		expect(found(flow({ id: 'a', type: 'Say' }, b, end))).toEqual([
			'error type-unknown nodes[0].type',
			'error unreachable nodes[1]',
		]);
	});

	it('but a node counts as meant by one target of which nothing tells what it means, although another tells it', () => {
		const ways = decision(['yes', 'grete'], ['no', 'xyz'], ['default', 'end']);
		expect(found(flow(ways, say('greet', 'end'), b, end))).toEqual([
			'error target-unknown nodes[0].branches[0].next',
			'error target-unknown nodes[0].branches[1].next',
		]);
	});

	it('but more unreachable nodes than broken links are reported', () => {
		expect(found(flow(say('a'), b, c, end))).toEqual([
			'error field-missing nodes[0].next',
			'error unreachable nodes[1]',
			'error unreachable nodes[2]',
		]);
	});

	it('and how many nodes a finding stands for', () => {
		const lost = flow(a('end'), x, say('y', 'z'), say('z', 'end'), end);
		expect(finding('unreachable', lost)?.message).toContain('2 other nodes');
		expect(finding('unreachable', flow(a('end'), b, end))?.message).not.toContain('what follows');
		const hello = { placeholder: 'Hello {{ who }}' };
		const three = flow(say('a', 'b', hello), say('b', 'c', hello), say('c', 'end', hello), end);
		const missing = finding('placeholder-without-value', three, { payload: {} });
		expect(missing?.message).toContain('2 other nodes');
	});
});

describe('what was probably meant', () => {
	const typed = (type: string) => flow({ id: 'a', type });
	it.each<[string, string, Record<string, unknown>]>([
		['"great"', 'target-unknown', flow(say('a', 'gerat'), say('great', 'end'), end)],
		['"great_day"', 'target-unknown', flow(say('a', 'Great Day'), say('great_day', 'end'), end)],
		['"hello"', 'initial-unknown', { ...flow(say('hello', 'end'), end), initial_node_id: 'helo' }],
		['"end"', 'type-unknown', typed('END')],
		['"end"', 'type-unknown', typed('hang_up')],
		['{{first_name}}', 'placeholder-without-value', flow(say('a', 'end', { content: 'Hi {{fist_name}}' }), end)],
	])('is suggested: %s (%s)', (meant, rule, given) => {
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
	const inactive = { actions: [{ id: 'act_1', node_id: 'book', current_status: 'inactive' }] };
	const ask = (more: Node, ...others: Node[]) => flow({ id: 'a', type: 'ask', content: 'A?', ...more }, ...others);
	const decision = (match: unknown) => flow({ id: 'a', type: 'decision', branches: [{ match, next: 'end' }] }, end);
	const cases: Array<[string, Record<string, unknown>, LintContext]> = [
		...['ask', 'action', 'transfer'].map((type) => [`only ${type}`, flow({ id: 'a', type }), {}] as never),
		['a transfer with a next', flow({ id: 'a', type: 'transfer', to: 'x', next: 'end' }, end), {}],
		['an end with a next', flow(say('a', 'end'), { ...end, next: 'a' }), {}],
		['branches of an ask that are a text', ask({ branches: 'b' }), {}],
		['branches of an ask without next', ask({ branches: [{ match: 'x' }, 5] }), {}],
		['an ask that leads on by another field', ask({ on_answer: 'end' }, end), {}],
		['a match that is empty', decision(''), {}],
		['a match that is no text', decision({ is: 1 }), {}],
		['an action that is named by its node ID', flow({ id: 'book', type: 'action', next: 'end' }, end), inactive],
	];

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
});

describe('placeholders', () => {
	const saying = (content: string) => flow(say('a', 'end', { content }), end);

	const malformed = [
		'{name}',
		'{ first.name }',
		'{{name}',
		'{name}}',
		'{{{name}}}',
		'{{}}',
		'{{ na!me }}',
		'Hi {{name',
	];
	it.each([...malformed, '{{ $json.name }}'])('that are malformed are found: %s', (content) => {
		expect(found(saying(content))).toEqual(['warning placeholder-malformed nodes[0].content']);
	});

	const fine = ['{{name}}', '{{ first_name }} and {{ address.city }}', 'a } b', '{"a": 1}', 'see {this here}', '{}'];
	it.each([...fine, '5 < 6'])('that are fine, and other braces, are not: %s', (content) => {
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
