import { flowRules } from '../../nodes/VoiceAgentCalling/agents/flows/rules/allRules.ts';
import { flowRuleExamples } from '../docs/flowRuleExamples.mts';

// That the examples are right, the unit tests of the rules show.
test('docs/reference/flow-rules.md has each rule for flows once, under its severity', () => {
	const headings = { error: 'Errors', warning: 'Warnings', info: 'Info' };
	const listed = Object.entries(flowRuleExamples).map(([name, { heading }]) => ({ name, heading }));
	expect(listed).toEqual(flowRules.map(({ name, severity }) => ({ name, heading: headings[severity] })));
});
