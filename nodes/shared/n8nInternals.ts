import {
	type IDataObject,
	type IExecuteData,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IRunData,
	type IRunExecutionData,
	type IWebhookFunctions,
	NodeConnectionTypes,
	NodeHelpers,
} from 'n8n-workflow';

// Everything that relies on n8n's undocumented behavior is in this file only (test/project/n8nInternals.test.mts).
// `npm run test:compat` runs the tests named here with each version of docs/contributing/compatibility.md.

/** The part of n8n's contexts that evaluates expressions. */
export interface Evaluator {
	evaluateExpression(expression: string, itemIndex?: number): unknown;
}

/**
 * Returns the URL that resumes this execution, with host, path and, in an execution, the token. n8n's method for it
 * does not exist in all versions.
 *
 * Tests: e2e/waiting, "Executions wait during a call, campaigns and a restart of n8n"; e2e/waitingForged, "a resume
 * token that leads to another host".
 */
export function resumeAddress(caller: Evaluator): string {
	return String(caller.evaluateExpression('{{ $execution.resumeUrl }}'));
}

/**
 * Returns the URL below which n8n has the URLs of triggers. n8n passes it to triggers only, but the data of the engine
 * contain it.
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
 * Returns the index of this run of the node in its execution, from 0. No context of n8n has a method for it.
 *
 * Tests: e2e/waitingForged, "a resume token of another execution, another node and another run".
 */
export function runIndexOf(caller: IExecuteFunctions): number {
	return Number(caller.getWorkflowDataProxy(0).$runIndex);
}

/**
 * Replaces the node's input. When n8n itself ends a wait, it outputs the input, and no method sets another output.
 *
 * n8n sends an item to the error output if it has a property `error`, and then replaces its `json` with the message of
 * the error. It also sends an item there whose `json` has only the property `error`, and keeps that `json`.
 *
 * Tests: e2e/waiting, "if no process is left that knows of a wait, n8n ends it", and "Four outcomes out of order and
 * one missing".
 */
export function replaceInput(caller: IExecuteFunctions, items: readonly INodeExecutionData[]): void {
	const stored = items.map(({ json, pairedItem, error }) => ({
		json: error === undefined ? json : { error: json },
		pairedItem,
	}));
	caller.getExecuteData().data = { main: [stored] };
}

/**
 * Returns the items that {@link replaceInput} has stored with a waiting execution. In `webhook()`, n8n lacks a method
 * for the input.
 *
 * Tests: e2e/waiting, "Four outcomes out of order and one missing", and "Executions wait during a call, campaigns and a
 * restart of n8n".
 */
export function storedInput(caller: IWebhookFunctions): INodeExecutionData[] {
	return caller.evaluateExpression('{{ $input.all() }}') as unknown as INodeExecutionData[];
}

/**
 * Returns the context of a waiting node. In `webhook()`, n8n lacks a method for it, and an expression cannot contain
 * every node name.
 *
 * Tests: e2e/waiting, "five outcomes all arrive", and "a campaign that completes later continues the execution".
 */
export function storedContext(caller: IWebhookFunctions): Record<string, unknown> {
	const { runExecutionData } = caller as unknown as { runExecutionData: IRunExecutionData };
	return NodeHelpers.getContext(runExecutionData, 'node', caller.getNode());
}

/** The only parameter of a node that runs once more to show hints. */
const HINTS = 'hintsAfterWait';

/**
 * Lets n8n show hints when it continues an execution that has waited. n8n then skips the node like a disabled node: it
 * passes the items on without the hints of the run that fell asleep, and `webhook()` cannot add any. So the node runs
 * once more, without its parameters and credential, so that it can only pass its items on. If n8n itself ends the wait,
 * no code of the node runs, and the hints are lost.
 *
 * Tests: e2e/waiting, "Four outcomes out of order and one missing".
 */
export function showHintsAfterWait(caller: IWebhookFunctions, hints: readonly string[]): void {
	const { runExecutionData } = caller as unknown as { runExecutionData: IRunExecutionData };
	const [current] = runExecutionData.executionData?.nodeExecutionStack ?? [];
	if (current === undefined || hints.length === 0) {
		return;
	}
	const { id, name, type, typeVersion, position, onError } = current.node;
	current.node = { id, name, type, typeVersion, position, onError, parameters: { [HINTS]: [...hints] } };
}

