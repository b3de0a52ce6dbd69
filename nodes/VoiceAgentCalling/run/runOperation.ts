// A run reads all items (readItems.ts), takes out calls that must not be sent now (`phases` below, with the rules of
// callRules/calls.ts), and sends the other items (sendItems.ts).
//
// The result of an item is its state, which `settleItem` sets (operation/operationRun.ts). outcomes.ts turns the
// response into a state, and the state into the `result` of the output.
//
// After a wait by event, waiting/callTarget.ts returns the stored output, with the outcomes.
//
// `run.stop` (shared/client/run.ts) has the reason why a run stops. The whole run stops if the execution was canceled,
// or, with On Error set to stop, if an item is invalid, failed, or has a call with an unknown outcome in the book
// (`settleItem`). Only the items that would get the same error stop after such an error (`stopOthers` in sendItems.ts).

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createSharedApi } from '../../shared/client/api';
import { canceled, notTried, stopsOtherItems } from '../../shared/client/itemErrors';
import { Pace } from '../../shared/client/pace';
import { RequestLog } from '../../shared/client/requestLog';
import { type Run, RunStop, SharedReads } from '../../shared/client/run';
import { connect } from '../../shared/client/transport';
import { asNodeError, isTool, notForTools } from '../../shared/errors/nodeError';
import { asServiceError, invalid as invalidInput, ServiceError, toResult } from '../../shared/errors/serviceError';
import { hasExpression } from '../../shared/lib/expressions';
import { contextOfTool, readsArgumentsOfAnotherCall, runAgainIfCanceled, runIndexOf } from '../../shared/n8nInternals';
import { CallBook } from '../callRules/book';
import { type CallingNode, Calls } from '../callRules/calls';
import { MISSING_VARIABLES } from '../callRules/findings';
import { NumberList } from '../fields/numberList';
import { assertSetByPerson, toolChoices } from '../fields/toolLimits';
import { CALLER_IDS } from '../operation/call';
import { failedBy, type Item, isCallOver, isFailed } from '../operation/items';
import type { Operation, Resource } from '../operation/operation';
import { failItem, type OperationRun, readyItems, settleItem } from '../operation/operationRun';
import type { WaitHints } from '../waiting/wait';
import { describeResults, describeRun, isLater, isNothingDone } from './describe';
import { knownState, loggedState, outputItems, stateAfterChange, stoppingError } from './outcomes';
import { readItems } from './readItems';
import { sendItems } from './sendItems';

/**
 * Runs the selected operation for all input items. With On Error set to stop, nothing is sent if an item is invalid,
 * and no other item is begun after the first item that fails. Items that have sent a request, even a read, are finished
 * unless the execution was canceled; requests in flight are awaited and stored. The error lists the items that are done, unknown and not tried.
 *
 * @returns the output items, linked to their input items
 * @throws NodeOperationError or NodeApiError if the run ends with an error
 */
export async function runOperation(
	caller: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(caller, resources);
	if (operation instanceof ServiceError) {
		// Not thrown: with On Error set to continue, n8n would pass the input on as if it were done.
		return [allFailed(caller, operation)];
	}
	const node = callingNode(caller);
	const flow = contextOf(caller, 'flow');
	const log = new RequestLog(contextOf(caller, 'node'), node.run, caller.getExecutionId(), node.node, flow);
	const book = bookOf(flow, String(caller.getExecutionId()));
	if (book instanceof ServiceError) {
		return [allFailed(caller, book)];
	}
	let hasEnded = false;
	const unwatch = node.isTool ? () => {} : runAgainIfCanceled(caller);
	try {
		const output = await processItems(caller, operation, node, { log, book });
		log.clear();
		hasEnded = true;
		return [output];
	} finally {
		unwatch();
		if (!hasEnded) {
			log.keepForRetry();
			book.setFailed(node);
		}
		book.tidy();
	}
}

