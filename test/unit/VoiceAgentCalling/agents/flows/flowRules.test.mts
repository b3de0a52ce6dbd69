import { flowRules, lintFlow } from '../../../../../nodes/VoiceAgentCalling/agents/flows/lintFlow.ts';
import { type FlowExample, flowRuleExamples } from '../../../../docs/flowRuleExamples.mts';

/** The flow of an example; the end `bye` is added if its nodes lead to it. */
function flowOf(example: FlowExample): Record<string, unknown> {
	if (!Array.isArray(example)) {
		return example as Record<string, unknown>;
	}
	const end = JSON.stringify(example).includes('"next":"bye"') ? [{ id: 'bye', type: 'end' }] : [];
	return { initial_node_id: example[0].id, nodes: [...example, ...end] };
}

/** For the bad example of each rule, the node with the finding and its place in the flow. */
const places: Record<string, string> = {
	'no-first-node': 'null initial_node_id',
	'unknown-node': 'hello nodes[0].next',
	'duplicate-node': 'hello nodes[1].id',
	'dead-end': 'how nodes[0].branches[1]',
	'no-path-to-end': 'more nodes[0]',
	'loop-without-ask': 'hello nodes[0]',
	'loop-through-action': 'book nodes[0]',
	'decision-without-default': 'want nodes[0].branches',
	'duplicate-match': 'want nodes[0].branches[1].match',
	'placeholder-without-value': 'hello nodes[0].content',
	'placeholder-malformed': 'hello nodes[0].content',
	'action-inactive': 'book nodes[0].action_id',
};

describe('each rule for flows', () => {
	it('has a name of its own, in the order of the page', () => {
		expect(flowRules.map(({ name }) => name)).toEqual(Object.keys(places));
	});

	it.each(flowRules.map(({ name }) => name))('finds its bad example, and nothing else there: %s', (name) => {
		const findings = lintFlow(flowOf(flowRuleExamples[name].bad), flowRuleExamples[name].exampleContext);
		const texts = findings.map(({ nodeId, path }) => `${nodeId} ${path}`);
		expect(texts).toEqual([places[name]]);
		expect(findings).toMatchObject([
			{
				rule: name,
				message: expect.stringMatching(/^[A-Z][^]*[^.]\. [A-Z][^]*\.$/),
				fix: expect.stringMatching(/^[A-Z][^]*[.?]$/),
			},
		]);
	});

	it.each(Object.entries(flowRuleExamples))(
		'finds nothing in its good example: %s',
		(_name, { good, exampleContext }) => {
			expect(lintFlow(flowOf(good), exampleContext)).toEqual([]);
		},
	);
});