/**
 * Returns the hints of {@link showHintsAfterWait}. A workflow cannot set this parameter: n8n removes parameters that
 * the description of a node lacks.
 *
 * Tests: e2e/waiting, "Four outcomes out of order and one missing".
 *
 * @returns undefined in every other run of a node
 */
export function hintsAfterWait(caller: IExecuteFunctions): string[] | undefined {
	const { [HINTS]: hints } = caller.getNode().parameters;
	return Array.isArray(hints) ? hints.map(String) : undefined;
}

/**
 * Lets n8n's Retry run the node again if n8n cancels the execution while the node runs, for example at its time limit.
 * When n8n cancels an execution, it immediately stores which nodes are still to be executed, without the running node:
 * Retry would succeed without the rest of the node's items.
 *
 * Tests: e2e/retry, "n8n ends an execution at its time limit".
 *
 * @returns a function to call when the node has ended by itself
 */
export function runAgainIfCanceled(caller: IExecuteFunctions): () => void {
	const { runExecutionData } = caller as unknown as { runExecutionData?: IRunExecutionData };
	const signal = caller.getExecutionCancelSignal();
	const keep = () => void runExecutionData?.executionData?.nodeExecutionStack.unshift(caller.getExecuteData());
	signal?.addEventListener('abort', keep, { once: true });
	return () => signal?.removeEventListener('abort', keep);
}

/**
 * The modes of an execution that another execution started or that repeats one. They do not tell how that one started.
 */
const BEGUN_BY_ANOTHER: readonly unknown[] = ['integrated', 'retry', 'error', undefined];

const isKnownMode = (mode: unknown) => !BEGUN_BY_ANOTHER.includes(mode);

/** What n8n stores about the start of an execution. */
interface Origin {
	source?: string;
	/** The node that started the outermost execution. */
	triggerNode?: { type?: string };
}

/** The data of an execution that show how it started. Older versions of n8n lack some of them. */
interface Begun {
	parentExecution?: { executionId?: string; executionContext?: Origin };
	executionData?: Partial<Pick<NonNullable<IRunExecutionData['executionData']>, 'nodeExecutionStack'>> & {
		runtimeData?: Origin;
	};
	resultData?: { runData?: IRunData };
}

/** The part of n8n's contexts that shows how the execution started. Older versions lack some of it. */
interface Caller {
	getMode(): string;
	getExecutionContext?(): Origin | undefined;
	getExecutionDataById?(executionId: string): Promise<Begun | undefined>;
	additionalData?: { rootExecutionMode?: string };
	runExecutionData?: Begun;
}

/** How the outermost execution began. */
interface Root {
	/** n8n's mode, such as `manual`, or `testEvent` or `someTestEvents`; undefined if it cannot be read. */
	mode: string | undefined;
	/** The events with which the trigger of this package began it; undefined if they cannot be read. */
	events: IDataObject[] | undefined;
}

/**
 * Returns the output of the node that started an execution. It stays in the data of the execution, even after a wait and
 * in a Retry, whatever the following nodes remove. In an execution that was stored when it started, it is on the stack
 * of the nodes to be executed.
 */
function startItemsIn({ resultData, executionData }: Begun): IDataObject[] {
	const runs = Object.values(resultData?.runData ?? {}).map(([first]) => first);
	const started = [
		...runs.filter((run) => run?.source.every((before) => before === null)),
		...(executionData?.nodeExecutionStack ?? []).filter(({ source }) => source === null),
	];
	return started.flatMap(({ data }) => data?.main?.flat() ?? []).flatMap((item) => (item ? [item.json] : []));
}

/** Whether an item is an event from the trigger of this package. */
const isEvent = ({ webhookOwner }: IDataObject) => webhookOwner !== undefined;

/** Finds out whether test events started an execution, or some of the events that did. */
function testEventsIn(started: readonly IDataObject[]): 'testEvent' | 'someTestEvents' | undefined {
	const tests = started.filter((item) => item.isTest === true && isEvent(item));
	return tests.length === 0 ? undefined : tests.length === started.length ? 'testEvent' : 'someTestEvents';
}

/** Reads the executions that started this one, from the inner to the outer; undefined for an unreadable execution. */
async function* outerExecutions(caller: Caller): AsyncGenerator<Begun | undefined> {
	let execution = caller.runExecutionData;
	while (execution?.parentExecution) {
		const { executionId = '' } = execution.parentExecution;
		execution = await caller.getExecutionDataById?.(executionId).catch(() => undefined);
		yield execution;
	}
}

