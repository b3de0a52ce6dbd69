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

/** What {@link sendItems} needs. */
export interface Job {
	run: Run;
	operation: Operation;
	inputs: ReadonlyArray<ItemInput | ServiceError>;
	outcomes: Array<Outcome | undefined>;
	/** n8n's context of the node: it lasts as long as the execution. */
	context: IDataObject;
	/** How many items are processed at a time. */
	atATime: number;
	/** Whether the run continues after an item has failed. */
	goOn: boolean;
	isCancelled(): boolean;
}

/** Thrown for an item that is not sent any more. */
const withdrawn = canceled();

/**
 * Fills in the missing outcomes in the order of the items, several at a time. An item that is not tried because of
 * another one gets an outcome that says so; with On Error set to stop, or canceled, it gets none.
 */
export async function sendItems(job: Job): Promise<void> {
	const { run, operation, inputs, outcomes, context, goOn, isCancelled } = job;
	const skipRules: SkipRule[] = [];
	const calls = new Map<string, { itemIndex: number; outcome: Promise<Outcome | undefined> }>();
	let stopped = false;

	const assertWanted = (values: Record<string, unknown>, begun: boolean) => {
		if (isCancelled() && begun) {
			throw canceled();
		}
		if (isCancelled() || (stopped && !begun)) {
			throw withdrawn;
		}
		const rule = begun ? undefined : skipRules.find(({ appliesTo }) => appliesTo(values));
		if (rule) {
			throw rule.error;
		}
	};

	const send = async (itemIndex: number, { values, local, maxCalls }: ItemInput): Promise<Outcome | undefined> => {
		const api = createApi({
			run,
			itemIndex,
			repeat: operation.repeat,
			placesCall: operation.placesCall,
			budget: maxCalls === undefined ? undefined : new CallBudget(context, maxCalls),
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
			stopped ||= !goOn;
			const rule = skipRuleAfter(outcome.error, itemIndex, values, operation);
			if (rule && !skipRules.some(({ appliesTo }) => appliesTo(values))) {
				skipRules.push(rule);
			}
		}
		return outcome;
	};

	/** Sends, unless an earlier item called the number: its call is then this item's call too. */
	const callOnce = async (itemIndex: number, input: ItemInput): Promise<Outcome | undefined> => {
		const { calledBy } = operation;
		if (calledBy === undefined || input.local.repeatedNumber === 'callEachTime') {
			return await send(itemIndex, input);
		}
		const call = JSON.stringify([input.values[calledBy], input.values.to]);
		const earlier = calls.get(call);
		const outcome = (async () => {
			const first = await earlier?.outcome;
			// If the earlier item certainly called nobody, this one calls the number.
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
		// After a stop, items that an earlier try sent must not be reported as not tried.
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
	const isUnclear = error.code === 'UNEXPECTED' && operation.placesCall && hasSent;
	return inEditorsNames(isUnclear ? outcomeUnknown(true, error) : error, operation);
}
