import type { IDataObject } from 'n8n-workflow';

import { type ServiceError, toResult } from '../../shared/errors/serviceError';
import { failed, type ItemInput, type ItemOutcome } from '../operation/items';
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

/** What {@link sendItems} works on. */
export interface BatchOptions extends Omit<OperationRun, 'startedAt'> {
	/** n8n's context of the execution. */
	context: IDataObject;
	/** Whether the run continues after an item fails. */
	continueOnFail: boolean;
	/** Whether an item has failed already, after which nothing may be sent. */
	stopped: boolean;
}

/**
 * Processes the items in order, several at a time, and sets their outcomes. An item that is skipped because of another
 * one gets the error `NOT_TRIED`; after a stop or a cancellation it gets no outcome.
 */
export async function sendItems(options: BatchOptions): Promise<void> {
	await new Batch(options).sendAll();
}

/** The items of a run while they are sent. */
class Batch {
	private readonly options: BatchOptions;

	/** Whether no further item may be sent. */
	private stopped: boolean;

	/** Which items are not to be sent after others have failed. */
	private readonly skipRules: SkipRule[] = [];

	/** For each item that shares the call of another one, the item before it. */
	private readonly itemBefore: ReadonlyMap<number, number>;

	/** By item. Another item may need the outcome, too. */
	private readonly outcomeByItem = new Map<number, Promise<ItemOutcome | undefined>>();

	/** Thrown for an item that is no longer to be sent. A module-wide error would keep the data of a run in its stack. */
	private readonly withdrawn = canceled();

	constructor(options: BatchOptions) {
		this.options = options;
		this.stopped = options.stopped;
		this.itemBefore = sharedCalls(options);
	}

	async sendAll(): Promise<void> {
		const { run, items, isCanceled } = this.options;
		let next = 0;
		await concurrently(run.pace, () => {
			// After a stop, continue if an earlier try sent items: they must not be reported as not tried.
			if (next === items.length || (!run.sent.hasEarlier && (this.stopped || isCanceled()))) {
				return undefined;
			}
			const itemIndex = next++;
			return this.process(itemIndex).then((outcome) => {
				items[itemIndex].outcome = outcome;
			});
		});
	}

	/** Processes an item once, also if several items need its outcome. */
	private async process(itemIndex: number): Promise<ItemOutcome | undefined> {
		const { input, outcome } = this.options.items[itemIndex];
		if (input === undefined) {
			return outcome;
		}
		const processed = this.outcomeByItem.get(itemIndex) ?? this.callOnce(itemIndex, input);
		this.outcomeByItem.set(itemIndex, processed);
		return await processed;
	}

	/** Sends an item, unless it was called before, or another item called the same number: then both share that call. */
	private async callOnce(itemIndex: number, input: ItemInput): Promise<ItemOutcome | undefined> {
		const known = this.calledOtherwise(itemIndex, input);
		if (known !== undefined) {
			this.stopped ||= failed(known) && !this.options.continueOnFail;
			return known;
		}
		const other = this.itemBefore.get(itemIndex);
		const earlier = other === undefined ? undefined : await this.process(other);
		// If the other call was not sent or not accepted, this item calls the number.
		if (other === undefined || !earlier || wasNotAccepted(earlier)) {
			return await this.send(itemIndex, input);
		}
		return sameCall(earlier, other);
	}

	/** What an earlier try of this execution brought for an item, if its values make another call now. */
	private calledOtherwise(itemIndex: number, { values }: ItemInput): ItemOutcome | undefined {
		const { run, operation } = this.options;
		const earlier = run.sent.callSentEarlier(itemIndex, false);
		const call = operation.callIn(values);
		const isSame = earlier === undefined || (call && SentRequests.identityOf(call)) === earlier.identity;
		const outcome = isSame ? undefined : earlierOutcome(run.sent, itemIndex);
		if (!failed(outcome)) {
			return outcome;
		}
		const advice = `${outcome.error.advice} Its agent, campaign or number was another one then.`;
		return { ...outcome, error: outcome.error.with({ advice }), hadOtherValues: true };
	}

