import type { IDataObject } from 'n8n-workflow';

import { ServiceError, toResult } from '../../shared/errors/serviceError';
import { failed, type ItemInput, type Outcome } from '../operation/items';
import type { Operation } from '../operation/operation';
import { type Api, createApi } from '../sending/api';
import { CallBudget } from '../sending/callBudget';
import { canceled, outcomeUnknown } from '../sending/itemErrors';
import type { Run } from '../sending/run';
import { inEditorsNames } from './fieldNames';
import { outcomeOf, sameCall } from './outcomes';
import { type SkipRule, skipRuleAfter } from './skipRules';

/** The input of {@link sendItems}. */
export interface Job {
	run: Run;
	operation: Operation;
	inputs: ReadonlyArray<ItemInput | ServiceError>;
	/** By item index; {@link sendItems} fills in the missing ones. */
	outcomes: Array<Outcome | undefined>;
	/** n8n's context of the node, which lasts as long as the execution. */
	context: IDataObject;
	/** How many items are processed at the same time. */
	concurrency: number;
	/** Whether the run continues after an item fails. */
	continueOnFail: boolean;
	isCanceled(): boolean;
}

/** Thrown for an item that is no longer to be sent. */
const withdrawn = canceled();

/**
 * Processes the items without an outcome in order, several at a time, and sets their outcomes. An item that is skipped
 * because of another one gets the error `NOT_TRIED`; after a stop or a cancellation it gets no outcome.
 */
export async function sendItems(job: Job): Promise<void> {
	const { run, operation, inputs, outcomes, context, continueOnFail, isCanceled } = job;
	const skipRules: SkipRule[] = [];
	const calls = new Map<string, { itemIndex: number; outcome: Promise<Outcome | undefined> }>();
	let stopped = false;

	const assertWanted = (values: Record<string, unknown>, begun: boolean) => {
		if (isCanceled() && begun) {
			throw canceled();
		}
		if (isCanceled() || (stopped && !begun)) {
			throw withdrawn;
		}
		const rule = begun ? undefined : skipRules.find(({ appliesTo }) => appliesTo(values));
		if (rule) {
			throw rule.error;
		}
	};

	const send = async (itemIndex: number, { values, local, callLimits }: ItemInput): Promise<Outcome | undefined> => {
		const api = createApi({
			run,
			itemIndex,
			repeat: operation.repeat,
			placesCall: operation.placesCall,
			budget: callLimits && new CallBudget(run.caller, context, callLimits),
			assertWanted: (begun) => assertWanted(values, begun),
		});
		const { value, error } = await toResult(operation.run(api, values, local));
		if (error === withdrawn) {
			return undefined;
		}
		const outcome = error
			? { error: errorOf(error, operation, api) }
			: outcomeOf(operation, value, api.answeredFromMemory);
		if (failed(outcome)) {
			stopped ||= !continueOnFail;
			const rule = skipRuleAfter(outcome.error, itemIndex, values, operation);
			if (rule && !skipRules.some(({ appliesTo }) => appliesTo(values))) {
				skipRules.push(rule);
			}
		}
		return outcome;
	};

	/** Sends an item, unless an earlier item called the same number: then both share that call. */
	const callOnce = async (itemIndex: number, input: ItemInput): Promise<Outcome | undefined> => {
		const { calledBy } = operation;
		if (calledBy === undefined || input.local.repeatedNumber === 'callEachTime') {
			return await send(itemIndex, input);
		}
		const call = JSON.stringify([input.values[calledBy], input.values.to]);
		const earlier = calls.get(call);
		const outcome = (async () => {
			const first = await earlier?.outcome;
			// If the service did not accept the earlier call, this item calls the number.
			if (!earlier || !first || (failed(first) && first.error.accepted === 'no')) {
				return await send(itemIndex, input);
			}
			return sameCall(first, (failed(first) ? undefined : first.sameNumberAsItem) ?? earlier.itemIndex);
		})();
		calls.set(call, { itemIndex, outcome });
		return await outcome;
	};

	let next = 0;
	const work = async () => {
		// After a stop, continue if an earlier try sent items: they must not be reported as not tried.
		while (next < inputs.length && (run.sent.hasEarlier || (!stopped && !isCanceled()))) {
			const itemIndex = next++;
			const input = inputs[itemIndex];
			if (!(input instanceof ServiceError)) {
				outcomes[itemIndex] = await callOnce(itemIndex, input);
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(job.concurrency, inputs.length) }, work));
}

/** The error of an item, with the editor's field names. After a request, an unexpected error proves nothing. */
function errorOf(error: ServiceError, operation: Operation, { hasSent }: Api): ServiceError {
	const isUnknown = error.code === 'UNEXPECTED' && operation.placesCall && hasSent;
	return inEditorsNames(isUnknown ? outcomeUnknown(true, error) : error, operation);
}
