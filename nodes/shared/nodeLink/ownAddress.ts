/** Wherever n8n evaluates expressions for a node. */
interface Evaluator {
	evaluateExpression(expression: string, itemIndex?: number): unknown;
}

/**
 * The address at which this execution of this n8n would be resumed, as n8n itself makes it: with its host, its path
 * and, in an execution, the token.
 */
export function resumeAddress(caller: Evaluator): string {
	return String(caller.evaluateExpression('{{ $execution.resumeUrl }}'));
}

/** Where this n8n resumes executions: the address without an execution's ID, with a slash at its end. */
function waitingBase(caller: Evaluator): URL {
	return new URL('./', resumeAddress(caller));
}

/** Tells whether an address resumes an execution of this very n8n. */
export function resumesHere(caller: Evaluator, url: string): boolean {
	const base = waitingBase(caller);
	return URL.canParse(url) && new URL(url).origin === base.origin && new URL(url).pathname.startsWith(base.pathname);
}

/** Tells whether an address is on this n8n: same host, and below the same path. */
export function isOwnAddress(caller: Evaluator, url: string): boolean {
	const base = new URL('../', waitingBase(caller));
	return URL.canParse(url) && new URL(url).origin === base.origin && new URL(url).pathname.startsWith(base.pathname);
}