/** Identifies the node in the calls of the execution. */
function callingNode(caller: IExecuteFunctions): CallingNode {
	const node = caller.getNode();
	return {
		credential: String(node.credentials?.voiceAgentCallingApi?.id),
		node: node.name,
		run: runIndexOf(caller),
		isTool: isTool(node),
	};
}

/**
 * Returns the context that n8n keeps between the attempts of Retry On Fail and between the runs of the node in one
 * execution; with `flow`, the context that all nodes of the execution share.
 */
function contextOf(caller: IExecuteFunctions, of: 'node' | 'flow'): IDataObject {
	return isTool(caller.getNode()) ? contextOfTool(caller, of) : caller.getContext(of);
}

/** Returns the book of the execution, or the error if it cannot be read. */
function bookOf(flow: IDataObject, executionId: string): CallBook | ServiceError {
	try {
		return CallBook.of(flow, executionId);
	} catch (error) {
		return asServiceError(error, 'no');
	}
}

/** Returns the output if no item can be processed. @throws NodeOperationError unless the node continues after errors */
function allFailed(caller: IExecuteFunctions, error: ServiceError): INodeExecutionData[] {
	if (!caller.continueOnFail()) {
		throw asNodeError(caller.getNode(), error);
	}
	const state = { is: 'failed' as const, error };
	return caller.getInputData().flatMap((_item, itemIndex) => outputItems(caller, state, itemIndex, () => ({})));
}

/** Returns the hint that the Blocked Numbers of all items are empty. */
function notesOf(items: readonly Item[]): string[] {
	const lists = new Set(items.map(({ input }) => input?.local.blockedNumbers));
	const notes = [...lists].flatMap((list) => (list instanceof NumberList ? [list.note] : []));
	return notes.includes(undefined) ? [] : [...new Set(notes as string[])];
}

/**
 * Runs an operation for all input items.
 *
 * @param log the requests other than calls that earlier attempts have sent
 * @param book the calls of the execution
 */
async function processItems(
	caller: IExecuteFunctions,
	operation: Operation,
	node: CallingNode,
	{ log, book }: { log: RequestLog; book: CallBook },
): Promise<INodeExecutionData[]> {
	const startedAt = Date.now();
	const stop = new RunStop(() => caller.getExecutionCancelSignal()?.aborted ?? false);
	const { items, sending, rootMode, chain, callOf } = await readItems(caller, operation, () => stop.isCanceled);
	const continueOnFail = caller.continueOnFail();
	const maxConcurrentRequests = sending.maxConcurrentRequests || undefined;
	const pace = new Pace({ ...sending, maxConcurrentRequests, maxWaitSeconds: sending.maxWait });
	const runHints = new Set(notesOf(items));
	const { value: connection, error: notConnected } = await toResult(connect(caller));
	// Each run of a tool counts its items anew, so their states do not include earlier calls.
	const hasCalled = () => node.isTool && book.count(node.credential, true) > 0;
	let timeZone = caller.getTimezone();
	let cause: ServiceError | undefined;
	const described = () => ({ items, operation, timeZone, cause, hasCalled: hasCalled() });
	const results = () => describeResults(described());
	const [invalid] = items.flatMap(({ state }, itemIndex) =>
		isFailed(state) ? [{ itemIndex, error: state.error }] : [],
	);
	let startedPhases: readonly Phase[] = [];
	if (connection === undefined) {
		const error = notConnected.with({ code: 'INVALID_INPUT', accepted: 'no' });
		for (const [itemIndex, item] of items.entries()) {
			const entry = node.isTool ? undefined : book.ownOf({ ...node, item: itemIndex });
			const known = entry && knownState({ items }, { is: 'own', entry, valuesChanged: true }, undefined);
			item.state = known ?? (item.state.is === 'ready' ? { is: 'failed', error, isOfSettings: true } : item.state);
		}
		if (!continueOnFail && invalid === undefined) {
			throw asNodeError(caller.getNode(), notConnected, undefined, isNothingDone(items) ? '' : results());
		}
	} else {
		const run: Run = {
			caller,
			connection,
			pace,
			log,
			stop,
			hints: runHints,
			chain,
			timeoutSeconds: sending.requestTimeout,
			maxWaitSeconds: sending.maxWait,
			cache: new SharedReads(),
		};
		const stopping = continueOnFail ? undefined : invalid;
		// Not for a single item, which has one error at a time anyway, and costs no request then.
		if (stopping !== undefined && items.length > 1) {
			cause = await errorForAll(run, operation, callOf);
		}
		const operationRun = { run, operation, items, startedAt, rootMode, continueOnFail };
		startedPhases = await runPhases(operationRun, book, node, stopping);
		if (continueOnFail && items.length > 1 && !stop.isForAll && items.some(isInvalid) && items.every(isLeft)) {
			cause = await errorForAll(run, operation, callOf);
		}
		timeZone = (await zoneOfCampaign(run, operation, items)) ?? timeZone;
	}
	if (stop.isCanceled) {
		throw asNodeError(caller.getNode(), canceled(results()));
	}
	if (!continueOnFail && (invalid !== undefined || items.some(({ state }) => isFailed(state)))) {
		throw stoppingError(caller, items, results(), { invalid, cause });
	}
	const output = items.flatMap(({ state }, itemIndex) =>
		outputItems(caller, state, itemIndex, () => callOf(itemIndex, connection?.testCallsOnly), operation),
	);
	const hintsIf = (areOver: boolean) =>
		[
			describeRun({ ...described(), areOver, onlyTestCalls: connection?.testCallsOnly }, pace),
			...runHints,
			sameForAll(caller, operation, items.length),
		].filter((hint) => hint !== undefined);
	const hints = hintsIf(output.every(isCallOver));
	// In the oldest n8n a tool lacks this method. An error here would hide the calls that are placed by now.
	caller.addExecutionHints?.(...hints.map((message) => ({ message })));
	for (const phase of startedPhases) {
		await phase.finish?.(output, { hints, hintsAtEnd: hintsIf(true) });
	}
	return output;
}