/**
 * Finds out how the outermost execution began. Its mode is `manual` also in a sub-workflow of a manual execution and in
 * its Retry, where `getMode()` returns `integrated` and `retry`.
 *
 * n8n lacks a method for this. The mode of the outermost execution is in the data of the engine; for a Retry, it is in
 * the context that a repeated execution keeps. In a sub-workflow that continues after a wait, it is in the context of
 * the parent, or else in the stored data of the outer executions. These are read only if the mode is unknown otherwise,
 * or if the trigger of this package started the outermost execution, or may have: n8n 2.0 and older do not name the node.
 * The parent of an error workflow is the failed execution.
 *
 * Tests: e2e/rootOfRun, "A manual execution of a sub-workflow", "A production execution of a sub-workflow", "Retry", "A
 * sub-workflow of a sub-workflow that has waited" and "The event of a test call".
 */
export async function rootOf(caller: Caller): Promise<Root> {
	const { runExecutionData = {} } = caller;
	const context = caller.getExecutionContext?.();
	const mode = [
		caller.getMode(),
		caller.additionalData?.rootExecutionMode,
		context?.source,
		runExecutionData.parentExecution?.executionContext?.source,
	].find(isKnownMode);
	const started = startItemsIn(runExecutionData);
	const events = started.filter(isEvent);
	if (mode === 'manual' || mode === 'evaluation') {
		return { mode, events };
	}
	const testEvents = testEventsIn(started);
	const { triggerNode } = context ?? {};
	const startedByTrigger = triggerNode?.type?.endsWith('.voiceAgentCallingTrigger') === true;
	const mayBeStartedByTrigger = startedByTrigger || (triggerNode === undefined && mode === 'webhook');
	// When an error workflow starts, the execution that started the failed one may not be stored yet.
	const needsOuter = mode === undefined && caller.getMode() !== 'error';
	if (testEvents !== undefined || !(needsOuter || mayBeStartedByTrigger)) {
		return { mode: testEvents ?? mode, events };
	}
	let outermost = mode;
	for await (const execution of outerExecutions(caller)) {
		if (execution === undefined) {
			const isOther = triggerNode !== undefined && !startedByTrigger;
			const known = isOther || events.length > 0 ? events : undefined;
			return { mode: needsOuter || startedByTrigger ? undefined : mode, events: known };
		}
		const outer = startItemsIn(execution);
		const ofOuter = testEventsIn(outer);
		events.push(...outer.filter(isEvent));
		if (ofOuter !== undefined) {
			return { mode: ofOuter, events };
		}
		outermost ??= needsOuter ? [execution.executionData?.runtimeData?.source].find(isKnownMode) : undefined;
	}
	return { mode: outermost, events };
}

/** The contexts of tools outside of an execution, by n8n's object for the request, then by the name of the node. */
const contextsByRequest = new WeakMap<object, Map<string, IDataObject>>();

/**
 * Returns the context that a node keeps as a tool between the attempts of Retry On Fail; with `flow`, the context that
 * all nodes of the execution share.
 *
 * The MCP Server Trigger runs tools outside of an execution, where n8n lacks a context for a node. The object that n8n
 * creates for each request of an MCP client lasts for all attempts there: each request is a run of its own.
 *
 * Tests: e2e/olderTool, "A tool of the MCP Server Trigger calls once".
 */
export function contextOfTool(caller: IExecuteFunctions, type: 'node' | 'flow' = 'node'): IDataObject {
	try {
		return caller.getContext(type);
	} catch {
		const request = caller.getExecuteData();
		const byName = contextsByRequest.get(request) ?? new Map<string, IDataObject>();
		const { name } = caller.getNode();
		const context = byName.get(name) ?? {};
		contextsByRequest.set(request, byName.set(name, context));
		return context;
	}
}

/**
 * Whether `$fromAI` would read the arguments of another call. It reads the arguments of the run whose index n8n chose
 * when it created the tool. An agent that processes several items at once creates one tool for each, all with the same
 * index: each tool would call the number of the first item.
 *
 * Tests: e2e/toolItems, "that works on several items at the same moment never sends the value of another one".
 */
