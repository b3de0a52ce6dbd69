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
 * Tests: e2e/waiting, "Executions wait during a call, campaigns and a restart of n8n"; e2e/waitingForged, "a resume token that
 * leads to another host".
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
 * Tests: e2e/waitingForged, "a resume token of another execution, another node and another run".
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
 * Tests: e2e/waiting, "if no process is left that knows of a wait, n8n ends it", and "Four outcomes out of order and one
 * missing".
 */
export function replaceInput(caller: IExecuteFunctions, items: readonly INodeExecutionData[]): void {
	const stored = items.map(({ json, pairedItem, error }) => ({
		json: error === undefined ? json : { error: json },
		pairedItem,
	}));
	caller.getExecuteData().data = { main: [stored] };
}

/**
 * The items that {@link replaceInput} has stored with a waiting execution. In `webhook()`, n8n has no method for the
 * input.
 *
 * Tests: e2e/waiting, "Four outcomes out of order and one missing", and "Executions wait during a call, campaigns and a
 * restart of n8n".
 */
export function storedInput(caller: IWebhookFunctions): INodeExecutionData[] {
	return caller.evaluateExpression('{{ $input.all() }}') as unknown as INodeExecutionData[];
}

/**
 * The context of a waiting node. In `webhook()`, n8n has no method for it, and an expression cannot have every node name.
 *
 * Tests: e2e/waiting, "five outcomes all arrive", and "a campaign that completes later continues the execution".
 */
export function storedContext(caller: IWebhookFunctions): Record<string, unknown> {
	const { runExecutionData } = caller as unknown as { runExecutionData: IRunExecutionData };
	return NodeHelpers.getContext(runExecutionData, 'node', caller.getNode());
}

/** The only parameter of a node whose wait ends with hints. */
const HINTS = 'hintsAfterWait';

/**
 * Lets n8n show hints when it continues an execution that has waited. n8n skips the node then, as a disabled one: it hands
 * its items on without the hints of the run that fell asleep, and `webhook()` cannot add any. So the node runs once more,
 * without its parameters and credential: it can do nothing but hand its items on. An execution whose wait n8n itself ends
 * has no hints: then no code of the node runs.
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
 * The hints of {@link showHintsAfterWait}. No workflow can have this parameter: n8n runs nodes without those that their
 * description does not have.
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
const BEGUN_BY_ANOTHER: readonly unknown[] = ['integrated', 'retry', 'error', undefined];

const isKnownMode = (mode: unknown) => !BEGUN_BY_ANOTHER.includes(mode);

/** What n8n keeps of how an execution began. */
interface Origin {
	source?: string;
	/** The node that began the outermost execution. */
	triggerNode?: { type?: string };
}

/** The data of an execution, as far as they say how it began. Older versions lack some of it. */
interface Begun {
	parentExecution?: { executionId?: string; executionContext?: Origin };
	executionData?: Partial<Pick<NonNullable<IRunExecutionData['executionData']>, 'nodeExecutionStack'>> & {
		runtimeData?: Origin;
	};
	resultData?: { runData?: IRunData };
}

/** The part of n8n's contexts that knows how the execution began. Older versions lack some of it. */
interface Root {
	getMode(): string;
	getExecutionContext?(): Origin | undefined;
	getExecutionDataById?(executionId: string): Promise<Begun | undefined>;
	additionalData?: { rootExecutionMode?: string };
	runExecutionData?: Begun;
}

/**
 * Whether the trigger of this package began an execution with events of tests: all of them, or some. The output of the
 * trigger stays in the data of the execution, also over a wait and in a Retry, whatever the nodes behind it remove. An
 * execution that was stored when it began has it among what is to be executed.
 */
function testEventsIn({ resultData, executionData }: Begun): 'testEvent' | 'someTestEvents' | undefined {
	const runs = Object.values(resultData?.runData ?? {}).map(([first]) => first);
	const started = [
		...runs.filter((run) => run?.source.every((before) => before === null)),
		...(executionData?.nodeExecutionStack ?? []).filter(({ source }) => source === null),
	];
	const items = started.flatMap(({ data }) => data?.main?.flat() ?? []);
	const tests = items.filter((item) => item?.json.isTest === true && item.json.webhookOwner !== undefined);
	return tests.length === 0 ? undefined : tests.length === items.length ? 'testEvent' : 'someTestEvents';
}

