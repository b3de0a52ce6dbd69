import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isTool, notForTools } from '../../shared/errors/aiTool';
import { asNodeError } from '../../shared/errors/nodeError';
import { ServiceError, toResult } from '../../shared/errors/serviceError';
import { connect } from '../../shared/service/transport';
import { failed, type Outcome } from '../operation/items';
import type { Operation, Resource } from '../operation/operation';
import { canceled } from '../sending/itemErrors';
import { Pace } from '../sending/pace';
import { SentRequests } from '../sending/sentRequests';
import { SharedReads } from '../sending/sharedReads';
import type { Waiting } from '../waiting/wait';
import { outputItems, resultsInWords, stoppingError } from './outcomes';
import { readItems } from './readItems';
import { sendItems } from './sendItems';
import { inWords, summaryOf } from './summary';

/**
 * Runs the chosen operation for all input items: reads and checks them all, so that nothing is sent when one is
 * invalid, then sends.
 *
 * With On Error set to stop, nothing new is sent after the first item that fails. Requests in flight are awaited and
 * remembered; the error then names what is done, unknown and not tried.
 */
export async function runOperation(
	caller: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[][]> {
	const startedAt = Date.now();
	const operation = chosenOperation(caller, resources);
	const isCancelled = () => caller.getExecutionCancelSignal()?.aborted ?? false;
	const { inputs, sending } = await readItems(caller, operation, isCancelled);
	const goOn = caller.continueOnFail();
	const outcomes: Array<Outcome | undefined> = inputs.map((input) =>
		input instanceof ServiceError ? { error: input } : undefined,
	);
	const context = caller.getContext('node');
	const sent = new SentRequests(context, Number(caller.getWorkflowDataProxy(0).$runIndex));
	const pace = new Pace({ ...sending, maxWaitSeconds: sending.maxWait });
	const notes = new Set<string>();
	let waiting: Waiting | undefined;
	if (goOn || !outcomes.some(failed)) {
		const { value: connection, error: unusable } = await toResult(connect(caller));
		if (unusable !== undefined) {
			throw asNodeError(caller.getNode(), unusable);
		}
		const run = {
			caller,
			connection,
			pace,
			sent,
			notes,
			timeoutSeconds: sending.requestTimeout,
			maxWaitSeconds: sending.maxWait,
			remembered: new SharedReads(),
		};
		const atATime = sending.maxConcurrentRequests;
		if (operation.waits) {
			const { Waiting: Waits } = await import('../waiting/wait.js');
			waiting = new Waits({ run, operation, inputs, outcomes, startedAt, isCancelled });
			await waiting.prepare();
		}
		if (goOn || !outcomes.some(failed)) {
			await sendItems({ run, operation, inputs, outcomes, context, atATime, goOn, isCancelled });
		}
		if (goOn || !outcomes.some(failed)) {
			await waiting?.placed();
		}
	}
	const first = outcomes.findIndex(failed);
	if (isCancelled() || (first !== -1 && !goOn)) {
		sent.keepForNextTry();
		if (!isCancelled()) {
			throw stoppingError(caller, outcomes, first);
		}
		throw asNodeError(caller.getNode(), canceled(resultsInWords(outcomes)));
	}
	const items = outcomes.flatMap((outcome, itemIndex) => outputItems(caller, outcome, itemIndex));
	if (sending.summary !== 'none') {
		const summary = summaryOf(outcomes, operation, pace, startedAt);
		notes.add(inWords(summary));
		if (sending.summary === 'item') {
			items.push({ json: { summary } });
		}
	}
	caller.addExecutionHints(...[...notes].map((message) => ({ message })));
	await waiting?.putToWait(items);
	// If the first item has a field `error` of the service's own, n8n may treat the run as failed and try it again.
	if (items[0]?.json.error === undefined) {
		sent.forget();
	}
	return [items];
}

function chosenOperation(caller: IExecuteFunctions, resources: readonly Resource[]): Operation {
	const resource = caller.getNodeParameter('resource', 0);
	const name = caller.getNodeParameter('operation', 0);
	const operation = resources.find(({ value }) => value === resource)?.operations.find(({ value }) => value === name);
	if (operation === undefined) {
		const error = new ServiceError(`There is no operation "${String(name)}" for "${String(resource)}"`, {
			code: 'INVALID_INPUT',
			advice: "Choose 'Resource' and 'Operation' again.",
			accepted: 'no',
		});
		throw asNodeError(caller.getNode(), error);
	}
	if (isTool(caller.getNode()) && !operation.forTools) {
		throw asNodeError(caller.getNode(), notForTools(`'${operation.name}'`));
	}
	return operation;
}
