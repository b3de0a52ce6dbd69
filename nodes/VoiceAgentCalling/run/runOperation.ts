import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { canceled, notTried } from '../../shared/client/itemErrors';
import { Pace } from '../../shared/client/pace';
import { RequestLog } from '../../shared/client/requestLog';
import { type Run, RunStop, SharedReads } from '../../shared/client/run';
import { connect } from '../../shared/client/transport';
import { asNodeError, isTool, notForTools } from '../../shared/errors/nodeError';
import { asServiceError, invalid as invalidInput, ServiceError, toResult } from '../../shared/errors/serviceError';
import { hasExpression } from '../../shared/lib/expressions';
import { readsArgumentsOfAnotherCall, runAgainIfCanceled, runIndexOf } from '../../shared/n8nInternals';
import { CallBook, type Known } from '../callRules/book';
import { type CallingNode, Calls } from '../callRules/calls';
import { BlockedNumbers } from '../fields/blockedNumbers';
import { assertSetByPerson, toolChoices } from '../fields/toolLimits';
import { isFailed } from '../operation/items';
import type { Operation, Resource } from '../operation/operation';
import { failItem, type OperationRun, readyItems, settleItem } from '../operation/operationRun';
import { describeResults, describeRun, isNothingDone } from './describe';
import { contextOf } from './executionContext';
import { knownState, loggedState, outputItems, stoppingError } from './outcomes';
import { type Phase, phases } from './phases';
import { readItems } from './readItems';
import { sendItems } from './sendItems';

/**
 * Runs the selected operation for all input items: validates all items first, so that nothing is sent if one is
 * invalid.
 *
 * With On Error set to stop, no new request is sent after the first item that fails. Requests in flight are awaited and
 * stored; the error lists the items that are done, unknown and not tried.
 *
 * @returns the output items, linked to their input items
 * @throws NodeOperationError or NodeApiError where the run ends with an error
 */
export async function runOperation(
	caller: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(caller, resources);
	if (operation instanceof ServiceError) {
		// n8n would pass the input on, as if it were done.
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
	const ended = node.isTool ? () => {} : runAgainIfCanceled(caller);
	try {
		const output = await processItems(caller, operation, node, { log, book });
		log.clear();
		hasEnded = true;
		return [output];
	} finally {
		ended();
		if (!hasEnded) {
			log.keepForRetry();
			book.setFailed(node);
		}
		book.tidy();
	}
}

/** The node, as the calls of the execution name it. */
function callingNode(caller: IExecuteFunctions): CallingNode {
	const node = caller.getNode();
	return {
		credential: String(node.credentials?.voiceAgentCallingApi?.id),
		node: node.name,
		run: runIndexOf(caller),
		isTool: isTool(node),
	};
}

/** The calls of the execution, or why they cannot be read. */
function bookOf(flow: IDataObject, executionId: string): CallBook | ServiceError {
	try {
		return CallBook.of(flow, executionId);
	} catch (error) {
		return asServiceError(error, 'no');
	}
}

/** The output if no item can be processed. @throws NodeOperationError unless the node continues after errors */
function allFailed(caller: IExecuteFunctions, error: ServiceError): INodeExecutionData[] {
	if (!caller.continueOnFail()) {
		throw asNodeError(caller.getNode(), error);
	}
	const state = { is: 'failed' as const, error };
	return caller.getInputData().flatMap((_item, itemIndex) => outputItems(caller, state, itemIndex, () => ({})));
}

const noteOf = (list: unknown) => (list instanceof BlockedNumbers && list.note !== undefined ? [list.note] : []);

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
	const { items, sending, rootMode, callOf } = await readItems(caller, operation, () => stop.isCanceled);
	const continueOnFail = caller.continueOnFail();
	const maxConcurrentRequests = sending.maxConcurrentRequests || undefined;
	const pace = new Pace({ ...sending, maxConcurrentRequests, maxWaitSeconds: sending.maxWait });
	const lists = new Set(items.map(({ input }) => input?.local.blockedNumbers));
	const notes = new Set([...lists].flatMap(noteOf));
	const { value: connection, error: notConnected } = await toResult(connect(caller));
	// A tool begins to count its items anew in each run.
	const hasCalled = () => node.isTool && book.count(node.credential, true) > 0;
	const results = () => describeResults(items, operation, hasCalled());
	const [invalid] = items.flatMap(({ state }, itemIndex) =>
		isFailed(state) ? [{ itemIndex, error: state.error }] : [],
	);
	if (invalid !== undefined && !continueOnFail) {
		stop.all(notTried(invalid.error, invalid.itemIndex));
	}
	let startedPhases: readonly Phase[] = [];
	if (connection === undefined) {
		const error = notConnected.with({ code: 'INVALID_INPUT', accepted: 'no' });
		for (const [itemIndex, item] of items.entries()) {
			const entry = node.isTool ? undefined : book.ownOf({ ...node, item: itemIndex });
			const known = entry && knownState({ items }, { is: 'own', entry, hadOtherValues: true }, undefined);
			item.state = known ?? (item.state.is === 'ready' ? { is: 'failed', error } : item.state);
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
			notes,
			timeoutSeconds: sending.requestTimeout,
			maxWaitSeconds: sending.maxWait,
			cache: new SharedReads(),
		};
		startedPhases = await runPhases({ run, operation, items, startedAt, rootMode, continueOnFail }, book, node);
	}
	if (stop.isCanceled) {
		throw asNodeError(caller.getNode(), canceled(results()));
	}
	if (!continueOnFail && (invalid !== undefined || items.some(({ state }) => isFailed(state)))) {
		throw stoppingError(caller, items, results(), invalid);
	}
	const output = items.flatMap(({ state }, itemIndex) =>
		outputItems(caller, state, itemIndex, () => callOf(itemIndex, connection?.testCallsOnly)),
	);
	const hints = [describeRun(items, operation, pace, hasCalled()), ...notes].filter((hint) => hint !== undefined);
	// A tool has no hints in the oldest n8n. The call is placed by now: an error would deny it.
	caller.addExecutionHints?.(...hints.map((message) => ({ message })));
	for (const phase of startedPhases) {
		await phase.finish?.(output, hints);
	}
	return output;
}

