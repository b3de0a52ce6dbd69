import { readFlow } from './flow';
import type { FlowFinding } from './flowFindings';
import { flowRules } from './rules/allRules';
import type { LintContext, RuleHit } from './rules/rule';
import { type Ways, waysOf } from './ways';

/** A finding, with what is needed to compare it with an error of the service. */
export interface LocatedFinding extends FlowFinding {
	/** The IDs in an error of the service about the same. */
	ids: readonly string[];
}

/** What the rules found in a flow. */
export interface FlowReport {
	/** In the order of the flow: the flow itself, its nodes, what is not in it. */
	findings: LocatedFinding[];
	/** The places of all nodes, by ID. */
	nodePaths: ReadonlyMap<string, string>;
	/** The IDs of all nodes that cannot be reached, also where another finding explains it. */
	unreachableIds: ReadonlySet<string>;
}

/**
 * Checks a flow, without the service. The time is proportional to the size of the flow.
 *
 * @param flow a flow with `initial_node_id` and `nodes`, whatever is in it
 * @param context the actions of the agent and values of variables, for the rules about them
 */
export function examineFlow(flow: Record<string, unknown>, context: LintContext = {}): FlowReport {
	const read = readFlow(flow);
	const ways = waysOf(read);
	const located: Array<{ position: number; finding: LocatedFinding }> = [];
	for (const { name, severity, check } of flowRules) {
		for (const found of check({ ...context, flow: read, ways })) {
			const { node, path = node?.path ?? '', message, fix } = found;
			located.push({
				position: positionOf(found),
				finding: {
					severity: found.severity ?? severity,
					rule: name,
					nodeId: node?.id ?? null,
					path,
					message,
					fix,
					ids: found.ids ?? (node?.id === undefined ? [] : [node.id]),
				},
			});
		}
	}
	return {
		findings: located.sort((one, other) => one.position - other.position).map(({ finding }) => finding),
		nodePaths: new Map([...read.byId].map(([id, [node]]) => [id, node.path])),
		unreachableIds: new Set(read.nodes.filter(({ index }) => !isReached(ways, index)).flatMap(({ id }) => id ?? [])),
	};
}

/**
 * Checks a flow, without the service.
 *
 * @param flow a flow with `initial_node_id` and `nodes`
 * @param context the actions of the agent and values of variables, for the rules about them
 * @returns the findings in the order of the flow; the service rejects a flow with errors
 */
export function lintFlow(flow: Record<string, unknown>, context: LintContext = {}): FlowFinding[] {
	return examineFlow(flow, context).findings.map(withoutIds);
}

/** The finding as the user sees it. */
export function withoutIds({ severity, rule, nodeId, path, message, fix }: LocatedFinding): FlowFinding {
	return { severity, rule, nodeId, path, message, fix };
}

function isReached({ reached }: Ways, index: number): boolean {
	return reached?.[index] ?? false;
}

function positionOf({ node, path }: RuleHit): number {
	if (node !== undefined) {
		return node.index;
	}
	return path === '' ? Number.POSITIVE_INFINITY : -1;
}