/** Reads the executions that began this one, from the inner to the outer; undefined for one that cannot be read. */
async function* outerExecutions(caller: Root): AsyncGenerator<Begun | undefined> {
	let execution = caller.runExecutionData;
	while (execution?.parentExecution) {
		const { executionId = '' } = execution.parentExecution;
		execution = await caller.getExecutionDataById?.(executionId).catch(() => undefined);
		yield execution;
	}
}

/**
 * How the run began to which this execution belongs, as n8n's mode: `manual` also in a sub-workflow of a manual
 * execution and in its Retry, where `getMode()` says `integrated` and `retry`. Or that it began with events of tests:
 * `testEvent`, `someTestEvents`.
 *
 * n8n has no method for it. The mode of the outermost execution is in the data of the engine; that of a Retry is in the
 * context that a repeated execution keeps. Where a sub-workflow continues after a wait, the parent's context is left, and
 * otherwise the stored data of the executions that began one another. These are read only where nothing else tells the
 * mode, or where the trigger of this package began the outermost one. The parent of an error workflow is the execution
 * that failed.
 *
 * Tests: e2e/rootOfRun, "A manual execution of a sub-workflow", "A production execution of a sub-workflow", "Retry",
 * "A sub-workflow of a sub-workflow that has waited" and "The event of a test call".
 *
 * @returns undefined if it cannot be read
 */
export async function rootModeOf(caller: Root): Promise<string | undefined> {
	const { runExecutionData = {} } = caller;
	const context = caller.getExecutionContext?.();
	const mode = [
		caller.getMode(),
		caller.additionalData?.rootExecutionMode,
		context?.source,
		runExecutionData.parentExecution?.executionContext?.source,
	].find(isKnownMode);
	if (mode === 'manual' || mode === 'evaluation') {
		return mode;
	}
	const testEvents = testEventsIn(runExecutionData);
	const beganByTrigger = context?.triggerNode?.type?.endsWith('.voiceAgentCallingTrigger') === true;
	// When an error workflow starts, the execution that began the failed one may not be stored yet.
	const isToBeFound = mode === undefined && caller.getMode() !== 'error';
	if (testEvents !== undefined || !(isToBeFound || beganByTrigger)) {
		return testEvents ?? mode;
	}
	let outermost = mode;
	for await (const execution of outerExecutions(caller)) {
		const ofOuter = execution && testEventsIn(execution);
		if (execution === undefined || ofOuter !== undefined) {
			return ofOuter;
		}
		outermost ??= isToBeFound ? [execution.executionData?.runtimeData?.source].find(isKnownMode) : undefined;
	}
	return outermost;
}

/** The contexts of tools outside of an execution: by what n8n runs them with, then by the name of the node. */
const contexts = new WeakMap<object, Map<string, IDataObject>>();

/**
 * What a node that runs as a tool remembers between the tries of Retry On Fail; with `flow`, what all nodes of the
 * execution share.
 *
 * The MCP Server Trigger runs tools outside of an execution, where n8n has no context for a node. What lasts there over
 * all tries is the object that n8n makes for each request of an MCP client: each request is a run of its own.
 *
 * Tests: e2e/olderTool, "A tool of the MCP Server Trigger calls once".
 */
export function contextOfTool(caller: IExecuteFunctions, type: 'node' | 'flow' = 'node'): IDataObject {
	try {
		return caller.getContext(type);
	} catch {
		const request = caller.getExecuteData();
		const byName = contexts.get(request) ?? new Map<string, IDataObject>();
		const { name } = caller.getNode();
		const context = byName.get(name) ?? {};
		contexts.set(request, byName.set(name, context));
		return context;
	}
}

/**
 * Whether `$fromAI` would read the arguments of another call. It reads those of the run whose index n8n chose when it made
 * the tool. An agent that processes several items at once makes one tool for each, all with the same index: each would
 * call the number of the first item.
 *
 * Tests: e2e/olderTool, "An AI agent that works on several items at the same moment calls no number of another item".
 */
export function readsArgumentsOfAnotherCall(caller: IExecuteFunctions): boolean {
	const { runExecutionData } = caller as unknown as { runExecutionData?: IRunExecutionData };
	const runs = runExecutionData?.resultData?.runData[caller.getNode().name];
	// Empty where the engine itself runs the tool, one call after the other.
	const own = caller.getInputData(0, NodeConnectionTypes.AiTool);
	return runs !== undefined && own.length > 0 && runs[runIndexOf(caller)]?.inputOverride?.ai_tool?.[0] !== own;
}