/** Prepares the phases of an operation, sends its items, and does what follows. @returns the phases that have begun */
async function runPhases(operationRun: OperationRun, book: CallBook, node: CallingNode): Promise<readonly Phase[]> {
	const { run, operation, items } = operationRun;
	const { stop, connection } = run;
	for (const { input } of readyItems(operationRun)) {
		const call = operation.callIn(input.values);
		input.call = call && { ...call, isTest: call.isTest || connection.testCallsOnly };
	}
	const calls = new Calls(operationRun, book, node);
	tellWhatIsKnown(operationRun, calls);
	const begun: Phase[] = [];
	for (const { appliesTo, begin } of phases) {
		if (!stop.isForAll && appliesTo(operation)) {
			const phase = await begin(operationRun, calls);
			begun.push(phase);
			const { error } = await toResult(phase.prepare());
			if (error !== undefined) {
				for (const { itemIndex } of readyItems(operationRun)) {
					failItem(operationRun, itemIndex, error.with({ accepted: 'no' }));
				}
			}
		}
	}
	await sendItems(operationRun, calls);
	for (const [itemIndex, item] of items.entries()) {
		// What an earlier attempt has sent is told even if this one must not send anything.
		if (item.state.is !== 'done' && item.state.is !== 'unknown') {
			item.state = loggedState(run.log, itemIndex) ?? item.state;
		}
	}
	for (const phase of begun) {
		if (!stop.isForAll) {
			await phase.after?.();
		}
	}
	return begun;
}

/** Sets the states of the items whose calls an earlier attempt has sent: nothing is read or checked for them. */
function tellWhatIsKnown(operationRun: OperationRun, calls: Calls): void {
	if (calls.book.isEmpty) {
		return;
	}
	const known = operationRun.items.map((_item, itemIndex) => calls.knownFor(itemIndex));
	// Items that share a call have the state of the item that it is given back to.
	const isOwn = (one: Known | undefined) => one?.is === 'own';
	const ordered = [...known.entries()].sort(([, one], [, other]) => Number(isOwn(other)) - Number(isOwn(one)));
	for (const [itemIndex, one] of ordered) {
		if (one !== undefined) {
			settleItem(operationRun, itemIndex, knownState(operationRun, one, calls.wantedBy(itemIndex)));
		}
	}
}

/** An error for a choice that does not exist, as in a workflow that was written by hand or by an AI model. */
function noChoice(what: string, parameter: string, choices: ReadonlyArray<{ value: string }>): ServiceError {
	const values = choices.map(({ value }) => value).join(', ');
	return new ServiceError(what, {
		code: 'INVALID_INPUT',
		advice: `Choose '${parameter}' again. In a workflow's JSON, use one of ${values}.`,
		accepted: 'no',
	});
}

/** The operation that the user has chosen, or why there is none. @throws NodeOperationError if a tool must not run it */
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
		return noChoice(`There is no resource "${wanted}"`, 'Resource', resources);
	}
	const name = String(caller.getNodeParameter('operation', 0));
	const operation = resource.operations.find(({ value }) => value === name);
	if (operation === undefined) {
		return noChoice(`There is no operation "${name}" for "${wanted}"`, 'Operation', resource.operations);
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
