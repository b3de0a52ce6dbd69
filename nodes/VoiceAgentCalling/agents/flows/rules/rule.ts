import type { Flow, FlowNode } from '../flow';

/** An action of an agent, as the service returns it. */
export type AgentActionRecord = Record<string, unknown>;

/** What a flow is checked against, apart from itself. */
export interface LintContext {
	/** The actions of the agent; without them, the rule about actions does not apply. */
	actions?: readonly AgentActionRecord[];
	/** Values of variables, such as those of a call; without them, missing values are not reported. */
	payload?: Record<string, unknown>;
}

/** What the rules read. */
export interface RuleInput extends LintContext {
	flow: Flow;
}

/** What a rule has found. */
export interface RuleHit {
	/** The node that it is about. */
	node?: FlowNode;
	/** The place in the flow; by default that of the node. */
	path?: string;
	/** The node, the fact and the consequence, in whole sentences. */
	message: string;
	/** What to do, in whole sentences. */
	fix: string;
}

/** A rule for flows: the service accepts what it finds, but a caller would suffer from it. */
export interface FlowRule {
	/** As findings have it, such as `dead-end`. */
	name: string;
	check(input: RuleInput): Iterable<RuleHit>;
}
