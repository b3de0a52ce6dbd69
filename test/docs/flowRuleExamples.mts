import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { LintContext } from '../../nodes/VoiceAgentCalling/agents/flows/rules/rule.ts';
import { root } from '../../scripts/lib/places.mts';

/** A whole flow, or the nodes of one from the first on; the end `bye` is added if they lead to it. */
export type FlowExample = readonly object[] | Record<string, unknown>;

/** What docs/reference/flow-rules.md shows of a rule. */
interface FlowRuleExample {
	/** A flow that the rule finds, and the same without findings. */
	bad: FlowExample;
	good: FlowExample;
	/** What the examples are checked against. */
	exampleContext?: LintContext;
}

/** A flow in one piece of code, or a node in each. */
function exampleIn(cell: string): FlowExample {
	const parts = [...cell.replaceAll('\\|', '|').matchAll(/`([^`]+)`/g)].map(([, json]) => JSON.parse(json));
	return 'nodes' in parts[0] ? parts[0] : parts;
}

/** The payload or the actions of an explanation. */
function contextIn(why: string): LintContext | undefined {
	const [, payload] = /sample payload, here `(\{.*?\})`/.exec(why) ?? [];
	const [, actions] = / has the actions `(\[.*\])`/.exec(why) ?? [];
	return payload ? { payload: JSON.parse(payload) } : actions ? { actions: JSON.parse(actions) } : undefined;
}

const page = readFileSync(join(root, 'docs', 'reference', 'flow-rules.md'), 'utf8');

/** The example of each rule, by its name. */
export const flowRuleExamples: Record<string, FlowRuleExample> = Object.fromEntries(
	[...page.matchAll(/^\| <a id="(.*)"><\/a>`\1` \| (.*) \| (.*) \| (.*) \|$/gm)].map(([, name, bad, why, good]) => [
		name,
		{ bad: exampleIn(bad), good: exampleIn(good), exampleContext: contextIn(why) },
	]),
);
