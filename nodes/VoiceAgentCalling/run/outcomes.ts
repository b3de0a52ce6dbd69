// Turns what an operation returned for an item into its state, and the state into output items or the error that ends the
// run.

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { existingCallIn } from '../../shared/client/forms';
import { mayBeDone, mayPass, NOT_TRIED, outcomeUnknown } from '../../shared/client/itemErrors';
import type { RequestLog } from '../../shared/client/requestLog';
import type { ItemProgress } from '../../shared/client/requests';
import { asNodeError } from '../../shared/errors/nodeError';
import { ServiceError, sentences, unreadable, wholeAdvice } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/json';
import { sheetRow } from '../../shared/lib/text';
import { DAY_MS, isoOf, timeIn } from '../../shared/lib/time';
import { itemJson } from '../../shared/outputJson';
import { withoutResumeTokens } from '../../shared/triggerSecrets/resumeToken';
import { type BookedCall, isUnknown, type Known, type WantedCall } from '../callRules/bookEntries';
import { MISSING_VARIABLES } from '../callRules/findings';
import { CALLER_IDS, type Call } from '../operation/call';
import {
	type CallResult,
	failedBy,
	type Item,
	type ItemInput,
	type ItemResult,
	type ItemState,
	inColumnOrder,
	isFailed,
	NO_OUTCOME,
	NOT_KNOWN,
} from '../operation/items';
import type { Operation } from '../operation/operation';
import type { OperationRun } from '../operation/operationRun';

/** The results of a call that an item does not share. */
type OwnResult = Exclude<CallResult, 'sameNumber'>;

/** Marks the output of an item that an earlier attempt has sent. */
const ALREADY_SENT = { alreadySent: true };

const QUEUE_AGAIN = 'To queue one more call, set Options → If Already Queued to Queue Again.';

/** What an item says whose call an earlier attempt has sent with another credential. */
const ELSEWHERE = {
	message: 'Not called again: an earlier attempt has called with another credential.',
	advice: 'To call with this credential, too, start a new execution.',
};

/**
 * Returns the state of an item for which an operation returned a value.
 *
 * @param call the call that the item requested; undefined if the item does not place a call
 * @param values the values of the item
 * @param laterStart when the phone can ring at the earliest, in milliseconds since 1970, unless the response says it
 * @returns a failed state if the value is neither an item nor a list of items
 */
export function doneState(
	{ placesCall }: Operation,
	value: Awaited<ReturnType<Operation['run']>>,
	call: Call | undefined,
	values: ItemInput['values'],
	{ usedLoggedResponse }: Readonly<ItemProgress>,
	laterStart?: number,
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
	const result = items.length === 0 ? 'alreadyQueued' : ((items[0] as IDataObject).result as OwnResult);
	const { is_testing: wasTest, scheduled_at: scheduledAt } = (items[0] ?? {}) as IDataObject;
	// The service does not promise to report whether a call is a test call. If it does, its word counts.
	const requested = result === 'alreadyQueued' ? undefined : call.isTest;
	const isTest = typeof wasTest === 'boolean' ? wasTest : requested;
	const startsAt = timeIn(scheduledAt) ?? laterStart;
	const own = { to: call.to, ...valuesOf(values), ...textsOf(result, isTest, startsAt) };
	return {
		is: 'done',
		// The result is spread last, so that fields of the service do not replace it.
		items: items.map((item) => ({ ...own, ...item, result, isTest: isTest ?? null })),
		result,
		isTest,
		startsAt,
	};
}

/** Returns what an item says about its call, in the fields that an item without a call has as well. */
function textsOf(result: OwnResult, isTest: boolean | undefined, startsAt = 0): IDataObject {
	// A campaign calls a number later that it has called before.
	const when = startsAt > Date.now() + DAY_MS ? `, not before ${isoOf(startsAt)}` : '';
	const [message, advice = ''] = {
		placed: [isTest ? 'Test call placed.' : 'Call placed.'],
		queued: [`${isTest ? 'Test call' : 'Call'} queued${when}.`],
		alreadyQueued: ['Not queued: the campaign already has a call to this number.', QUEUE_AGAIN],
	}[result];
	return { message, code: '', advice };
}

/** Returns the metadata and the variables of an item, which tell people apart, also if its call was not sent. */
function valuesOf({ context, payload }: Partial<ItemInput['values']>): IDataObject {
	const own = isRecord(context) ? (withoutResumeTokens(context) as IDataObject) : {};
	return {
		...(Object.keys(own).length > 0 && { context: own }),
		...(isRecord(payload) && { payload: withoutResumeTokens(payload) as IDataObject }),
	};
}

