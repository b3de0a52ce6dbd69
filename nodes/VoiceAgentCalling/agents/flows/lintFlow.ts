import { readFlow } from './flow';
import { decisionWithoutDefault, duplicateMatch } from './rules/branches';
import { deadEnd, loopThroughAction, loopWithoutAsk, noPathToEnd } from './rules/endsAndLoops';
import { duplicateNode, noFirstNode, unknownNode } from './rules/nodes';
import { actionInactive, placeholderMalformed, placeholderWithoutValue } from './rules/references';
import type { FlowRule, LintContext } from './rules/rule';

/** All rules, in the order of the documentation. */
export const flowRules: readonly FlowRule[] = [
	noFirstNode,
	unknownNode,
	duplicateNode,
	deadEnd,
	noPathToEnd,
	loopWithoutAsk,
	loopThroughAction,
	decisionWithoutDefault,
	duplicateMatch,
	placeholderWithoutValue,
	placeholderMalformed,
	actionInactive,
];

/** A problem at one place of a flow. */
export interface FlowFinding {
	/** The name of the rule. */
	rule: string;
	/** Null if the problem is not in a node, or if the node lacks an ID. */
	nodeId: string | null;
	/** The place in the flow, such as `nodes[3].branches[0].next`. */
	path: string;
	/** The node, the fact and the consequence, in whole sentences. */
	message: string;
	/** What to do, in whole sentences. */
	fix: string;
}

/**
 * Checks a flow with the rules, without the service. The time is proportional to the size of the flow.
 *
 * @param fields a flow, whose content may be invalid
 * @param ignored names of rules that do not run
 * @returns the findings in the order of the flow: the flow itself, then its nodes
 */
export function lintFlow(
	fields: Record<string, unknown>,
	context: LintContext = {},
	ignored: readonly string[] = [],
): FlowFinding[] {
	const flow = readFlow(fields);
	const found = flowRules
		.filter(({ name }) => !ignored.includes(name))
		.flatMap(({ name: rule, check }) =>
			[...check({ ...context, flow })].map(({ node, path = node?.path ?? '', message, fix }) => ({
				position: node?.index ?? -1,
				finding: { rule, nodeId: node?.id ?? null, path, message, fix },
			})),
		);
	return found.sort((one, other) => one.position - other.position).map(({ finding }) => finding);
}
