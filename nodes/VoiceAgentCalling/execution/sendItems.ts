import type { IDataObject } from 'n8n-workflow';

import { ServiceError, toResult } from '../../shared/errors/serviceError';
import { failed, type ItemInput, type Outcome } from '../operation/items';
import type { Operation } from '../operation/operation';
import type { OperationRun } from '../operation/operationRun';
import { Withheld } from '../operation/withheld';
import { type Api, createApi } from '../sending/api';
import { CallBudget } from '../sending/callBudget';
import { concurrently } from '../sending/concurrently';
import { canceled, OUTCOME_UNKNOWN, outcomeUnknown } from '../sending/itemErrors';
import { SentRequests } from '../sending/sentRequests';
import { inEditorsNames } from './fieldNames';
import { earlierOutcome, outcomeOf, sameCall, withheldOutcome } from './outcomes';
import { type SkipRule, skipRuleAfter } from './skipRules';

/** The input of {@link sendItems}, which fills in the missing outcomes. */
export interface Job extends Omit<OperationRun, 'startedAt'> {
	/** n8n's context of the node, which lasts as long as the execution. */
	context: IDataObject;
	/** Whether the run continues after an item fails. */
	continueOnFail: boolean;
	/** Whether an item has failed already, after which nothing may be sent. */
	stopped: boolean;
}

/**
 * Processes the items without an outcome in order, several at a time, and sets their outcomes. An item that is skipped
 * because of another one gets the error `NOT_TRIED`; after a stop or a cancellation it gets no outcome.
 */
export async function sendItems(job: Job): Promise<void> {
	const { run, operation, inputs, outcomes, context, continueOnFail, isCanceled } = job;
	// Thrown for an item that is no longer to be sent. Outside this function its stack would keep the data of a run in memory.
	const withdrawn = canceled();
	const skipRules: SkipRule[] = [];
	const sharing = sharedCalls(job);
	const processed = new Map<number, Promise<Outcome | undefined>>();
	let { stopped } = job;

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
		const call = operation.callIn(values);
		const api = createApi({
			run,
			itemIndex,
			repeat: operation.repeat,
			placesCall: operation.placesCall,
			call,
			budget: callLimits && new CallBudget(run.caller, context, callLimits),
			assertWanted: (begun) => assertWanted(values, begun),
		});
		const { value, error } = await toResult(operation.run(api, values, local));
		if (error === withdrawn) {
			return undefined;
		}
		if (error instanceof Withheld) {
			return withheldOutcome(error, api.progress.isTestCall);
		}
		const outcome: Outcome = error
			? { error: errorOf(error, values, operation, api), isTest: api.progress.isTestCall }
			: outcomeOf(operation, value, call, values.context, api.progress);
		if (failed(outcome)) {
			if (outcome.error.code === OUTCOME_UNKNOWN) {
				api.setUnknown();
			}
			stopped ||= !continueOnFail;
			const rule = skipRuleAfter(outcome.error, itemIndex, values, operation);
			if (rule && !skipRules.some(({ appliesTo }) => appliesTo(values))) {
				skipRules.push(rule);
			}
		}
		return outcome;
	};

	/** What an earlier try of this execution brought for an item, if its values make another call now. */
	const calledOtherwise = (itemIndex: number, { values }: ItemInput): Outcome | undefined => {
		const earlier = run.sent.callSentEarlier(itemIndex, false);
		const call = operation.callIn(values);
		const isSame = earlier === undefined || (call && SentRequests.identityOf(call)) === earlier.identity;
		const outcome = isSame ? undefined : earlierOutcome(run.sent, itemIndex);
		if (!failed(outcome)) {
			return outcome;
		}
		const advice = `${outcome.error.advice} Its agent, campaign or number was another one then.`;
		return { ...outcome, error: outcome.error.with({ advice }), hadOtherValues: true };
	};

	/** Sends an item, unless it was called before, or another item called the same number: then both share that call. */
	const callOnce = async (itemIndex: number, input: ItemInput): Promise<Outcome | undefined> => {
		const known = calledOtherwise(itemIndex, input);
		if (known !== undefined) {
			stopped ||= failed(known) && !continueOnFail;
			return known;
		}
		const other = sharing.get(itemIndex);
		const earlier = other === undefined ? undefined : await process(other);
		// If the other call was not sent or not accepted, this item calls the number.
		if (other === undefined || !earlier || wasNotAccepted(earlier)) {
			return await send(itemIndex, input);
		}
		return sameCall(earlier, other);
	};

	/** Processes an item once, also if several items need its outcome. */
	const process = async (itemIndex: number): Promise<Outcome | undefined> => {
		const input = inputs[itemIndex];
		if (input instanceof ServiceError) {
			return outcomes[itemIndex] ?? { error: input };
		}
		const outcome = processed.get(itemIndex) ?? callOnce(itemIndex, input);
		processed.set(itemIndex, outcome);
		return await outcome;
	};

	let next = 0;
	await concurrently(run.pace, () => {
		// After a stop, continue if an earlier try sent items: they must not be reported as not tried.
		if (next === inputs.length || (!run.sent.hasEarlier && (stopped || isCanceled()))) {
			return undefined;
		}
		const itemIndex = next++;
		return process(itemIndex).then((outcome) => {
			outcomes[itemIndex] = outcome;
		});
	});
}

/** Whether it is certain that there is no call. */
function wasNotAccepted(outcome: Outcome): boolean {
	return failed(outcome) ? outcome.error.accepted === 'no' : outcome.withheld !== undefined;
}

/**
 * Finds the items that ask for the same call, which is placed once unless the user wants otherwise. A test call is no
 * replacement for a real call.
 *
 * In another try of the node, an item that an earlier try has called comes first, whatever its index: the service
 * refused the others. It counts with the number that was called, whatever its values are now.
 *
 * @returns for each item but the first one of a call, the item before it
 */
function sharedCalls({ run, operation, inputs }: Job): Map<number, number> {
	const itemsByCall = new Map<string, number[]>();
	inputs.forEach((input, itemIndex) => {
		const valid = input instanceof ServiceError ? undefined : input;
		const wanted = valid && operation.callIn(valid.values);
		const call =
			run.sent.callSentEarlier(itemIndex, !valid) ??
			(wanted && {
				identity: SentRequests.identityOf(wanted),
				isTest: wanted.isTest || run.connection.testCallsOnly,
			});
		if (call === undefined || valid?.local.repeatedNumber === 'callEachTime') {
			return;
		}
		const key = `${call.identity} ${call.isTest}`;
		const items = itemsByCall.get(key) ?? [];
		items.push(itemIndex);
		itemsByCall.set(key, items);
	});
	const before = new Map<number, number>();
	for (const items of itemsByCall.values()) {
		const wasSent = (itemIndex: number) => run.sent.earlierItems.has(itemIndex);
		const ordered = [...items.filter(wasSent), ...items.filter((itemIndex) => !wasSent(itemIndex))];
		ordered.slice(1).forEach((itemIndex, index) => {
			before.set(itemIndex, ordered[index]);
		});
	}
	return before;
}

/** The error of an item, with the editor's field names. After a request, an unexpected error proves nothing. */
function errorOf(error: ServiceError, values: ItemInput['values'], operation: Operation, { progress }: Api) {
	const isUnknown = error.code === 'UNEXPECTED' && progress.hasSent && operation.callIn(values) !== undefined;
	return inEditorsNames(isUnknown ? outcomeUnknown(true, error) : error, operation);
}