/** Returns the state of an item whose call is in the book. */
export function knownState(
	{ items }: Pick<OperationRun, 'items'>,
	known: Known,
	call: WantedCall | undefined,
): ItemState {
	const { entry } = known;
	const values = (call && items[call.item].input?.values) ?? {};
	if (known.is === 'own' || call === undefined) {
		const valuesChanged = known.is === 'own' && known.valuesChanged;
		if (isUnknown(entry)) {
			return unknownState(entry, valuesChanged);
		}
		const state = bookedState(entry, valuesChanged ? {} : { to: call?.to, values });
		const isElsewhere = call !== undefined && entry.group.credential !== call.credential;
		return isElsewhere
			? { ...state, isElsewhere, items: state.items.map((item) => ({ ...item, ...ELSEWHERE })) }
			: state;
	}
	return known.is === 'mayBeRinging'
		? { is: 'notTried', error: mayBeRingingError(entry, call), isTest: call.isTest, mayRing: true }
		: sharedCallState(items, entry, call, values);
}

function unknownState({ group }: BookedCall, valuesChanged: boolean): ItemState {
	const error = outcomeUnknown(true);
	const other = ' The item had another agent, campaign or number then.';
	return {
		is: 'unknown',
		error: valuesChanged ? error.with({ advice: error.advice + other }) : error,
		isTest: group.isTest,
		valuesChanged,
	};
}

/** Returns the state of an item whose call an earlier attempt has sent. @param values of the item, as far as known */
function bookedState(
	entry: BookedCall,
	{ to, values = {} }: { to?: string; values?: ItemInput['values'] },
): Extract<ItemState, { is: 'done' }> {
	const { id, group, isExisting, startsAt } = entry;
	const accepted = group.ownerField === 'campaignId' ? 'queued' : 'placed';
	const result = isExisting ? 'alreadyQueued' : accepted;
	const isTest = isExisting ? undefined : group.isTest;
	const item = {
		...(to !== undefined && { to }),
		...valuesOf(values),
		...textsOf(result, isTest, startsAt),
		...(group.ownerField !== undefined && group.owner !== '' && { [CALLER_IDS[group.ownerField]]: group.owner }),
		...(id !== '' && { id }),
		...(!isExisting && ALREADY_SENT),
		result,
		isTest: isTest ?? null,
	};
	// If Already Queued: Skip returns no item.
	const items = isExisting && id === '' ? [] : [item];
	return { is: 'done', items, result, isTest, sentEarlier: !isExisting, startsAt };
}

/**
 * Returns the state of an item whose phone was called for another item, or in an earlier run of a tool. It has no
 * outcome: the call may be about another person who shares the phone.
 */
function sharedCallState(
	items: readonly Item[],
	entry: BookedCall,
	call: WantedCall,
	values: ItemInput['values'],
): Extract<ItemState, { is: 'done' }> {
	const index = entry.givenTo ?? entry.item;
	const first = call.isTool ? undefined : items[index]?.state;
	const booked = bookedState(entry, { to: call.to, values });
	const result: CallResult = 'sameNumber';
	if (call.isTool || first?.is !== 'done') {
		const message = call.isTool
			? 'Not called again: this number was called before in this run of the workflow. This is that call.'
			: 'Not sent: this run has called the number before. This is that call.';
		return { ...booked, items: booked.items.map((item) => ({ ...item, result, message })), result };
	}
	const { sameNumberAsItem = index, isTest } = first;
	const andAgain = call.ownerField === 'campaignId' ? ', and If Already Queued to Queue Again' : '';
	const [instead, advice] =
		first.result === 'alreadyQueued'
			? ['has a call in the campaign already', QUEUE_AGAIN]
			: ['was called instead', `To call for each item, set Options → Repeated Number to Call Each Time${andAgain}.`];
	const who = `Item ${sameNumberAsItem} (sheet row ${sheetRow(sameNumberAsItem)})`;
	const texts = { message: `${who} has the same number and ${instead}.`, advice };
	const item = ({ alreadySent, ...one }: IDataObject) => ({
		...one,
		...(first.sentEarlier && { alreadySent }),
		...texts,
		result,
		sameNumberAsItem,
	});
	const shared = first.items.length === 0 ? [] : booked.items.map(item);
	return { is: 'done', items: shared, result, sameNumberAsItem, isTest };
}

/** Returns the error of an item that is not sent because it is unknown whether its phone was called. */
function mayBeRingingError({ item, givenTo = item, group, run }: BookedCall, call: WantedCall): ServiceError {
	const isHere = group.node === call.node && run === call.run;
	const who = isHere ? `item ${givenTo}` : `'${group.node}'`;
	return new ServiceError(`Not tried: ${who} may have called this number, and its outcome is unknown`, {
		code: NOT_TRIED,
		advice: 'The phone may be ringing. Check the calls in the service before you place this one.',
		accepted: 'no',
	});
}

/**
 * Returns the state of an item that cannot be processed now, for example because it is invalid, but for which an
 * earlier attempt has sent a request.
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

/**
 * Returns the state of an item that was not processed. An earlier attempt may have changed something for it.
 *
 * @param reason why the run has stopped
 */
