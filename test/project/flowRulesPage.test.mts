import { flowRulesPage } from '../docs/flowRules.mts';
import { expectGenerated } from '../docs/generated.mts';

test('docs/reference/flow-rules.md has every rule for flows, with its examples', () => {
	expectGenerated('docs/reference/flow-rules.md', flowRulesPage());
});
