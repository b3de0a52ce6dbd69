import type { Flow, FlowNode } from '../flow';
import type { Severity } from '../flowFindings';
import type { Ways } from '../ways';

/** An action of an agent, as the service returns it. */
export type AgentActionRecord = Record<string, unknown>;

/** What a flow is checked against, apart from itself. */
export interface LintContext {
	/** The actions of the agent; without them, rules about actions do not apply. */
	actions?: readonly AgentActionRecord[];
	/** Values of variables, such as those of a call; without them, no placeholder lacks a value. */
	payload?: Record<string, unknown>;
}

/** What the rules read. */
export interface RuleInput extends LintContext {
	flow: Flow;
	ways: Ways;
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
	/** A severity below that of the rule, where only undocumented fields are wrong. */
	severity?: Severity;
}

/** A rule for flows. What a rule of the severity `error` finds is what the service refuses, too. */
export interface FlowRule {
	/** As findings have it, such as `dead-end`. */
	name: string;
	severity: Severity;
	check(input: RuleInput): Iterable<RuleHit>;
}