	private async send(itemIndex: number, { values, local, callLimits }: ItemInput): Promise<ItemOutcome | undefined> {
		const { run, operation, context } = this.options;
		const call = operation.callIn(values);
		const api = createApi({
			run,
			itemIndex,
			repeat: operation.repeat,
			placesCall: operation.placesCall,
			call,
			budget: callLimits && new CallBudget(run.caller, context, callLimits),
			throwIfUnwanted: (begun) => this.throwIfUnwanted(values, begun),
		});
		const { value, error } = await toResult(operation.run(api, values, local));
		if (error === this.withdrawn) {
			return undefined;
		}
		if (error instanceof Withheld) {
			return withheldOutcome(error, api.progress.isTestCall);
		}
		const outcome: ItemOutcome = error
			? { error: errorOf(error, values, operation, api), isTest: api.progress.isTestCall }
			: outcomeOf(operation, value, call, values.context, api.progress);
		if (failed(outcome)) {
			this.afterFailure(itemIndex, values, api, outcome.error);
		}
		return outcome;
	}

	/** Decides what an error of an item means for the other items and for the next try. */
	private afterFailure(itemIndex: number, values: ItemInput['values'], api: Api, error: ServiceError): void {
		const { operation, continueOnFail } = this.options;
		if (error.code === OUTCOME_UNKNOWN) {
			api.setUnknown();
		}
		this.stopped ||= !continueOnFail;
		const rule = skipRuleAfter(error, itemIndex, values, operation);
		if (rule && !this.skipRules.some(({ appliesTo }) => appliesTo(values))) {
			this.skipRules.push(rule);
		}
	}

	/** @throws ServiceError where a request of an item must not be sent. @param begun whether the item has sent one already */
	private throwIfUnwanted(values: ItemInput['values'], begun: boolean): void {
		const isCanceled = this.options.isCanceled();
		if (isCanceled && begun) {
			throw canceled();
		}
		if (isCanceled || (this.stopped && !begun)) {
			throw this.withdrawn;
		}
		const rule = begun ? undefined : this.skipRules.find(({ appliesTo }) => appliesTo(values));
		if (rule) {
			throw rule.error;
		}
	}
}

/** Whether it is certain that there is no call. */
function wasNotAccepted(outcome: ItemOutcome): boolean {
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
export function sharedCalls({
	run,
	operation,
	items,
}: Pick<BatchOptions, 'run' | 'operation' | 'items'>): Map<number, number> {
	const indexesByCall = new Map<string, number[]>();
	for (const [itemIndex, { input }] of items.entries()) {
		const wanted = input && operation.callIn(input.values);
		const call =
			run.sent.callSentEarlier(itemIndex, !input) ??
			(wanted && {
				identity: SentRequests.identityOf(wanted),
				isTest: wanted.isTest || run.connection.testCallsOnly,
			});
		if (call === undefined || input?.local.repeatedNumber === 'callEachTime') {
			continue;
		}
		const key = `${call.identity} ${call.isTest}`;
		const indexes = indexesByCall.get(key) ?? [];
		indexes.push(itemIndex);
		indexesByCall.set(key, indexes);
	}
	const before = new Map<number, number>();
	for (const indexes of indexesByCall.values()) {
		const wasSent = (itemIndex: number) => run.sent.earlierItems.has(itemIndex);
		const ordered = [...indexes.filter(wasSent), ...indexes.filter((itemIndex) => !wasSent(itemIndex))];
		ordered.slice(1).forEach((itemIndex, index) => {
			before.set(itemIndex, ordered[index]);
		});
	}
	return before;
}

/** The error of an item, with the editor's field names. After a request, an unexpected error proves nothing. */
function errorOf(error: ServiceError, values: ItemInput['values'], operation: Operation, { progress }: Api) {
	const isUnknown = error.code === 'UNEXPECTED' && progress.mayHaveActed && operation.callIn(values) !== undefined;
	return inEditorsNames(isUnknown ? outcomeUnknown(true, error) : error, operation);
}
