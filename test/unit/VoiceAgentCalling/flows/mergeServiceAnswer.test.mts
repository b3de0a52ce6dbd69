import { examineFlow, lintFlow } from '../../../../nodes/VoiceAgentCalling/flows/lintFlow.ts';
import { mergeServiceAnswer } from '../../../../nodes/VoiceAgentCalling/flows/mergeServiceAnswer.ts';

const end = { id: 'end', type: 'end' };
const flow = (...nodes: object[]) => ({ initial_node_id: 'a', nodes });

/** The merged findings, as severity, rule and node. */
function merged(given: Record<string, unknown>, valid: boolean, errors: unknown[] = []) {
	const { findings, confirmed } = mergeServiceAnswer(examineFlow(given), { valid, errors });
	const asText = ({ severity, rule, nodeId }: (typeof findings)[number]) => `${severity} ${rule} ${nodeId}`;
	return { findings: findings.map(asText), confirmed: confirmed.map(asText) };
}

const misspelled = flow({ id: 'a', type: 'say', content: 'A', next: 'edn' }, end);

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

	it('confirm only the field that they name', () => {
		const given = flow({ id: 'a', type: 'say' }, end);
		expect(merged(given, false, ["Node 'a' of type 'say' requires next."])).toEqual({
			findings: ['error field-missing a', 'error field-missing a'],
			confirmed: ['error field-missing a'],
		});
		const { confirmed } = mergeServiceAnswer(examineFlow(given), {
			valid: false,
			errors: ["Node 'a' requires content."],
		});
		expect(confirmed.map(({ path }) => path)).toEqual(['nodes[0].content']);
	});

	it('are not merged with a finding about another field of the node', () => {
		const errors = ["Node 'a' of type 'ask' requires content.", "Node 'a' of type 'ask' requires next or branches."];
		expect(merged(flow({ id: 'a', type: 'ask' }), false, errors)).toEqual({
			findings: ['error dead-end a', 'error service a'],
			confirmed: ['error dead-end a', 'error service a'],
		});
	});

	it('confirm only the finding of which they name most IDs', () => {
		const branches = ['x', 'y', 'end'].map((next) => ({ match: next, next }));
		const given = flow({ id: 'a', type: 'decision', branches }, end);
		const errors = ["Node 'a' references unknown next node 'y'."];
		const { confirmed } = mergeServiceAnswer(examineFlow(given), { valid: false, errors });
		expect(confirmed.map(({ path }) => path)).toEqual(['nodes[0].branches[1].next']);
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
	});
});

test('nothing is an error in a flow that the service accepts', () => {
	expect(lintFlow(misspelled)[0]?.severity).toBe('error');
	expect(merged(misspelled, true)).toEqual({ findings: ['warning target-unknown a'], confirmed: [] });
});

test('findings that the service does not mention stay', () => {
	const both = flow({ id: 'a', type: 'say', next: 'edn' }, end);
	expect(merged(both, false, ["Node 'a' references unknown next node 'edn'."])).toEqual({
		findings: ['error field-missing a', 'error target-unknown a'],
		confirmed: ['error target-unknown a'],
	});
});