/** Returns the time zone of the campaign that calls the first item later; undefined if no item, or if it cannot be read. */
async function zoneOfCampaign(
	run: Run,
	{ callerIdField }: Operation,
	items: readonly Item[],
): Promise<string | undefined> {
	const later = items.find(({ state }) => state.is === 'done' && isLater(state.startsAt));
	const { callerId } = later?.input?.call ?? {};
	if (callerIdField !== 'campaignId' || callerId === undefined || run.stop.isForAll) {
		return undefined;
	}
	const { campaignState } = await import('../callRules/campaign.js');
	const { value } = await toResult(campaignState(createSharedApi(run), callerId));
	return value?.schedule?.timeZone;
}

/** Returns the hint that several items did the same, as the parameters are fixed; a call has one for each number. */
function sameForAll(caller: IExecuteFunctions, { placesCall }: Operation, count: number): string | undefined {
	return count > 1 && !placesCall && !hasExpression(caller.getNode().parameters)
		? `Executed ${count} times with the same values, once for each item: Settings → Execute Once does it once.`
		: undefined;
}

/**
 * Returns the error that would stop all calls, such as a paused campaign, if an item is invalid. Otherwise the user would
 * correct the items first, and learn of it only then.
 */
async function errorForAll(
	run: Run,
	{ callerIdField }: Operation,
	callOf: Awaited<ReturnType<typeof readItems>>['callOf'],
): Promise<ServiceError | undefined> {
	const { agent, campaign } = run.caller.getNode().parameters;
	// With an expression, each item may have another agent or campaign.
	if (callerIdField === undefined || hasExpression(callerIdField === 'agentId' ? agent : campaign)) {
		return undefined;
	}
	const callerId = callOf(0, run.connection.testCallsOnly)[CALLER_IDS[callerIdField]];
	if (typeof callerId !== 'string') {
		return undefined;
	}
	const { errorForAllCalls } = await import('../callRules/checks.js');
	return await errorForAllCalls(createSharedApi(run), { [callerIdField]: callerId });
}

