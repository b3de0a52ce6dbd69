import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asNodeError } from '../../shared/errors/nodeError';
import { ServiceError, sentences, unreadable } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { withoutTickets } from '../../shared/nodeLink/ticket';
import { existingCallIn } from '../../shared/service/forms';
import { failed, type Item, type ItemOutcome, type ItemResult } from '../operation/items';
import type { Call, Operation } from '../operation/operation';
import { Withheld } from '../operation/withheld';
import { OUTCOME_UNKNOWN, outcomeUnknown } from '../sending/itemErrors';
import type { ItemProgress } from '../sending/requests';
import type { SentRequests } from '../sending/sentRequests';
import { resultOf } from './results';

/**
 * The outcome of an item for which an operation returned a value. Items whose request an earlier try has sent are marked
 * with `alreadySent`.
 *
 * @param call the call that the item asked for; undefined if it asked for none
 * @param context the metadata that was sent with the call
 * @returns an error where the value is not an item or a list of items
 */
export function outcomeOf(
	{ placesCall }: Operation,
	value: Awaited<ReturnType<Operation['run']>>,
	call: Call | undefined,
	context: unknown,
	{ answeredFromMemory, isTestCall }: Readonly<ItemProgress>,
): ItemOutcome {
	const items = [value].flat();
	if (!items.every(isRecord)) {
		const error = unreadable('without the data that belong there');
		return { error: placesCall ? outcomeUnknown(placesCall, error) : error };
	}
	const memory = answeredFromMemory && { alreadySent: true };
	if (call === undefined) {
		return { items: memory ? items.map((item) => ({ ...item, ...memory })) : items, sentEarlier: answeredFromMemory };
	}
	// If Already Queued: Skip returns no item.
	const result = items.length === 0 ? 'alreadyQueued' : ((items[0] as IDataObject).result as ItemResult);
	// The service does not promise to say whether a call that was there before is a test call.
	const { is_testing: wasTest } = (items[0] ?? {}) as IDataObject;
	const isTest = result !== 'alreadyQueued' ? isTestCall : typeof wasTest === 'boolean' ? wasTest : undefined;
	// First in a table, in the same order as in {@link outputItems}.
	const first = { result, to: call.to, message: null, code: null };
	// Not replaced by fields of the service.
	const marks = { result, isTest: isTest ?? null };
	// As an item that failed has it. What a call that was there before was sent with is not known.
	const metadata = result !== 'alreadyQueued' &&
		isRecord(context) && { context: withoutTickets(context) as IDataObject };
	return {
		items: items.map((item) => ({ ...first, ...marks, ...metadata, ...item, ...marks, ...memory })),
		result,
		isTest,
		sentEarlier: answeredFromMemory,
	};
}

/**
 * The outcome of an item of which only the request of an earlier try is known, because the item is invalid now or must
 * not be processed.
 *
 * @returns undefined if no earlier try sent a request that must not be repeated
 */
export function earlierOutcome(sent: SentRequests, itemIndex: number): ItemOutcome | undefined {
	const earlier = sent.sentEarlier(itemIndex);
	if (earlier === undefined) {
		return undefined;
	}
	const { answer, refusal, isTest } = earlier;
	const body = answer ?? refusal?.body;
	const objects = body && [body.campaign_call, body.existing_call, body.data, body].filter(isRecord);
	const found = objects?.find(({ id }) => id !== undefined);
	const placesCall = isTest !== undefined;
	if (body === undefined || (placesCall && found === undefined)) {
		return { error: outcomeUnknown(placesCall), isTest };
	}
	const item = { ...found, alreadySent: true };
	if (!placesCall) {
		return { items: [item], sentEarlier: true };
	}
	const accepted: ItemResult = isRecord(body.campaign_call) ? 'queued' : 'placed';
	const result = refusal ? 'alreadyQueued' : accepted;
	return {
		items: [{ result, ...(found?.to !== undefined && { to: found.to }), message: null, code: null, isTest, ...item }],
		result,
		isTest,
		sentEarlier: true,
	};
}

/**
 * The outcome of an item whose number another item called.
 *
 * @param earlier the outcome of `itemIndex`, which may have the call of yet another item
 */
