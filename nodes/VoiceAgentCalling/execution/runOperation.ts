import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isTool, notForTools } from '../../shared/errors/aiTool';
import { asNodeError } from '../../shared/errors/nodeError';
import { invalid, ServiceError, toResult } from '../../shared/errors/serviceError';
import { hasExpression } from '../../shared/lib/hasExpression';
import { readsArgumentsOfAnotherCall, runAgainIfCanceled, runIndexOf } from '../../shared/lib/n8nInternals';
import { connect } from '../../shared/service/transport';
import { BlockedNumbers } from '../fields/blockedNumbers';
import { assertSetByPerson, toolChoices } from '../fields/toolLimits';
import { failed } from '../operation/items';
import type { Operation, Resource } from '../operation/operation';
import { type OperationRun, refuseItem } from '../operation/operationRun';
import { canceled } from '../sending/itemErrors';
import { Pace } from '../sending/pace';
import type { Run } from '../sending/run';
import { SentRequests } from '../sending/sentRequests';
import { SharedReads } from '../sending/sharedReads';
import { contextOf } from './executionContext';
import { earlierOutcome, outputItems, stoppingError } from './outcomes';
import { type Phase, phases } from './phases';
import { readItems } from './readItems';
import { type BatchOptions, sendItems } from './sendItems';
import { resultsInWords, summaryOf } from './summary';

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
	const sent = new SentRequests(
		contextOf(caller, 'node'),
		runIndexOf(caller),
		caller.getExecutionId(),
		caller.getNode().name,
		contextOf(caller, 'flow'),
	);
	let hasEnded = false;
	const ended = isTool(caller.getNode()) ? () => {} : runAgainIfCanceled(caller);
	try {
		const output = await processItems(caller, operation, sent);
		sent.forget();
		hasEnded = true;
		return [output];
	} finally {
		ended();
		if (!hasEnded) {
			sent.markFailed();
		}
	}
}

/** The output if no item can be processed. @throws NodeOperationError unless the node continues after errors */
function allFailed(caller: IExecuteFunctions, error: ServiceError): INodeExecutionData[] {
	if (!caller.continueOnFail()) {
		throw asNodeError(caller.getNode(), error);
	}
	return caller.getInputData().flatMap((_item, itemIndex) => outputItems(caller, { error }, itemIndex, () => ({})));
}

const noteOf = (list: unknown) => (list instanceof BlockedNumbers && list.note !== undefined ? [list.note] : []);

/** Runs an operation for all input items. @param sent what earlier tries have sent */
async function processItems(
	caller: IExecuteFunctions,
	operation: Operation,
	sent: SentRequests,
): Promise<INodeExecutionData[]> {
	const startedAt = Date.now();
	const isCanceled = () => caller.getExecutionCancelSignal()?.aborted ?? false;
	const { items, sending, callOf } = await readItems(caller, operation, isCanceled);
	const continueOnFail = caller.continueOnFail();
	for (const [itemIndex, item] of items.entries()) {
		item.outcome = item.refusal && (earlierOutcome(sent, itemIndex) ?? { error: item.refusal });
	}
	const hasInvalid = items.some(({ refusal }) => refusal !== undefined);
	const context = contextOf(caller, 'flow');
	const maxConcurrentRequests = sending.maxConcurrentRequests || undefined;
	const pace = new Pace({ ...sending, maxConcurrentRequests, maxWaitSeconds: sending.maxWait });
	const lists = new Set(items.map(({ input }) => input?.local.blockedNumbers));
	const notes = new Set([...lists].flatMap(noteOf));
	let begun: readonly Phase[] = [];
	const outcomes = () => items.map(({ outcome }) => outcome);
	const mayContinue = () => continueOnFail || !(hasInvalid || outcomes().some(failed));
	const complete = (error?: ServiceError) => {
		for (const [itemIndex, item] of items.entries()) {
			item.outcome ??= earlierOutcome(sent, itemIndex) ?? (error && { error });
		}
	};
	const results = () => resultsInWords(outcomes(), operation, sent.hasEarlier);
	const { value: connection, error: connectError } =
		mayContinue() || sent.hasEarlier ? await toResult(connect(caller)) : {};
	if (connectError !== undefined) {
		complete(continueOnFail ? connectError.with({ code: 'INVALID_INPUT', accepted: 'no' }) : undefined);
		if (!continueOnFail && !hasInvalid) {
			throw asNodeError(caller.getNode(), connectError, undefined, sent.hasEarlier ? results() : '');
		}
	}
	if (connection !== undefined) {
		const run: Run = {
			caller,
			connection,
			pace,
			sent,
			notes,
			timeoutSeconds: sending.requestTimeout,
			maxWaitSeconds: sending.maxWait,
			remembered: new SharedReads(),
		};
		const operationRun = { run, operation, items, startedAt, isCanceled };
		begun = await carryOut(operationRun, { context, continueOnFail, mayContinue, complete });
	}
	if (isCanceled()) {
		complete();
		throw asNodeError(caller.getNode(), canceled(results()));
	}
	if (!mayContinue()) {
		complete();
		throw stoppingError(caller, items, results());
	}
	const output = items.flatMap(({ outcome }, itemIndex) =>
		outputItems(caller, outcome, itemIndex, () => callOf(itemIndex, connection?.testCallsOnly)),
	);
	const summary = summaryOf(outcomes(), operation, pace);
	const hints = [...(summary === undefined ? [] : [summary]), ...notes];
	// A tool has no hints in the oldest n8n. The call is placed by now: an error would deny it.
	caller.addExecutionHints?.(...hints.map((message) => ({ message })));
	for (const phase of begun) {
		await phase.finish?.(output);
	}
	return output;
}

/** How a run ends early. */
interface Ending extends Pick<BatchOptions, 'context' | 'continueOnFail'> {
	/** Whether anything more may be sent. */
	mayContinue(): boolean;
	/** Sets the outcomes that are missing: what an earlier try has sent, or else the error. */
	complete(error?: ServiceError): void;
}

/** Prepares the phases of an operation, sends its items, and does what follows. @returns the phases that have begun */
async function carryOut(
	operationRun: OperationRun,
	{ context, continueOnFail, mayContinue, complete }: Ending,
): Promise<readonly Phase[]> {
	const { run, operation, items, isCanceled } = operationRun;
	const begun: Phase[] = [];
	for (const { appliesTo, begin } of phases) {
		if (mayContinue() && appliesTo(operation)) {
			const phase = await begin(operationRun);
			begun.push(phase);
			const { error } = await toResult(phase.prepare());
			if (error !== undefined) {
				const notPrepared = error.with({ accepted: 'no' });
				complete(notPrepared);
				for (const item of items) {
					refuseItem(item, item.refusal ?? notPrepared, item.outcome);
				}
			}
		}
	}
	// What an earlier try has sent is told even if this one must not send anything.
	if (mayContinue() || run.sent.hasEarlier) {
		await sendItems({ ...operationRun, context, continueOnFail, stopped: !mayContinue() });
	}
	for (const phase of begun) {
		if (mayContinue() && !isCanceled()) {
			await phase.after?.();
		}
	}
	return begun;
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
			invalid(what, "Set 'Batch Size' of the AI Agent to 1, or use the newest version of the AI Agent node."),
		);
	}
	return operation;
}