/** Fails the items whose agent variables lack a value. With On Error at Stop, one error then names all mistakes of a list. */
async function failWithoutVariables(operationRun: OperationRun): Promise<void> {
	if (hasAgentVariables(operationRun.operation)) {
		const { prepareVariables } = await import('../callRules/variables.js');
		for (const [itemIndex, error] of await prepareVariables(operationRun)) {
			if (error.code === MISSING_VARIABLES) {
				operationRun.items[itemIndex].state = failedBy(error);
			}
		}
	}
}

/** Whether an item has a mistake of its own: its error says nothing about the other items. */
function isInvalid({ state }: Item): boolean {
	return isFailed(state) && !state.isOfSettings && state.error.accepted === 'no' && !stopsOtherItems(state.error);
}

/** Whether an item has a mistake of its own, or a rule of the user holds it back. */
function isLeft(item: Item): boolean {
	return item.state.is === 'withheld' || isInvalid(item);
}

function hasAgentVariables({ fields }: Operation): boolean {
	return fields.some(({ key }) => key === 'agentVariables');
}

/** A part of a run that only some operations have. */
interface Phase {
	/**
	 * Runs before anything is sent, and settles items that must not be sent.
	 *
	 * @throws ServiceError if nothing may be sent
	 */
	prepare(): Promise<void>;
	/** Runs after the requests. */
	after?(): Promise<void>;
	/**
	 * Runs last. It may put the execution to sleep; then n8n outputs `items` if it ends the wait itself.
	 *
	 * @param items the output of the node
	 * @param hints shown above the output: while it sleeps, and when all calls are over
	 */
	finish?(items: INodeExecutionData[], hints: WaitHints): Promise<void>;
}

/** The phases in their order. Each begins when the previous ones are prepared. */
const phases: ReadonlyArray<{
	appliesTo(operation: Operation): boolean;
	begin(operationRun: OperationRun, calls: Calls): Promise<Phase>;
}> = [
	{
		appliesTo: () => true,
		begin: async (_operationRun, calls) => ({ prepare: async () => await calls.prepare() }),
	},
	{
		appliesTo: hasAgentVariables,
		begin: async (operationRun) => ({
			async prepare() {
				const { prepareVariables } = await import('../callRules/variables.js');
				for (const [itemIndex, error] of await prepareVariables(operationRun)) {
					failItem(operationRun, itemIndex, error);
				}
			},
		}),
	},
	{
		appliesTo: ({ waitsFor }) => waitsFor === 'calls',
		begin: async (operationRun) => new (await import('../waiting/callWait.js')).CallWait(operationRun),
	},
	{
		appliesTo: ({ waitsFor }) => waitsFor === 'campaigns',
		begin: async (operationRun) => new (await import('../waiting/campaignWait.js')).CampaignWait(operationRun),
	},
	// Last, so that the limits count only calls that no other phase takes out.
	{
		appliesTo: () => true,
		begin: async (_operationRun, calls) => ({ prepare: async () => await calls.planCalls() }),
	},
];

/**
 * Prepares the phases of an operation, sends its items, and runs what follows.
 *
 * @param invalid the item because of which nothing may be sent
 * @returns the phases that have begun
 */
