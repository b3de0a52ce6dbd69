import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { existingCallIn } from '../../shared/client/forms';
import { mayPass, NOT_TRIED, outcomeUnknown } from '../../shared/client/itemErrors';
import type { RequestLog } from '../../shared/client/requestLog';
import type { ItemProgress } from '../../shared/client/requests';
import { asNodeError } from '../../shared/errors/nodeError';
import { ServiceError, sentences, unreadable } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/json';
import { isoOf } from '../../shared/lib/time';
import { itemJson } from '../../shared/outputJson';
import { withoutResumeTokens } from '../../shared/triggerSecrets/resumeToken';
import { type BookedCall, isUnknown, type Known, type WantedCall } from '../callRules/book';
import { MISSING_VARIABLES } from '../callRules/findings';
import { CALLER_IDS, type Call } from '../operation/call';
import { type CallResult, failedBy, type Item, type ItemResult, type ItemState, isFailed } from '../operation/items';
import type { Operation } from '../operation/operation';
import type { OperationRun } from '../operation/operationRun';

/** The output of an item that an earlier attempt has sent. */
const ALREADY_SENT = { alreadySent: true };

/**
 * The state of an item for which an operation returned a value.
 *
 * @param call the call that the item asked for; undefined if it asked for none
 * @param context the metadata that was sent with the call
 * @returns an error where the value is not an item or a list of items
 */
export function doneState(
	{ placesCall }: Operation,
	value: Awaited<ReturnType<Operation['run']>>,
	call: Call | undefined,
	context: unknown,
	{ usedLoggedResponse }: Readonly<ItemProgress>,
): ItemState {
	const items = [value].flat();
	if (!items.every(isRecord)) {
		const error = unreadable('without the data that belong there');
		return failedBy(placesCall ? outcomeUnknown(placesCall, error) : error);
	}
	if (call === undefined) {
		const marked = usedLoggedResponse ? items.map((item) => ({ ...item, ...ALREADY_SENT })) : items;
		return { is: 'done', items: marked, sentEarlier: usedLoggedResponse };
	}
	// If Already Queued: Skip returns no item.
	const result = items.length === 0 ? 'alreadyQueued' : ((items[0] as IDataObject).result as CallResult);
	// The service does not promise to say whether a call that was there before is a test call.
	const { is_testing: wasTest } = (items[0] ?? {}) as IDataObject;
	const isTest = result !== 'alreadyQueued' ? call.isTest : typeof wasTest === 'boolean' ? wasTest : undefined;
	// First in a table, in the same order as in {@link outputItems}.
	const first = { result, to: call.to, message: null, code: null };
	// Not replaced by fields of the service.
	const marks = { result, isTest: isTest ?? null };
	return {
		is: 'done',
		items: items.map((item) => ({ ...first, ...marks, ...metadataOf(result, context), ...item, ...marks })),
		result,
		isTest,
	};
}

/** The metadata of a call, as an item that failed has it. That of a call that was there before is not known. */
function metadataOf(result: CallResult, context: unknown): IDataObject {
	return result !== 'alreadyQueued' && isRecord(context)
		? { context: withoutResumeTokens(context) as IDataObject }
		: {};
}

/** The state of an item whose call the book has. */
export function knownState(
	{ items }: Pick<OperationRun, 'items'>,
	known: Known,
	call: WantedCall | undefined,
): ItemState {
	const { entry } = known;
	const context = call && items[call.item].input?.values.context;
	if (known.is === 'own' || call === undefined) {
		const hadOtherValues = known.is === 'own' && known.hadOtherValues;
		return isUnknown(entry)
			? unknownState(entry, hadOtherValues)
			: bookedState(entry, hadOtherValues ? {} : { to: call?.to, context });
	}
	return known.is === 'blocked'
		? { is: 'notTried', error: blockedBy(entry, call), isTest: call.isTest, mayRing: true }
		: sameCall(items, entry, call);
}

function unknownState({ group }: BookedCall, valuesChanged: boolean): ItemState {
	const error = outcomeUnknown(true);
	const other = ' Its agent, campaign or number was another one then.';
	return {
		is: 'unknown',
		error: valuesChanged ? error.with({ advice: error.advice + other }) : error,
		isTest: group.isTest,
		valuesChanged,
	};
}

/** The state of an item whose call an earlier attempt has sent. @param values those of the call, if they are known */
function bookedState(
	entry: BookedCall,
	{ to, context }: { to?: string; context?: unknown },
): Extract<ItemState, { is: 'done' }> {
	const { id, group, isExisting, startsAt } = entry;
	const accepted: CallResult = group.ownerField === 'campaignId' ? 'queued' : 'placed';
	const result = isExisting ? 'alreadyQueued' : accepted;
	const isTest = isExisting ? undefined : group.isTest;
	const item = {
		result,
		...(to !== undefined && { to }),
		message: null,
		code: null,
		...(group.ownerField !== undefined && group.owner !== '' && { [CALLER_IDS[group.ownerField]]: group.owner }),
		isTest: isTest ?? null,
		...metadataOf(result, context),
		...(id !== '' && { id }),
		...(!isExisting && ALREADY_SENT),
	};
	// If Already Queued: Skip returns no item.
	const items = isExisting && id === '' ? [] : [item];
	return { is: 'done', items, result, isTest, sentEarlier: !isExisting, startsAt };
}

