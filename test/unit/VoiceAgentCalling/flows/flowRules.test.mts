import { lintFlow } from '../../../../nodes/VoiceAgentCalling/flows/lintFlow.ts';
import { ruleTitles } from '../../../../nodes/VoiceAgentCalling/flows/ruleNames.ts';
import { flowRules } from '../../../../nodes/VoiceAgentCalling/flows/rules/allRules.ts';
import type { FlowExample } from '../../../../nodes/VoiceAgentCalling/flows/rules/rule.ts';

/** The flow of an example; the end `bye` is added if its nodes lead to it. */
function flowOf(example: FlowExample): Record<string, unknown> {
	if (!Array.isArray(example)) {
		return example as Record<string, unknown>;
	}
	const end = JSON.stringify(example).includes('"next":"bye"') ? [{ id: 'bye', type: 'end' }] : [];
	return { initial_node_id: example[0].id, nodes: [...example, ...end] };
}

describe('each rule for flows', () => {
	it('is in the list that the user can ignore, once', () => {
		expect(flowRules.map(({ name }) => name)).toEqual(Object.keys(ruleTitles));
	});

	it.each(flowRules.map((rule) => [rule.name, rule] as const))(
		'finds its bad example, and nothing else there: %s',
		(name, rule) => {
			const findings = lintFlow(flowOf(rule.bad), rule.exampleContext);
			expect(findings).toEqual([
				{
					severity: rule.severity,
					rule: name,
					nodeId: findings[0]?.nodeId,
					path: expect.any(String),
					message: expect.stringMatching(/^[A-Z][^]*[^.]\. [A-Z][^]*\.$/),
					fix: expect.stringMatching(/^[A-Z][^]*[.?]$/),
				},
			]);
		},
	);

	it.each(flowRules.map((rule) => [rule.name, rule] as const))(
		'finds nothing in its good example: %s',
		(_name, rule) => {
			expect(lintFlow(flowOf(rule.good), rule.exampleContext)).toEqual([]);
		},
	);
});
