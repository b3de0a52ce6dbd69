import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IRunExecutionData,
	type IWebhookFunctions,
	NodeHelpers,
} from 'n8n-workflow';

// What n8n does and does not promise. No other file relies on it (test/project/n8nInternals.test.mts), and
// `npm run test:compat` runs the tests that are named here in each version of docs/contributing/compatibility.md.

/** The part of n8n's contexts that evaluates expressions. */
export interface Evaluator {
	evaluateExpression(expression: string, itemIndex?: number): unknown;
}

/**
 * The URL that resumes this execution: with host, path and, in an execution, the token. n8n's own method for it is not in
 * all versions.
 *
 * Tests: e2e/waiting, "An execution waits during the call and a restart of n8n"; e2e/waitingForged, "a ticket that leads
 * to another host".
 */
export function resumeAddress(caller: Evaluator): string {
	return String(caller.evaluateExpression('{{ $execution.resumeUrl }}'));
}

/**
 * The URL below which n8n has the URLs of triggers. n8n tells it to triggers only; it is in the data of the engine.
 *
 * Tests: e2e/copies, "Check Registration says which webhook to give which URL".
 *
 * @returns undefined if it cannot be read
 */
export function webhookBaseOf(caller: Evaluator): string | undefined {
	const { additionalData } = caller as { additionalData?: { webhookBaseUrl?: unknown } };
	const base = additionalData?.webhookBaseUrl;
	return typeof base === 'string' && URL.canParse(base) ? base : undefined;
}

/**
 * Which run of the node in its execution this is, counted from 0. n8n has a method for it in no context.
 *
 * Tests: e2e/waitingForged, "a ticket of another execution, another node and another run".
 */
export function runIndexOf(caller: IExecuteFunctions): number {
	return Number(caller.getWorkflowDataProxy(0).$runIndex);
}

/**
 * Replaces the node's input. When n8n itself ends a wait, it outputs the input, and no method tells it what to output.
 *
 * n8n takes an item for the error output if it has a property `error`, and then replaces its `json` by the message of
 * the error; or if `json` has nothing but `error`, which it keeps.
 *
 * Tests: e2e/waiting, "If no process is left that knows of a wait, n8n ends it", and "An item of the error output keeps
 * its result, code and number".
 */
export function replaceInput(caller: IExecuteFunctions, items: readonly INodeExecutionData[]): void {
	const stored = items.map(({ json, pairedItem, error }) => ({
		...{ json: error === undefined ? json : { error: json } },
		pairedItem,
	}));
	caller.getExecuteData().data = { main: [stored] };
}

/**
 * The items that {@link replaceInput} has stored with a waiting execution. In `webhook()`, n8n has no method for the
 * input.
 *
 * Tests: e2e/waiting, "Four outcomes out of order and one missing"; e2e/waitingCampaigns, "An execution waits during a
 * restart of n8n".
 */
export function storedInput(caller: IWebhookFunctions): INodeExecutionData[] {
	return caller.evaluateExpression('{{ $input.all() }}') as unknown as INodeExecutionData[];
}

/**
 * The context of a waiting node. In `webhook()`, n8n has no method for it, and an expression cannot have every node name.
 *
 * Tests: e2e/waiting, "Five outcomes all arrive although n8n is killed between them"; e2e/waitingCampaigns, "A campaign
 * that completes after n8n was killed".
 */
export function storedContext(caller: IWebhookFunctions): Record<string, unknown> {
	const { runExecutionData } = caller as unknown as { runExecutionData: IRunExecutionData };
	return NodeHelpers.getContext(runExecutionData, 'node', caller.getNode());
}

/**
 * Lets n8n's Retry run the node again if n8n cancels the execution in the middle of it, at its time limit for example.
 * When n8n cancels an execution, it stores at once which nodes are still to be executed, and leaves out the running one:
 * Retry would end with success, without the rest of the node's items.
 *
 * Tests: e2e/retry, "n8n ends an execution at its time limit".
 *
 * @returns what to call when the node has ended by itself
 */
export function runAgainIfCanceled(caller: IExecuteFunctions): () => void {
	const { runExecutionData } = caller as unknown as { runExecutionData?: IRunExecutionData };
	const signal = caller.getExecutionCancelSignal();
	const keep = () => void runExecutionData?.executionData?.nodeExecutionStack.unshift(caller.getExecuteData());
	signal?.addEventListener('abort', keep, { once: true });
	return () => signal?.removeEventListener('abort', keep);
}

/** The modes of an execution that another one began, or that repeats an earlier one: they do not say how that began. */
const BEGUN_BY_ANOTHER: readonly unknown[] = ['integrated', 'retry', undefined];

/** The part of n8n's contexts that knows which execution began this one. Older versions lack most of it. */
interface Root {
	getMode(): string;
	getExecutionContext?(): { source?: string } | undefined;
	additionalData?: { rootExecutionMode?: string };
	runExecutionData?: { parentExecution?: { executionContext?: { source?: string } } };
}

/**
 * How the run began to which this execution belongs, as n8n's mode: `manual` also in a sub-workflow of a manual
 * execution and in its Retry, where `getMode()` says `integrated` and `retry`. n8n has no method for it: the first is in
 * the data of the engine, the second in the context that a repeated execution keeps, and the parent's is left where a
 * sub-workflow continues after a wait.
 *
 * Tests: e2e/rootOfRun, "A manual execution of a sub-workflow", "A production execution of a sub-workflow" and "Retry".
 *
 * @returns undefined if it cannot be read
 */
export function rootModeOf(caller: Root): string | undefined {
	return [
		caller.getMode(),
		caller.additionalData?.rootExecutionMode,
		caller.getExecutionContext?.()?.source,
		caller.runExecutionData?.parentExecution?.executionContext?.source,
	].find((mode) => !BEGUN_BY_ANOTHER.includes(mode));
}

/** The contexts of tools outside of an execution: by what n8n runs them with, then by the name of the node. */
const contexts = new WeakMap<object, Map<string, IDataObject>>();

/**
 * What a node that runs as a tool remembers between the tries of Retry On Fail.
 *
 * The MCP Server Trigger runs tools outside of an execution, where n8n has no context for a node. What lasts there over
 * all tries is the object that n8n makes for each request of an MCP client: each request is a run of its own.
 *
 * Tests: e2e/olderTool, "A tool of the MCP Server Trigger calls once".
 */
export function contextOfTool(caller: IExecuteFunctions): IDataObject {
	try {
		return caller.getContext('node');
	} catch {
		const request = caller.getExecuteData();
		const byName = contexts.get(request) ?? new Map<string, IDataObject>();
		const { name } = caller.getNode();
		const context = byName.get(name) ?? {};
		contexts.set(request, byName.set(name, context));
		return context;
	}
}
