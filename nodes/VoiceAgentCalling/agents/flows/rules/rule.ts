import type { Flow, FlowNode } from '../flow';

/** An action of an agent, as the service returns it. */
export type AgentActionRecord = Record<string, unknown>;

/** The data that a flow is checked against. */
export interface LintContext {
	/** The actions of the agent. Without them, the rule about actions does not apply. */
	actions?: readonly AgentActionRecord[];
	/** Values of variables, such as the payload of a call. Without them, missing values are not reported. */
	payload?: Record<string, unknown>;
}

/** The input of the rules. */
interface RuleInput extends LintContext {
	flow: Flow;
}

/** A problem that a rule has found. */
interface RuleHit {
	node?: FlowNode;
	/** The place in the flow. The default is the place of the node. */
	path?: string;
	/** The node, the fact and the consequence, in whole sentences. */
	message: string;
	/** What to do, in whole sentences. */
	fix: string;
}

/** A rule for flows. It finds problems for callers. Few of them are errors that the service reports, too. */
export interface FlowRule {
	/** The name in findings, such as `dead-end`. */
	name: string;
	check(input: RuleInput): Iterable<RuleHit>;
}