export function readsArgumentsOfAnotherCall(caller: IExecuteFunctions): boolean {
	const { runExecutionData } = caller as unknown as { runExecutionData?: IRunExecutionData };
	const runs = runExecutionData?.resultData?.runData[caller.getNode().name];
	// Empty if the engine itself runs the tool, one call after the other.
	const own = caller.getInputData(0, NodeConnectionTypes.AiTool);
	return runs !== undefined && own.length > 0 && runs[runIndexOf(caller)]?.inputOverride?.ai_tool?.[0] !== own;
}

/** The item that the expressions of a tool refer to. */
interface ItemOfTool {
	/** Whether `$json` is the item that the agent processes. */
	isOwn: boolean;
	/** The properties of `$json` that the model has passed. */
	fromModel: string[];
	/** Whether any of them replaces a property of the item. */
	isReplaced: boolean;
	/** Whether other expressions refer to that item as well, for example `$('Node').item` and `$itemIndex`. */
	isPaired: boolean;
}

/**
 * Finds the item with which n8n evaluates the expressions of a tool. For `$fromAI`, see {@link
 * readsArgumentsOfAnotherCall}.
 *
 * An AI Agent of version 2 runs its tools itself. n8n evaluates all of their expressions with the agent's first item.
 *
 * For an AI Agent of version 3, n8n's engine runs the tool. `$json` is the item that the agent processes, overlaid with
 * everything that the model has passed, even if the tool did not request it. `$('Node').item` is the first item: of the
 * agent or, after the second output of a node and in a loop, an item that the agent does not even have. The agent is on
 * the stack of the execution while it waits for the tool. An agent can be a tool of another agent: then the items are
 * those of the outermost agent.
 *
 * Tests: e2e/toolItems, "that works on several items never sends the value of another one" and "behind an IF never
 * sends the value of a person of the other branch".
 */
export function itemOfTool(caller: IExecuteFunctions): ItemOfTool {
	const { runExecutionData } = caller as unknown as { runExecutionData?: IRunExecutionData };
	const ran = caller.getExecuteData();
	const request = requestFor(runExecutionData?.executionData?.nodeExecutionStack ?? [], ran);
	if (request === undefined) {
		const runs = runExecutionData?.resultData.runData[caller.getNode().name];
		const isOfEngine = caller.getInputData(0, NodeConnectionTypes.AiTool).length === 0;
		// The engine runs the tool for an agent that cannot be found; or without an agent, as a tool of n8n's own agents.
		const isLost = runs?.[runIndexOf(caller)]?.inputOverride?.ai_tool !== undefined;
		const isOwn = isOfEngine ? !isLost : itemsOf(ran).length <= 1;
		return { isOwn, fromModel: [], isReplaced: false, isPaired: isOwn };
	}
	const items = itemsOf(request.agent);
	const item: IDataObject = items[request.itemIndex]?.json ?? {};
	const json: IDataObject = itemsOf(ran)[0]?.json ?? {};
	const fromModel = Object.keys(json).filter((name) => json[name] !== item[name]);
	return {
		isOwn: true,
		fromModel,
		isReplaced: fromModel.some((name) => Object.hasOwn(item, name)),
		isPaired: items.length === 1 && isPairedWith(caller, request.agent, item),
	};
}

/**
 * Finds the agent that has requested a run from the engine, and the index of its item. Of nested agents, the outermost.
 */
function requestFor(stack: IExecuteData[], ran: IExecuteData): { agent: IExecuteData; itemIndex: number } | undefined {
	for (const agent of stack) {
		const request = agent.metadata?.subNodeExecutionData?.actions.find(
			({ nodeName, runIndex }) => nodeName === ran.node.name && runIndex === ran.runIndex,
		);
		if (request !== undefined) {
			const { itemIndex = 0 } = (request.action.metadata ?? {}) as { itemIndex?: number };
			return requestFor(stack, agent) ?? { agent, itemIndex };
		}
	}
	return undefined;
}

/** Returns the items that a node processes. */
function itemsOf({ data, node }: IExecuteData): INodeExecutionData[] {
	const items = data?.main?.find((input) => input?.length) ?? [];
	return node.executeOnce ? items.slice(0, 1) : items;
}

/** Whether n8n pairs the tool with an item of the agent, in the output of the node before the agent. */
function isPairedWith(caller: IExecuteFunctions, agent: IExecuteData, item: IDataObject): boolean {
	try {
		const found: unknown = caller.getWorkflowDataProxy(0).$(agent.source?.main[0]?.previousNode).item;
		return found === item || (found as INodeExecutionData).json === item;
	} catch {
		return false;
	}
}
