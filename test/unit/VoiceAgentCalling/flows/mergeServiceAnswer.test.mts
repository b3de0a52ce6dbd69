import fc from 'fast-check';

import { examineFlow, lintFlow } from '../../../../nodes/VoiceAgentCalling/flows/lintFlow.ts';
import { mergeServiceAnswer } from '../../../../nodes/VoiceAgentCalling/flows/mergeServiceAnswer.ts';
import type { LintContext } from '../../../../nodes/VoiceAgentCalling/flows/rules/rule.ts';

const end = { id: 'end', type: 'end' };
const flow = (...nodes: object[]) => ({ initial_node_id: 'a', nodes });

/** The merged findings, as severity, rule and node. */
function merged(given: Record<string, unknown>, valid: boolean, errors: unknown[] = [], context: LintContext = {}) {
	const { findings, confirmed } = mergeServiceAnswer(examineFlow(given, context), { valid, errors });
	const asText = ({ severity, rule, nodeId }: (typeof findings)[number]) => `${severity} ${rule} ${nodeId}`;
	return { findings: findings.map(asText), confirmed: confirmed.map(asText) };
}

/** The places of the findings that an error of the service confirms. */
const confirmedPlaces = (given: Record<string, unknown>, error: string) =>
	mergeServiceAnswer(examineFlow(given), { valid: false, errors: [error] }).confirmed.map(({ path }) => path);

const saying = (more: object) => flow({ id: 'a', type: 'say', content: 'A', next: 'end', ...more }, end);
const misspelled = saying({ next: 'edn' });
const empty = { initial_node_id: 'a', nodes: [] };
const startsNowhere = { initial_node_id: 'x', nodes: [end] };
const asking = flow({ id: 'a', type: 'ask', content: 'A?' });
const matchesNothing = flow({ id: 'a', type: 'decision', branches: [{ match: '', next: 'end' }] }, end);
const nameless = flow({ id: 'a', type: 'end' }, { type: 'end' });
const acting = flow({ id: 'a', type: 'action', action_id: 'act_1', next: 'end' }, end);

