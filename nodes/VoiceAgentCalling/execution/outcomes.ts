import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asNodeError } from '../../shared/errors/nodeError';
import { ServiceError, sentences, unreadable } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { itemRanges } from '../../shared/lib/itemRanges';
import { failed, type ItemResult, ItemWithFile, type Outcome } from '../operation/items';
import type { Operation } from '../operation/operation';
import { NOT_TRIED, OUTCOME_UNKNOWN, outcomeUnknown } from '../sending/itemErrors';

/**
 * The outcome of an item for which an operation returned a value.
 *
 * @param answeredFromMemory marks the items with `alreadySent`
 * @returns an error where the value is not an item or a list of items
 */
export function outcomeOf(
	{ placesCall }: Operation,
	value: Awaited<ReturnType<Operation['run']>>,
	answeredFromMemory: boolean,
): Outcome {
	const items = [value].flat();
	if (!items.every(isRecord)) {
		const error = unreadable('without the data that belong there');
		return { error: placesCall ? outcomeUnknown(placesCall, error) : error };
	}
	return { items: answeredFromMemory ? items.map((item) => ({ ...item, alreadySent: true })) : items };
}

/**
 * The outcome of an item whose number another item called.
 *
 * @param earlier the outcome of `itemIndex`, which may have the call of yet another item
 */
export function sameCall(earlier: Outcome, itemIndex: number): Outcome {
	const { sameNumberAsItem = itemIndex } = earlier;
	if (!failed(earlier)) {
		const items = earlier.items.map((item) => ({ ...item, sameNumberAsItem }));
		return { items, sameNumberAsItem };
	}
	if (earlier.sameNumberAsItem !== undefined) {
		return earlier;
	}
	const { message, advice } = earlier.error;
	const what = `Not sent: item ${itemIndex} has the same number, and what became of it is not known. There: ${message}`;
	return { error: new ServiceError(what, { code: OUTCOME_UNKNOWN, advice, accepted: 'unknown' }), sameNumberAsItem };
}

/** What became of an item that failed. */
export function resultOf({ code }: ServiceError): ItemResult {
	if (code === NOT_TRIED) {
		return 'notTried';
	}
	return code === OUTCOME_UNKNOWN ? 'unknown' : 'failed';
}

/**
 * The output items of an input item, linked to it; none without an outcome.
 *
 * @param callOf returns the call that the item asked for, for an item that failed
 */
export function outputItems(
	caller: IExecuteFunctions,
	outcome: Outcome | undefined,
	itemIndex: number,
	callOf: (itemIndex: number) => IDataObject,
): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	if (outcome === undefined) {
		return [];
	}
	if (!failed(outcome)) {
		return outcome.items.map((item) =>
			item instanceof ItemWithFile ? { json: item.json, binary: item.binary, pairedItem } : { json: item, pairedItem },
		);
	}
	const { error } = outcome;
	const item: INodeExecutionData = {
		// Not `error`: on the first item, n8n would treat it as a failed run and retry the node.
		json: {
			result: resultOf(error),
			code: error.code,
			message: sentences(error.message, error.advice),
			httpStatus: error.httpStatus ?? null,
			...callOf(itemIndex),
			...existingCallIn(error),
		},
		pairedItem,
	};
	if (caller.getNode().onError === 'continueErrorOutput') {
		// n8n chooses the items for the error output by this property, copies them, and replaces the `json` of every
		// copy that has the property. It is not enumerable, so it is not copied.
		const value = asNodeError(caller.getNode(), error, itemIndex);
		Object.defineProperty(item, 'error', { value, enumerable: false });
	}
	return [item];
}

/** The call because of which the service did not queue another one. */
function existingCallIn({ body }: ServiceError): IDataObject {
	const existing = isRecord(body) ? body.existing_call : undefined;
	return isRecord(existing) ? { existing_call: existing as IDataObject } : {};
}

/** The error that ends the run. @param first the index of the first failed item; the results of all items are added */
export function stoppingError(caller: IExecuteFunctions, outcomes: ReadonlyArray<Outcome | undefined>, first: number) {
	const cause = outcomes[first];
	return asNodeError(
		caller.getNode(),
		failed(cause) ? cause.error : undefined,
		first,
		outcomes.length > 1 ? resultsInWords(outcomes) : '',
	);
}

/** What became of an item, in words. */
function stateOf(outcome: Outcome | undefined): string {
	if (outcome === undefined) {
		return 'Not tried';
	}
	const words: Record<ItemResult, string> = {
		failed: 'Not done',
		unknown: 'Outcome unknown',
		notTried: 'Not tried',
	};
	return failed(outcome) ? words[resultOf(outcome.error)] : 'Done';
}

/** The results of all items in one line: "Items: Done: 0-4. Not done: 5." */
export function resultsInWords(outcomes: ReadonlyArray<Outcome | undefined>): string {
	const indexesByState: Record<string, number[]> = { Done: [], 'Outcome unknown': [], 'Not done': [], 'Not tried': [] };
	outcomes.forEach((outcome, itemIndex) => {
		indexesByState[stateOf(outcome)].push(itemIndex);
	});
	const states = Object.entries(indexesByState)
		.filter(([, indexes]) => indexes.length > 0)
		.map(([state, indexes]) => `${state}: ${itemRanges(indexes)}.`);
	return `Items: ${states.join(' ')}`;
}

/** Says which items share the call of another one; undefined if none does. */
export function sharedInWords(outcomes: ReadonlyArray<Outcome | undefined>): string | undefined {
	const sharing = [...outcomes.keys()].filter((itemIndex) => outcomes[itemIndex]?.sameNumberAsItem !== undefined);
	if (sharing.length === 0) {
		return undefined;
	}
	return `Items with the number of another item, which share its call: ${itemRanges(sharing)}. Their own variables and metadata were not sent. To call for each item, add 'Repeated Number' to Options.`;
}
