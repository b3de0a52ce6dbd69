import { flowRules } from '../../nodes/VoiceAgentCalling/agents/flows/lintFlow.ts';
import { flowRuleExamples } from '../docs/flowRuleExamples.mts';

// That the examples are right, the unit tests of the rules show.
test('docs/reference/flow-rules.md has each rule for flows once', () => {
	expect(Object.keys(flowRuleExamples)).toEqual(flowRules.map(({ name }) => name));
});
