import { readFlow } from './flow';
import type { FlowFinding } from './flowFindings';
import { flowRules } from './rules/allRules';
import type { LintContext, RuleHit } from './rules/rule';
import { waysOf } from './ways';

/**
 * Checks a flow with the rules, without the service. The time is proportional to the size of the flow.
 *
 * @param flow a flow with `initial_node_id` and `nodes`, whatever is in it
 * @param context the actions of the agent and values of variables, for the rules about them
 * @param rules by default all; the service itself checks what those of the severity `error` find
 * @returns the findings in the order of the flow: the flow itself, its nodes, what is not in it
 */
export function lintFlow(flow: Record<string, unknown>, context: LintContext = {}, rules = flowRules): FlowFinding[] {
	const read = readFlow(flow);
	const ways = waysOf(read);
	const located = rules.flatMap(({ name: rule, severity, check }) =>
		[...check({ ...context, flow: read, ways })].map((found) => {
			const { node, path = node?.path ?? '', message, fix } = found;
			const finding = { severity: found.severity ?? severity, rule, nodeId: node?.id ?? null, path, message, fix };
			return { position: positionOf(found), finding };
		}),
	);
	return located.sort((one, other) => one.position - other.position).map(({ finding }) => finding);
}

function positionOf({ node, path }: RuleHit): number {
	if (node !== undefined) {
		return node.index;
	}
	return path === '' ? Number.POSITIVE_INFINITY : -1;
}