/** Which item the expressions of a tool are about. */
export interface ItemOfTool {
	/** Whether `$json` is the item on which the agent works. */
	isOwn: boolean;
	/** The properties of `$json` that the model has passed. */
	fromModel: string[];
	/** Whether one of them replaces a property of the item. */
	isReplaced: boolean;
	/** Whether the rest is about that item, too: `$('Node').item` and `$itemIndex`, for example. */
	isPaired: boolean;
}

/**
 * Finds out which item n8n evaluates the expressions of a tool with. `$fromAI` is another question: see
 * {@link readsArgumentsOfAnotherCall}.
 *
 * An AI Agent of version 2 runs its tools itself. n8n evaluates all of their expressions with the agent's first item.
 *
 * For an AI Agent of version 3, n8n's engine runs the tool. `$json` is the item on which the agent works, and over it all
 * that the model has passed, also what the tool did not ask for. `$('Node').item` is about the first item: the agent's or,
 * behind the second output of a node and in a loop, one that the agent does not even have. The agent is on the stack of
 * the execution while it waits for the tool. An agent can be a tool of another one: the items are those of the last.
 *
 * Tests: e2e/toolItems, "that works on several items never sends the value of another one" and "behind the second output
 * of a node calls with the value of nobody who went another way".
 */
export function itemOfTool(caller: IExecuteFunctions): ItemOfTool {
	const { runExecutionData } = caller as unknown as { runExecutionData?: IRunExecutionData };
	const ran = caller.getExecuteData();
	const asked = askedBy(runExecutionData?.executionData?.nodeExecutionStack ?? [], ran);
	if (asked === undefined) {
		const runs = runExecutionData?.resultData.runData[caller.getNode().name];
		const isOfEngine = caller.getInputData(0, NodeConnectionTypes.AiTool).length === 0;
		// The engine runs a tool for an agent, which cannot be found; or for none, as a tool of n8n's own agents.
		const isLost = runs?.[runIndexOf(caller)]?.inputOverride?.ai_tool !== undefined;
		const isOwn = isOfEngine ? !isLost : itemsOf(ran).length <= 1;
		return { isOwn, fromModel: [], isReplaced: false, isPaired: isOwn };
	}
	const items = itemsOf(asked.agent);
	const item: IDataObject = items[asked.itemIndex]?.json ?? {};
	const json: IDataObject = itemsOf(ran)[0]?.json ?? {};
	const fromModel = Object.keys(json).filter((name) => json[name] !== item[name]);
	return {
		isOwn: true,
		fromModel,
		isReplaced: fromModel.some((name) => Object.hasOwn(item, name)),
		isPaired: items.length === 1 && isPairedWith(caller, asked.agent, item),
	};
}

/** The agent that has asked the engine for a run, and for which of its items; of agents that ask each other, the last. */
function askedBy(stack: IExecuteData[], ran: IExecuteData): { agent: IExecuteData; itemIndex: number } | undefined {
	for (const agent of stack) {
		const request = agent.metadata?.subNodeExecutionData?.actions.find(
			({ nodeName, runIndex }) => nodeName === ran.node.name && runIndex === ran.runIndex,
		);
		if (request !== undefined) {
			const { itemIndex = 0 } = (request.action.metadata ?? {}) as { itemIndex?: number };
			return askedBy(stack, agent) ?? { agent, itemIndex };
		}
	}
	return undefined;
}

/** The items on which a node works. */
function itemsOf({ data, node }: IExecuteData): INodeExecutionData[] {
	const items = data?.main?.find((input) => input?.length) ?? [];
	return node.executeOnce ? items.slice(0, 1) : items;
}

/** Whether n8n finds the way back from the tool to an item of the agent, in what the node before the agent put out. */
function isPairedWith(caller: IExecuteFunctions, agent: IExecuteData, item: IDataObject): boolean {
	try {
		const found: unknown = caller.getWorkflowDataProxy(0).$(agent.source?.main[0]?.previousNode).item;
		return found === item || (found as INodeExecutionData).json === item;
	} catch {
		return false;
	}
}