/** The state of an item whose phone was called for another item, or in an earlier run of a tool. */
function sameCall(items: readonly Item[], entry: BookedCall, call: WantedCall): ItemState {
	const index = entry.givenTo ?? entry.item;
	const state = call.isTool ? undefined : items[index]?.state;
	const result: CallResult = 'sameNumber';
	if (state?.is === 'done') {
		const { sameNumberAsItem = index, isTest } = state;
		const message = `Not sent: item ${sameNumberAsItem} has the same number, and both share its call.`;
		const shared = state.items.map((item) => ({ ...item, result, message, sameNumberAsItem }));
		return { is: 'done', items: shared, result, sameNumberAsItem, isTest };
	}
	const message = call.isTool
		? 'Not called again: this number was called before in this run of the workflow. This is that call.'
		: 'Not sent: this run has called the number before. This is that call.';
	const booked = bookedState(entry, { to: call.to });
	return { ...booked, items: booked.items.map((item) => ({ ...item, result, message })), result };
}

/** The error of an item that is not sent because nobody knows whether its phone was called. */
function blockedBy({ item, group, run }: BookedCall, call: WantedCall): ServiceError {
	const isHere = group.node === call.node && run === call.run;
	const who = isHere ? `item ${item}` : `'${group.node}'`;
	return new ServiceError(`Not tried: ${who} may have called this number, and its outcome is unknown`, {
		code: NOT_TRIED,
		advice: 'The phone may be ringing. Check the calls in the service before you place this one.',
		accepted: 'no',
	});
}

/**
 * The state of an item of which only a request of an earlier attempt is known, because the item is invalid now or must
 * not be processed.
 *
 * @returns undefined if no earlier attempt sent a request that must not be repeated
 */
export function loggedState(log: RequestLog, itemIndex: number): ItemState | undefined {
	const earlier = log.sentEarlier(itemIndex);
	if (earlier === undefined) {
		return undefined;
	}
	const { answer } = earlier;
	if (answer === undefined) {
		return { is: 'unknown', error: outcomeUnknown(false) };
	}
	const found = [answer.data, answer].filter(isRecord).find(({ id }) => id !== undefined);
	return { is: 'done', items: [{ ...found, ...ALREADY_SENT }], sentEarlier: true };
}

/** What became of an item, as its output says it; `done` for one that places no call and did not fail. */
export function resultOf(state: ItemState): ItemResult | 'done' {
	switch (state.is) {
		case 'ready':
			return 'notTried';
		case 'withheld':
			return state.reason.result;
		case 'done':
			return state.result ?? 'done';
		default:
			return state.error.code === MISSING_VARIABLES ? 'notReady' : state.is;
	}
}

/**
 * The output items of an input item, linked to it.
 *
 * @param givenCallOf returns the call that the item asked for, for an item that was not sent; empty if it asked for none
 */
export function outputItems(
	caller: IExecuteFunctions,
	state: ItemState,
	itemIndex: number,
	givenCallOf: () => IDataObject,
): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	if (state.is === 'ready') {
		return [];
	}
	if (state.is === 'done') {
		return state.items.map((json) => ({ json: itemJson(json), pairedItem }));
	}
	const { isTest } = state;
	const { message, advice, code } = state.is === 'withheld' ? state.reason : state.error;
	const error = isFailed(state) ? state.error : undefined;
	const existing_call = existingCallIn(error?.body);
	const given = givenCallOf();
	const { to, ...call } = isFailed(state) && state.valuesChanged ? {} : given;
	const asksForCall = Object.keys(given).length > 0;
	const item: INodeExecutionData = {
		json: itemJson({
			result: resultOf(state),
			...(to !== undefined && { to }),
			message: sentences(message, advice),
			code,
			httpStatus: error?.httpStatus ?? null,
			...(asksForCall && { nextAllowedAt: nextAllowedAt(state) }),
			...call,
			...(isTest !== undefined && { isTest }),
			...(existing_call && { existing_call }),
			...error?.report,
		}),
		pairedItem,
	};
	if (error && caller.getNode().onError === 'continueErrorOutput') {
		// n8n chooses the items for the error output by this property, copies them, and replaces the `json` of every
		// copy that has the property. It is not enumerable, so it is not copied. n8n 1 sets it to undefined.
		const value = asNodeError(caller.getNode(), error, itemIndex);
		Object.defineProperty(item, 'error', { value, enumerable: false, writable: true });
	}
	return [item];
}

/** When another run may call an item that was not called: now if the reason can pass at any time; null for never. */
function nextAllowedAt(state: Exclude<ItemState, { is: 'done' | 'ready' }>): string | null {
	const now = isoOf(Date.now());
	if (state.is === 'withheld') {
		const { nextAllowedAt: next = now } = state.reason;
		return next;
	}
	return state.is !== 'unknown' && !state.mayRing && mayPass(state.error) ? now : null;
}

/** What to do where only some of the items can be read. */
const GO_ON = "To send the other items, set 'On Error' to Continue in the Settings of the node.";

/**
 * The error that ends the run, with the results of all items.
 *
 * @param results of all items, from `describeResults`
 * @param invalid the first item that is invalid: it may have the call of an earlier attempt now
 */
export function stoppingError(
	caller: IExecuteFunctions,
	items: readonly Item[],
	results: string,
	invalid: { itemIndex: number; error: ServiceError } | undefined,
) {
	const errors = items.flatMap(({ state }, itemIndex) =>
		isFailed(state) ? [{ itemIndex, error: state.error, isCause: state.is !== 'notTried' }] : [],
	);
	const cause = errors.find(({ isCause }) => isCause) ?? invalid ?? errors[0];
	const isAll = items.length === 1 && errors.length === 1;
	const isPartly = invalid !== undefined && items.some(({ state, input }) => input !== undefined || !isFailed(state));
	const said = isPartly ? `${results} ${GO_ON}` : results;
	return asNodeError(caller.getNode(), cause?.error, cause?.itemIndex, isAll ? '' : said);
}