async function runPhases(
	operationRun: OperationRun,
	book: CallBook,
	node: CallingNode,
	invalid: { itemIndex: number; error: ServiceError } | undefined,
): Promise<readonly Phase[]> {
	const { run, operation, items } = operationRun;
	const { stop, connection } = run;
	for (const { input } of readyItems(operationRun)) {
		const call = operation.callIn(input.values);
		input.call = call && { ...call, isTest: call.isTest || connection.testCallsOnly };
	}
	const calls = new Calls(operationRun, book, node);
	settleKnownItems(operationRun, calls);
	if (invalid !== undefined) {
		if (items.length > 1) {
			await failWithoutVariables(operationRun);
		}
		stop.all(notTried(invalid.error, invalid.itemIndex));
	}
	const begun: Phase[] = [];
	for (const { appliesTo, begin } of phases) {
		if (!stop.isForAll && appliesTo(operation)) {
			const phase = await begin(operationRun, calls);
			begun.push(phase);
			await orFailAll(operationRun, phase.prepare());
		}
	}
	do {
		await sendItems(operationRun, calls);
	} while (await orFailAll(operationRun, calls.planAgain()));
	for (const [itemIndex, item] of items.entries()) {
		// Requests of an earlier attempt are reported even if this attempt must not send anything.
		if (item.state.is !== 'done' && item.state.is !== 'unknown') {
			const reason = run.stop.reasonFor(item.input?.values ?? {});
			item.state = loggedState(run.log, itemIndex) ?? stateAfterChange(run.log, itemIndex, item, reason);
		}
	}
	for (const phase of begun) {
		if (!stop.isForAll) {
			await phase.after?.();
		}
	}
	return begun;
}

/** Waits for a step before items are sent. If it fails, so do all items that are left. @returns its result */
async function orFailAll<Result>(operationRun: OperationRun, step: Promise<Result>): Promise<Result | undefined> {
	const { value, error } = await toResult(step);
	if (error !== undefined) {
		for (const { itemIndex } of readyItems(operationRun)) {
			failItem(operationRun, itemIndex, error.with({ accepted: 'no' }));
		}
	}
	return value;
}

/** Settles the items whose calls an earlier attempt has sent: nothing is read or checked for them. */
function settleKnownItems(operationRun: OperationRun, calls: Calls): void {
	if (calls.book.isEmpty) {
		return;
	}
	// First the items that have called: items that share such a call copy their state.
	const indexes = [...operationRun.items.keys()];
	const called = new Set(indexes.filter((itemIndex) => calls.hasCalledFor(itemIndex)));
	for (const itemIndex of [...called, ...indexes.filter((one) => !called.has(one))]) {
		const known = calls.knownCallOf(itemIndex);
		if (known !== undefined) {
			settleItem(operationRun, itemIndex, knownState(operationRun, known, calls.wantedCallOf(itemIndex)));
		}
	}
}

/** Returns the error for a choice that does not exist, as in a workflow that was written by hand or by an AI model. */
function unknownChoice(what: string, parameter: string, choices: ReadonlyArray<{ value: string }>): ServiceError {
	const values = choices.map(({ value }) => value).join(', ');
	return new ServiceError(what, {
		code: 'INVALID_INPUT',
		advice: `Choose '${parameter}' again. In a workflow's JSON, use one of ${values}.`,
		accepted: 'no',
	});
}

/**
 * Returns the chosen operation, or the error if it does not exist.
 *
 * @throws NodeOperationError if a tool must not run it
 */
function chosenOperation(caller: IExecuteFunctions, resources: readonly Resource[]): Operation | ServiceError {
	const node = caller.getNode();
	if (isTool(node)) {
		try {
			assertSetByPerson(toolChoices, (parameter) => !hasExpression(node.parameters[parameter]));
		} catch (error) {
			throw asNodeError(node, error);
		}
	}
	const wanted = String(caller.getNodeParameter('resource', 0));
	const resource = resources.find(({ value }) => value === wanted);
	if (resource === undefined) {
		return unknownChoice(`There is no resource "${wanted}"`, 'Resource', resources);
	}
	const name = String(caller.getNodeParameter('operation', 0));
	const operation = resource.operations.find(({ value }) => value === name);
	if (operation === undefined) {
		return unknownChoice(`There is no operation "${name}" for "${wanted}"`, 'Operation', resource.operations);
	}
	if (isTool(node) && !operation.forTools) {
		throw asNodeError(node, notForTools(`'${operation.name}'`));
	}
	if (isTool(node) && readsArgumentsOfAnotherCall(caller)) {
		const what = 'Not sent: n8n passed this tool the arguments of another item';
		throw asNodeError(
			node,
			invalidInput(what, "Set 'Batch Size' of the AI Agent to 1, or use the newest version of the AI Agent node."),
		);
	}
	return operation;
}
