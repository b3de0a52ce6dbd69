import { lintFlow } from '../../../../../nodes/VoiceAgentCalling/agents/flows/lintFlow.ts';
import { end, finding, flow, found, type Node, say } from './flows.mts';

test('a message names the node, the fact and the consequence, and the fix is separate', () => {
	const branches = [
		{ match: 'low', next: 'end' },
		{ match: 'high', next: 'hello' },
	];
	const budget = { id: 'ask_budget', type: 'decision', branches };
	expect(lintFlow(flow(budget, say('hello', 'end'), end))).toEqual([
		{
			rule: 'decision-without-default',
			nodeId: 'ask_budget',
			path: 'nodes[0].branches',
			message:
				'Decision "ask_budget" has no branch for other answers. If the caller says something else, the flow does not define what happens.',
			fix: expect.stringMatching(/^Add a branch .* not documented/),
		},
	]);
});

describe('a cause is reported, and not what follows from it', () => {
	const decision = (...branches: Array<[match: string, next: string]>): Node => ({
		id: 'a',
		type: 'decision',
		branches: branches.map(([match, next]) => ({ match, next })),
	});
	const b = say('b', 'end');
	it.each<[what: string, given: Record<string, unknown>, findings: string[]]>([
		['no way to an end', flow(say('a', 'b'), say('b', 'a')), ['loop-without-ask nodes[0]']],
		['an empty match, which may be a default', flow(decision(['yes', 'b'], ['', 'end']), b, end), []],
		[
			'a repeated default',
			flow(decision(['default', 'b'], ['Default', 'end']), b, end),
			['duplicate-match nodes[0].branches[1].match'],
		],
	])('%s', (_what, given, findings) => {
		expect(found(given)).toEqual(findings);
	});

	it('and how many nodes a finding stands for', () => {
		const hello = { placeholder: 'Hello {{ who }}' };
		const three = flow(say('a', 'b', hello), say('b', 'c', hello), say('c', 'end', hello), end);
		const missing = finding('placeholder-without-value', three, { payload: {} });
		expect(missing?.message).toContain('2 other nodes');
	});
});

test('The placeholder that was probably meant is suggested', () => {
	const given = flow(say('a', 'end', { content: 'Hi {{fist_name}}' }), end);
	const { fix } = finding('placeholder-without-value', given, { payload: { first_name: 'Ada' } }) ?? {};
	expect(fix).toContain('Did you mean {{first_name}}?');
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
		expect(found(saying(content))).toEqual(['placeholder-malformed nodes[0].content']);
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
			'placeholder-without-value nodes[0].content',
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
	])('breaks nothing: %j', (given) => {
		const findings = lintFlow(given, { actions: [{}], payload: {} });
		expect(findings.map(({ message, fix }) => `${message} ${fix}`).join(' ')).not.toMatch(/undefined|\[object|NaN/);
	});
});
