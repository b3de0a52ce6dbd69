import { lintFlow } from '../../../../../nodes/VoiceAgentCalling/agents/flows/lintFlow.ts';
import { flowRules } from '../../../../../nodes/VoiceAgentCalling/agents/flows/rules/allRules.ts';
import { type FlowExample, flowRuleExamples } from '../../../../docs/flowRuleExamples.mts';

/** The flow of an example; the end `bye` is added if its nodes lead to it. */
function flowOf(example: FlowExample): Record<string, unknown> {
	if (!Array.isArray(example)) {
		return example as Record<string, unknown>;
	}
	const end = JSON.stringify(example).includes('"next":"bye"') ? [{ id: 'bye', type: 'end' }] : [];
	return { initial_node_id: example[0].id, nodes: [...example, ...end] };
}

/** How severe the bad example of each rule is, the node with it, and its place in the flow. */
const places: Record<string, string> = {
	'flow-empty': 'error null nodes',
	'initial-missing': 'error null initial_node_id',
	'initial-unknown': 'error null initial_node_id',
	'id-missing': 'error null nodes[2]',
	'id-duplicate': 'error hello nodes[1].id',
	'type-unknown': 'error hello nodes[0].type',
	'field-missing': 'error hello nodes[0].next',
	'target-unknown': 'error hello nodes[0].next',
	unreachable: 'error price nodes[1]',
	'action-unknown': 'error book nodes[0].action_id',
	'dead-end': 'warning how nodes[0].branches[1]',
	'no-path-to-end': 'warning more nodes[0]',
	'loop-without-ask': 'warning hello nodes[0]',
	'loop-through-action': 'warning book nodes[0]',
	'decision-without-default': 'warning want nodes[0].branches',
	'duplicate-match': 'warning want nodes[0].branches[1].match',
	'match-empty': 'warning want nodes[0].branches[1].match',
	'branch-never-taken': 'warning want nodes[0].branches[1]',
	'placeholder-without-value': 'warning hello nodes[0].content',
	'placeholder-malformed': 'warning hello nodes[0].content',
	'next-ignored': 'warning bye nodes[1].next',
	'transfer-without-target': 'warning desk nodes[1]',
	'action-inactive': 'warning book nodes[0].action_id',
	'action-never-used': 'info null ',
};

describe('each rule for flows', () => {
	it('has a name of its own, and those of the severity error come first', () => {
		expect(flowRules.map(({ name }) => name)).toEqual(Object.keys(places));
	});

	it.each(flowRules.map((rule) => [rule.name, rule] as const))(
		'finds its bad example, and nothing else there: %s',
		(name, rule) => {
			const findings = lintFlow(flowOf(flowRuleExamples[name].bad), flowRuleExamples[name].exampleContext);
			const texts = findings.map(({ severity, nodeId, path }) => `${severity} ${nodeId} ${path}`);
			expect([rule.severity, texts]).toEqual([places[name]?.split(' ')[0], [places[name]]]);
			expect(findings).toMatchObject([
				{
					rule: name,
					message: expect.stringMatching(/^[A-Z][^]*[^.]\. [A-Z][^]*\.$/),
					fix: expect.stringMatching(/^[A-Z][^]*[.?]$/),
				},
			]);
		},
	);

	it.each(Object.entries(flowRuleExamples))(
		'finds nothing in its good example: %s',
		(_name, { good, exampleContext }) => {
			expect(lintFlow(flowOf(good), exampleContext)).toEqual([]);
		},
	);
});