export function sameCall(earlier: ItemOutcome, itemIndex: number): ItemOutcome {
	const { sameNumberAsItem = itemIndex } = earlier;
	if (!failed(earlier)) {
		const result: ItemResult = 'sameNumber';
		const message = `Not sent: item ${sameNumberAsItem} has the same number, and both share its call.`;
		const items = earlier.items.map((item) => ({ ...item, result, message, sameNumberAsItem }));
		return { items, result, sameNumberAsItem, isTest: earlier.isTest };
	}
	if (earlier.sameNumberAsItem !== undefined) {
		return earlier;
	}
	const { message, advice } = earlier.error;
	const what = `Not sent: item ${itemIndex} has the same number, and its outcome is unknown. ${message}`;
	const error = new ServiceError(what, { code: OUTCOME_UNKNOWN, advice, accepted: 'unknown' });
	return { error, sameNumberAsItem, isTest: earlier.isTest };
}

/**
 * The output items of an input item, linked to it; none without an outcome.
 *
 * @param givenCallOf returns the call that the item asked for, for an item that failed; empty if it asked for none
 */
export function outputItems(
	caller: IExecuteFunctions,
	outcome: ItemOutcome | undefined,
	itemIndex: number,
	givenCallOf: () => IDataObject,
): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	if (outcome === undefined) {
		return [];
	}
	const notSent = failed(outcome) ? outcome.error : outcome.withheld;
	if (!failed(outcome) && notSent === undefined) {
		return outcome.items.map((json) => ({ json, pairedItem }));
	}
	const { isTest } = outcome;
	const error = notSent as ServiceError;
	const existing_call = existingCallIn(error.body);
	const { to, ...call } = failed(outcome) && outcome.hadOtherValues ? {} : givenCallOf();
	const item: INodeExecutionData = {
		// Not `error`: on the first item, n8n would treat it as a failed run and retry the node.
		json: {
			result: resultOf(error),
			...(to !== undefined && { to }),
			message: sentences(error.message, error.advice),
			code: error.code,
			httpStatus: error.httpStatus ?? null,
			...(error instanceof Withheld && error.nextAllowedAt !== undefined && { nextAllowedAt: error.nextAllowedAt }),
			...call,
			...(isTest !== undefined && { isTest }),
			...(existing_call && { existing_call }),
			...error.report,
		},
		pairedItem,
	};
	if (failed(outcome) && caller.getNode().onError === 'continueErrorOutput') {
		// n8n chooses the items for the error output by this property, copies them, and replaces the `json` of every
		// copy that has the property. It is not enumerable, so it is not copied. n8n 1 sets it to undefined.
		const value = asNodeError(caller.getNode(), error, itemIndex);
		Object.defineProperty(item, 'error', { value, enumerable: false, writable: true });
	}
	return [item];
}

/** The outcome of a call that was not sent, because the user's rules do not allow it. It is not a failure. */
export function withheldOutcome(withheld: Withheld, isTest?: boolean): ItemOutcome {
	return { items: [], result: withheld.result, withheld, isTest };
}

/** What to do where only some of the items can be read. */
const GO_ON = "To send the other items, set 'On Error' to Continue in the Settings of the node.";

/**
 * The error that ends the run, with the results of all items.
 *
 * @param results of all items, from `resultsInWords`
 */
export function stoppingError(caller: IExecuteFunctions, items: readonly Item[], results: string) {
	const errors = items.map(({ outcome }) => (failed(outcome) ? outcome.error : undefined));
	const first = errors.findIndex((error) => error !== undefined);
	// An item that is invalid now and was called by an earlier try has this call as outcome.
	const invalid = items.findIndex(({ refusal }) => refusal !== undefined && !(refusal instanceof Withheld));
	const [index, cause] = first === -1 ? [invalid, items[invalid].refusal] : [first, errors[first]];
	const isAll = items.length === 1 && first === 0;
	const isPartly = invalid !== -1 && items.some(({ refusal }) => refusal === undefined);
	const said = isPartly ? `${results} ${GO_ON}` : results;
	return asNodeError(caller.getNode(), cause, index, isAll ? '' : said);
}