describe('the errors of the service', () => {
	it.each([
		"Node 'a' references unknown next node 'edn'.",
		'Node "a": next "edn" does not exist',
		'Invalid next target `edn` in node `a`.',
		'node a points to missing node edn',
	])('are merged with a finding about the same, in whatever words: %s', (error) => {
		expect(merged(misspelled, false, [error, "Node 'end' is unreachable."])).toEqual({
			findings: ['error target-unknown a'],
			confirmed: ['error target-unknown a'],
		});
	});

	it.each<[string, Record<string, unknown>, string, string]>([
		[
			'initial',
			{ initial_node_id: 'x', nodes: [end] },
			"Initial node 'x' does not exist in nodes.",
			'error initial-unknown null',
		],
		['no initial', { nodes: [end] }, 'The initial_node_id is required.', 'error initial-missing null'],
		[
			'empty',
			{ initial_node_id: 'a', nodes: [] },
			'The nodes must be an array with at least one node.',
			'error flow-empty null',
		],
		['ID', flow({ id: 'a', type: 'end' }, { type: 'end' }), 'Node at index 1 has no id.', 'error id-missing null'],
		[
			'twice',
			flow({ id: 'a', type: 'end' }, { id: 'a', type: 'end' }),
			"Duplicate node id 'a'.",
			'error id-duplicate a',
		],
		['type', flow({ id: 'a', type: 'shout' }), "Node 'a' has the unknown type 'shout'.", 'error type-unknown a'],
		['no type', flow({ id: 'a' }), "Node 'a' requires type.", 'error field-missing a'],
		[
			'alone',
			flow({ id: 'a', type: 'end' }, { id: 'b', type: 'end' }),
			"Node 'b' is unreachable.",
			'error unreachable b',
		],
		[
			'dead end',
			flow({ id: 'a', type: 'ask', content: 'A?' }),
			"Node 'a' of type 'ask' requires next or branches.",
			'error dead-end a',
		],
	])('are those of the sandbox, too: %s', (_what, given, error, expected) => {
		expect(merged(given, false, [error]).confirmed).toEqual([expected]);
	});

	it.each<[string, Record<string, unknown>, string, LintContext?]>([
		["The initial node 'x' is wrong.", startsNowhere, 'error initial-unknown null'],
		["The start 'x' does not exist.", startsNowhere, 'error initial-unknown null'],
		['No initial node.', { nodes: [end] }, 'error initial-missing null'],
		['The flow has no start.', { nodes: [end] }, 'error initial-missing null'],
		['The flow has no nodes.', empty, 'error flow-empty null'],
		['The list of nodes is empty.', empty, 'error flow-empty null'],
		['An id is required.', nameless, 'error id-missing null'],
		['All nodes require an id.', nameless, 'error id-missing null'],
		["Node 'a' has a nonexistent next.", misspelled, 'error target-unknown a'],
		["Node 'a' has an invalid value in next.", misspelled, 'error target-unknown a'],
		["The type of node 'a' is undefined.", flow({ id: 'a' }), 'error field-missing a'],
		["Node 'a': content is not a text.", saying({ content: 5 }), 'error field-missing a'],
		["Node 'a' has empty content.", saying({ content: '' }), 'error field-missing a'],
		["Node 'a' has an empty match.", matchesNothing, 'error match-empty a'],
		["Node 'a' requires a match.", matchesNothing, 'error match-empty a'],
		["Node 'a' requires a target.", flow({ id: 'a', type: 'transfer' }), 'error transfer-without-target a'],
		["Node 'a' requires next.", asking, 'error dead-end a'],
		["Node 'a' requires branches.", asking, 'error dead-end a'],
		["Action 'act_1' is not available.", acting, 'error action-unknown a', { actions: [] }],
		[
			"The action of node 'a' is inactive.",
			acting,
			'error action-inactive a',
			{ actions: [{ id: 'act_1', current_status: 'inactive' }] },
		],
		[
			'Unreachable: node step.1.',
			flow({ id: 'a', type: 'end' }, { id: 'step.1', type: 'end' }),
			'error unreachable step.1',
		],
	])('are recognized in other words: %s', (error, given, expected, context = {}) => {
		expect(merged(given, false, [error], context).confirmed).toEqual([expected]);
	});

	it.each<[unknown, Record<string, unknown>, string]>([
		["Node 'a' has too many words.", misspelled, 'error service a'],
		["Node 'end' requires next.", saying({ next: undefined }), 'error service end'],
		[null, misspelled, 'error service null'],
	])('are not merged with a finding about something else: %j', (error, given, expected) => {
		expect(merged(given, false, [error]).confirmed).toEqual([expected]);
	});

	it('confirm only the field that they name', () => {
		const given = flow({ id: 'a', type: 'say' }, end);
		expect(merged(given, false, ["Node 'a' of type 'say' requires next."])).toEqual({
			findings: ['error field-missing a', 'error field-missing a'],
			confirmed: ['error field-missing a'],
		});
		expect(confirmedPlaces(given, "Node 'a' requires content.")).toEqual(['nodes[0].content']);
		expect(confirmedPlaces(given, "Node 'a' requires content and next.")).toHaveLength(2);
	});

	it('confirm only what is at the position that they name', () => {
		const lacking = { type: 'say', next: 'a' };
		const others = Array.from({ length: 9 }, (_none, index) => ({ id: `n${index}`, type: 'end' }));
		const given = flow({ id: 'a', type: 'end' }, lacking, ...others, lacking);
		expect(confirmedPlaces(given, 'Node at index 11 has no id.')).toEqual(['nodes[11]']);
		expect(confirmedPlaces(given, 'Node at index 11 has no content.')).toEqual(['nodes[11].content']);
	});

	it('are not merged with a finding about another field of the node', () => {
		const errors = ["Node 'a' of type 'ask' requires content.", "Node 'a' of type 'ask' requires next or branches."];
		expect(merged(flow({ id: 'a', type: 'ask' }), false, errors)).toEqual({
			findings: ['error dead-end a', 'error service a'],
			confirmed: ['error dead-end a', 'error service a'],
		});
	});

	it.each(["''", '""', '``', '“”', '‘’'])('confirm only the finding of which they name most IDs, in %s', (marks) => {
		const branches = ['first', 'second', 'end'].map((next) => ({ match: next, next }));
		const given = flow({ id: 'a', type: 'decision', branches }, end);
		const [node, next] = ['a', 'second'].map((id) => `${marks[0]}${id}${marks[1]}`);
		const places = confirmedPlaces(given, `Node ${node} references unknown next node ${next}.`);
		expect(places).toEqual(['nodes[0].branches[1].next']);
	});

	it('that fit no finding are findings of the rule service, of the node that they name', () => {
		const given = flow({ id: 'a', type: 'ask', next: 'end' }, end);
		const error = "Node 'a' of type 'ask' requires content.";
		const { findings } = mergeServiceAnswer(examineFlow(given), {
			valid: false,
			errors: [error, { message: 'Too long' }],
		});
		expect(findings.filter(({ rule }) => rule === 'service')).toEqual([
			{
				severity: 'error',
				rule: 'service',
				nodeId: 'a',
				path: 'nodes[0]',
				message: `The service reports: ${error}`,
				fix: expect.any(String),
			},
			{
				severity: 'error',
				rule: 'service',
				nodeId: null,
				path: '',
				message: 'The service reports: Too long.',
				fix: expect.any(String),
			},
		]);
	});

	it('are errors even where a rule has only a warning, and a rejection without errors is one', () => {
		const given = flow({ id: 'a', type: 'action', next: 'end', other: 'b' }, { id: 'b', type: 'end' }, end);
		expect(merged(given, false, ["Node 'b' is unreachable."]).findings).toEqual(['error unreachable b']);
		expect(merged(flow({ id: 'a', type: 'end' }), false)).toMatchObject({ confirmed: ['error service null'] });
	});

	it('leave out what follows from another error, and nothing else', () => {
		const wrong = { initial_node_id: 'x', nodes: [{ id: 'a', type: 'end' }, end] };
		const errors = [
			"Initial node 'x' does not exist in nodes.",
			"Node 'a' is unreachable.",
			"Node 'end' is unreachable.",
		];
		expect(merged(wrong, false, errors).findings).toEqual(['error initial-unknown null']);
		const fine = flow({ id: 'a', type: 'say', content: 'A', next: 'end' }, end);
		expect(merged(fine, false, ["Node 'end' is unreachable."]).findings).toEqual(['error service end']);
		const lost = flow(
			{ id: 'a', type: 'end' },
			{ id: 'x', type: 'say', content: 'X', next: 'y' },
			{ id: 'y', type: 'end' },
		);
		expect(merged(lost, false, ["Node 'y' is not reached from 'a'."]).findings).toEqual(['error unreachable x']);
	});

	it('that a node is unreachable leave a finding, whatever the flow', () => {
		const id = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined });
		const node = fc.record({
			...{ id, next: id, other: id },
			type: fc.constantFrom('say', 'ask', 'decision', 'action', 'transfer', 'end', 'x'),
			content: fc.constant('A'),
			branches: fc.option(fc.array(fc.record({ match: id, next: id }), { maxLength: 2 }), { nil: undefined }),
		});
		fc.assert(
			fc.property(id, fc.array(node, { maxLength: 4 }), (initial_node_id, nodes) => {
				for (const lost of ['a', 'b', 'c', 'd']) {
					const { findings } = merged({ initial_node_id, nodes }, false, [`Node '${lost}' is unreachable.`]);
					expect(findings).toContainEqual(expect.stringMatching(/^error | unreachable /));
				}
			}),
			{ numRuns: 200, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
		);
	});
});

test('nothing is an error in a flow that the service accepts', () => {
	expect(lintFlow(misspelled)[0]?.severity).toBe('error');
	expect(merged(saying({ next: 'edn', note: 1 }), true)).toEqual({
		...{ findings: ['warning target-unknown a', 'info unknown-field a'], confirmed: [] },
	});
});

test('findings that the service does not mention stay', () => {
	const both = flow({ id: 'a', type: 'say', next: 'edn' }, end);
	expect(merged(both, false, ["Node 'a' references unknown next node 'edn'."])).toEqual({
		findings: ['error field-missing a', 'error target-unknown a'],
		confirmed: ['error target-unknown a'],
	});
});
