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

/** A whole flow, or the nodes of one from the first on; the end `bye` is added if they lead to it. */
export type FlowExample = readonly object[] | Record<string, unknown>;

/** A rule for flows. What a rule of the severity `error` finds is what the service refuses, too. */
export interface FlowRule {
	/** As findings have it, such as `dead-end`. */
	name: string;
	severity: Severity;
	/** A flow that the rule finds, and why it does; whole sentences in Markdown. */
	bad: FlowExample;
	why: string;
	/** The same flow without findings. */
	good: FlowExample;
	/** What the examples are checked against. */
	exampleContext?: LintContext;
	check(input: RuleInput): Iterable<RuleHit>;
}

/** The node with which most examples start. */
export const helloNode = { id: 'hello', type: 'say', content: 'Hello!', next: 'bye' };
