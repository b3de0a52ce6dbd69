import type { IDataObject } from 'n8n-workflow';

import { attempt, ServiceError } from '../../shared/errors/serviceError';
import type { ItemInput } from '../operation/items';
import { failed, type Outcome } from '../operation/items';
import { type Operation } from '../operation/operation';
import type { Api } from '../sending/api';
import { createApi } from '../sending/api';
import { CallBudget } from '../sending/callBudget';
import { canceled, outcomeUnknown } from '../sending/itemErrors';
import type { Run } from '../sending/run';
import { inEditorsNames } from './fieldNames';
import { outcomeOf, sameCall } from './outcomes';
import { type Stop, stopAfter } from './stops';

/** What {@link sendItems} needs. */
export interface Job {
	run: Run;
	operation: Operation;
	inputs: ReadonlyArray<ItemInput | ServiceError>;
	outcomes: Array<Outcome | undefined>;
	/** n8n's context of the node: it lasts as long as the execution. */
	context: IDataObject;
	/** How many items are worked on at a time. */
	atATime: number;
	/** Whether an item that does not work out leaves the others alone. */
	goOn: boolean;
	isCancelled(): boolean;
}

/** Thrown to take back an item of which the service has taken nothing. */
const withdrawn = canceled();

/**
 * Fills in the outcomes that are still missing, in the order of the items, some at a time. What is not tried because of
 * another item gets an outcome that says so; with On Error set to stop, or cancelled, it gets none.
 */
export async function sendItems(job: Job): Promise<void> {
	const { run, operation, inputs, outcomes, context, goOn, isCancelled } = job;
	const stops: Stop[] = [];
	const calls = new Map<string, { itemIndex: number; outcome: Promise<Outcome | undefined> }>();
	let stopped = false;

	const assertWanted = (values: Record<string, unknown>, begun: boolean) => {
		if (isCancelled() && begun) {
			throw canceled();
		}
		if (isCancelled() || (stopped && !begun)) {
			throw withdrawn;
		}
		const stop = begun ? undefined : stops.find(({ appliesTo }) => appliesTo(values));
		if (stop) {
			throw stop.error;
		}
	};

	const send = async (itemIndex: number, { values, local, maxCalls }: ItemInput): Promise<Outcome | undefined> => {
		const api = createApi({
			run,
			itemIndex,
			repeat: operation.repeat,
			spends: operation.spends,
			budget: maxCalls === undefined ? undefined : new CallBudget(context, maxCalls),
			assertWanted: (begun) => assertWanted(values, begun),
		});
		const { value, error } = await attempt(operation.run(api, values, local));
		if (error === withdrawn) {
			return undefined;
		}
		const outcome = error
			? { error: errorOf(error, operation, api) }
			: outcomeOf(operation, value, api.answeredFromMemory);
		if (failed(outcome)) {
			stopped ||= !goOn;
			const stop = stopAfter(outcome.error, itemIndex, values, operation);
			if (stop && !stops.some(({ appliesTo }) => appliesTo(values))) {
				stops.push(stop);
			}
		}
		return outcome;
	};

	/** Sends, unless an earlier item has called the number: then its call is this item's call, too. */
	const callOnce = async (itemIndex: number, input: ItemInput): Promise<Outcome | undefined> => {
		const { calledBy } = operation;
		if (calledBy === undefined || input.local.repeatedNumber === 'callEachTime') {
			return await send(itemIndex, input);
		}
		const call = JSON.stringify([input.values[calledBy], input.values.to]);
		const earlier = calls.get(call);
		const outcome = (async () => {
			const first = await earlier?.outcome;
			// What certainly called nobody leaves the number to this item.
			if (!earlier || !first || (failed(first) && first.error.taken === 'no')) {
				return await send(itemIndex, input);
			}
			return sameCall(first, (failed(first) ? undefined : first.sameNumberAsItem) ?? earlier.itemIndex);
		})();
		calls.set(call, { itemIndex, outcome });
		return await outcome;
	};

	let next = 0;
	const work = async () => {
		// Of the items that come after a stop, those that an earlier try has sent are not to be told as untried.
		while (next < inputs.length && (run.sent.hasEarlier || (!stopped && !isCancelled()))) {
			const itemIndex = next++;
			const input = inputs[itemIndex];
			if (!(input instanceof ServiceError)) {
				outcomes[itemIndex] = await callOnce(itemIndex, input);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(job.atATime, inputs.length) }, work));
}

/** The error of an item, in the editor's words. After a request was sent, something unexpected proves nothing. */
function errorOf(error: ServiceError, operation: Operation, { hasSent }: Api): ServiceError {
	const isUnclear = error.code === 'UNEXPECTED' && operation.spends && hasSent;
	return inEditorsNames(isUnclear ? outcomeUnknown(true, error) : error, operation);
}