export function stateAfterChange(
	log: RequestLog,
	itemIndex: number,
	{ state }: Item,
	reason: ServiceError | undefined,
): ItemState {
	const change = log.changeOf(itemIndex);
	const error = isFailed(state) ? state.error : state.is === 'ready' ? reason : undefined;
	return error?.accepted === 'no' && change ? failedBy(mayBeDone(error, change)) : state;
}

/** Returns the `result` in the output of an item; `done` for an item that does not place a call and did not fail. */
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
 * Returns the output items of an input item, linked to it.
 *
 * @param givenCallOf returns the requested call of an item that was not sent; empty if the item does not place a call
 * @param operation undefined if it does not exist
 */
export function outputItems(
	caller: IExecuteFunctions,
	state: ItemState,
	itemIndex: number,
	givenCallOf: () => IDataObject,
	operation?: Operation,
): INodeExecutionData[] {
	const pairedItem = { item: itemIndex };
	if (state.is === 'ready') {
		return [];
	}
	if (state.is === 'done') {
		const isAccepted = state.result === 'placed' || state.result === 'queued';
		const noOutcome = operation?.waitsFor === 'calls' ? { outcome: isAccepted ? NOT_KNOWN : NO_OUTCOME } : {};
		return state.items.map((one) => {
			const json = state.result === undefined ? one : inColumnOrder({ ...noOutcome, ...one });
			return { json: itemJson(json), pairedItem };
		});
	}
	const { isTest } = state;
	const { message, code } = state.is === 'withheld' ? state.reason : state.error;
	const error = isFailed(state) ? state.error : undefined;
	const existing_call = existingCallIn(error?.body);
	const given = givenCallOf();
	const asksForCall = Object.keys(given).length > 0;
	const item: INodeExecutionData = {
		json: itemJson(
			inColumnOrder({
				...(isFailed(state) && state.valuesChanged ? {} : given),
				...(isTest !== undefined && { isTest }),
				result: resultOf(state),
				message: sentences(message),
				code,
				httpStatus: error?.httpStatus ?? null,
				...(asksForCall && { nextAllowedAt: nextAllowedAt(state) }),
				...(operation?.waitsFor === 'calls' && { outcome: state.is === 'unknown' ? NOT_KNOWN : NO_OUTCOME }),
				...(existing_call && { existing_call }),
				...error?.report,
				advice: state.is === 'withheld' ? state.reason.advice : wholeAdvice(state.error),
			}),
		),
		pairedItem,
	};
	if (error && caller.getNode().onError === 'continueErrorOutput') {
		// n8n selects the items for the error output by this property, copies them, and replaces the `json` of every copy
		// with the property. As it is not enumerable, the copies lack it and keep their `json`. n8n 1 sets it to undefined.
		const value = asNodeError(caller.getNode(), error, itemIndex);
		Object.defineProperty(item, 'error', { value, enumerable: false, writable: true });
	}
	return [item];
}

/** Returns when a later run may call an item that was not called: now if the reason can pass, null for never. */
function nextAllowedAt(state: Exclude<ItemState, { is: 'done' | 'ready' }>): string | null {
	const now = isoOf(Date.now());
	if (state.is === 'withheld') {
		const { nextAllowedAt: next = now } = state.reason;
		return next;
	}
	return state.is !== 'unknown' && !state.mayRing && (state.isOfSettings || mayPass(state.error)) ? now : null;
}

/** The advice if only some of the items are valid. */
const SEND_OTHERS = "To send the other items, set 'On Error' to Continue in the Settings of the node.";

/**
 * Returns the error that ends the run, with the results of all items.
 *
 * @param results of all items, from `describeResults`
 * @param invalid the first invalid item; its state may meanwhile be the call of an earlier attempt
 * @param forAll what would stop all calls: it comes first
 */
export function stoppingError(
	caller: IExecuteFunctions,
	items: readonly Item[],
	results: string,
	{ invalid, cause: forAll }: { invalid?: { itemIndex: number; error: ServiceError }; cause?: ServiceError },
) {
	const errors = items.flatMap(({ state }, itemIndex) =>
		isFailed(state) ? [{ itemIndex, error: state.error, isCause: state.is !== 'notTried' }] : [],
	);
	const first = errors.find(({ isCause }) => isCause) ?? invalid ?? errors[0];
	const cause = forAll === undefined ? first : { error: forAll, itemIndex: undefined };
	const isAll = forAll === undefined && items.length === 1 && errors.length === 1;
	const isPartly =
		forAll === undefined &&
		invalid !== undefined &&
		items.some(({ state, input }) => input !== undefined || !isFailed(state));
	const text = isPartly ? `${results} ${SEND_OTHERS}` : results;
	return asNodeError(caller.getNode(), cause?.error, cause?.itemIndex, isAll ? '' : text);
}
