import { lintFlow } from '../../../../../nodes/VoiceAgentCalling/agents/flows/lintFlow.ts';
import type { LintContext } from '../../../../../nodes/VoiceAgentCalling/agents/flows/rules/rule.ts';

export type Node = Record<string, unknown>;

/** A say with an ID that leads to another node. */
export const say = (id: string, next?: unknown, more: Node = {}): Node => ({
	id,
	type: 'say',
	content: `Text of ${id}`,
	next,
	...more,
});

export const end: Node = { id: 'end', type: 'end' };

/** A flow that starts with the first node. */
export const flow = (...nodes: unknown[]) => ({ initial_node_id: (nodes[0] as Node).id, nodes });

/** The findings of a flow, as rule and place. */
export const found = (given: Record<string, unknown>, context: LintContext = {}) =>
	lintFlow(given, context).map(({ rule, path }) => `${rule} ${path}`);

/** The finding with a rule. */
export const finding = (rule: string, given: Record<string, unknown>, context: LintContext = {}) =>
	lintFlow(given, context).find((each) => each.rule === rule);
