/** The severities, the worst first. */
export const severities = ['error', 'warning', 'info'] as const;

/**
 * - `error`: the service rejects the flow, by its documentation
 * - `warning`: the service accepts it, but a conversation may go wrong
 * - `info`: probably not intended, without harm
 */
export type Severity = (typeof severities)[number];

/** What is wrong at one place of a flow. */
export interface FlowFinding {
	severity: Severity;
	/** The name of the rule. */
	rule: string;
	/** Null if it is not about one node, or the node has no ID. */
	nodeId: string | null;
	/** The place in the flow, such as `nodes[3].branches[0].next`; empty for the whole flow. */
	path: string;
	/** The node, the fact and the consequence, in whole sentences. */
	message: string;
	/** What to do, in whole sentences. */
	fix: string;
}

/** How many findings there are of each severity. */
export type FindingCounts = Record<'errors' | 'warnings' | 'infos', number>;

export function countFindings(findings: readonly FlowFinding[]): FindingCounts {
	const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
	return { errors: count('error'), warnings: count('warning'), infos: count('info') };
}
