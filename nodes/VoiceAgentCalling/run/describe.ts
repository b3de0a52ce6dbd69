// Describes the results of a run: the hint above the output, and the text of the error that ends a run.

import { stopsOtherItems } from '../../shared/client/itemErrors';
import type { Pace } from '../../shared/client/pace';
import { byStatus } from '../../shared/errors/catalog';
import type { ServiceError } from '../../shared/errors/serviceError';
import { groupBy } from '../../shared/lib/collections';
import { asHtml, itemRanges, quantity, sheetRow } from '../../shared/lib/text';
import { DAY_MS } from '../../shared/lib/time';
import { missingIn } from '../callRules/findings';
import { minuteAt, type WallClock, wallClockOf } from '../callRules/wallClock';
import { type Item, type ItemState, isFailed } from '../operation/items';
import type { Operation } from '../operation/operation';
import { resultOf } from './outcomes';

type Items = readonly Item[];

/** How many rows a text names for each reason, and how many reasons it names; the output shows the others. */
const MAX_ROWS = 3;
const MAX_REASONS = 5;

/** Up to this number of items, the error that ends a run names all rows: the output with them is lost. */
const SHORT_LIST = 20;

/** The clock for a time zone that the runtime does not know. */
const UTC: WallClock = (time) => time;

/** Calls that start later than this are announced with their time. */
const SOON_MS = 60_000;

/** What the items with a code have in common, to follow their number. */
const REASONS: Readonly<Record<string, string>> = {
	CALL_LIMIT_REACHED: 'beyond a limit',
	DO_NOT_CALL: 'in Blocked Numbers',
	DUPLICATE_CALL: 'with a call in the campaign already',
	INVALID_PHONE_NUMBER: 'with a number that cannot be called',
	MISSING_PHONE_NUMBER: 'without a number',
	NO_CONSENT: 'without a valid consent',
	OUTSIDE_HOURS: 'outside the calling hours',
	REPEATED_NUMBER: 'with the number of an earlier item',
	TOO_OFTEN: 'called too often',
};

/** The reason of an item for which waiting does not help. */
const ALWAYS_OUTSIDE = 'outside the calling hours at any time';

/** The reason of an item whose number another item, node or run may have called. */
const MAY_RING = 'with a number that may be ringing already';

/** The reasons of items whose number has a call in the campaign, by whether it is a test call. */
const alreadyQueued: Readonly<Record<string, string>> = {
	true: 'with a test call in the campaign already',
	false: REASONS.DUPLICATE_CALL,
	undefined: 'with a call in the campaign already, maybe a test call',
};

/** The reason of an item with the error that stops all items, in the text of that error. */
const THIS_ERROR = 'with this error';

/** The reason of an item that was not tried because of another one. */
const NOT_TRIED = 'not tried';

/** The same if an earlier attempt has sent its request, whose answer may have been lost. */
const NOT_AGAIN = 'not tried again, but perhaps done before';

/** The texts about the calls of an operation. */
const WORDS = {
	agentId: { none: 'no calls were placed.', verb: 'placed', not: 'Not called' },
	campaignId: { none: 'no calls were queued.', verb: 'queued', not: 'Not queued' },
	noCalls: { none: 'nothing was done.', verb: 'done', not: 'Not done' },
};

/** What a text about a run needs. */
interface Described {
	items: Items;
	operation: Operation;
	/** The time zone for the start of calls. */
	timeZone: string;
	/** What would stop all items, if each has a mistake of its own. */
	cause?: Cause;
	/** Whether an earlier run of the tool has placed a call. Then the text does not say that no calls were placed. */
	hasCalled: boolean;
	/** Whether all calls are over, so that no phone rings any more. */
	areOver?: boolean;
	/** Whether the credential makes every call a test call. */
	onlyTestCalls?: boolean;
}

/** How much to say about the items of a reason. */
interface Detail {
	/** The maximum number of ranges of rows. */
	maxRows: number;
	/** Whether the text belongs to an error that already says what stops all items. */
	inError?: boolean;
}

const IN_HINT: Detail = { maxRows: MAX_ROWS };
const ALL_ROWS: Detail = { maxRows: Number.POSITIVE_INFINITY };

/**
 * Returns the hint above the output, the worst first: calls with an unknown outcome, what stops all items, then how many
 * calls were placed, and how many were not for each reason. It is HTML, as the editor shows hints.
 *
 * @returns undefined if there is nothing to report
 */
export function describeRun(run: Described, { limitedMs, repeats }: Pick<Pace, 'limitedMs' | 'repeats'>) {
	const { items, operation, hasCalled } = run;
	const worst = [...unknownInWords(run, IN_HINT), ...causeInWords(run)];
	const calls = callsInWords(run);
	const others = reasonsInWords(run, IN_HINT);
	const requests = [
		...(limitedMs > 0 ? [`Waited ${secondsInWords(limitedMs)} for the rate limit of the service.`] : []),
		...(repeats > 0
			? [`${quantity(repeats, 'request')} failed and ${repeats === 1 ? 'was' : 'were'} sent again.`]
			: []),
	];
	if ([...worst, ...calls, ...others, ...requests].length === 0 && !operation.checksCall) {
		return undefined;
	}
	const none = isNothingDone(items) && !hasCalled && worst.length === 0 ? [capitalized(wordsFor(operation).none)] : [];
	// What stops all items of a check says that none is ready.
	const cause = run.cause ?? causeOf(items);
	const isForAll = operation.checksCall && items.every((item) => isStoppedBy(cause, item));
	const results = isForAll ? [] : doneInWords(run);
	const done = calls.length > 0 ? calls : [...results, ...none].slice(0, 1);
	return asHtml([...worst, ...done, ...others, ...requests].join(' '));
}

/**
 * Lists the results of all items, for the error that ends a run: "Calls placed: sheet rows 2-6. Not called: 1 without a
 * number (sheet row 7)." The output with the placed calls is lost then.
 */
export function describeResults(run: Described): string {
	const { items, operation, hasCalled } = run;
	const { none, verb } = wordsFor(operation);
	const placed = indexesWhere(items, (item) => ['done', 'placed', 'queued'].includes(resultOf(item.state)));
	const label = operation.callerIdField === undefined ? 'Done' : `Calls ${verb}`;
	const rows = `${label}: ${rowsInWords(placed)}.`;
	const detail = items.length <= SHORT_LIST ? ALL_ROWS : IN_HINT;
	return [
		...(placed.length > 0 ? [rows] : isNothingDone(items) && !hasCalled ? [capitalized(none)] : []),
		...unknownInWords(run, ALL_ROWS),
		...reasonsInWords(run, { ...detail, inError: true }),
	].join(' ');
}

/** Whether it is certain that nothing was done for any item. */
export function isNothingDone(items: Items): boolean {
	return items.every(({ state }) => isNotDone(state) || (state.is === 'done' && isOldCall(state)));
}

/** Whether the call of an item was there before the run, or is that of another item, whose state counts. */
function isOldCall({ result, sameNumberAsItem }: Extract<ItemState, { is: 'done' }>): boolean {
	return result === 'alreadyQueued' || (result === 'sameNumber' && sameNumberAsItem !== undefined);
}

/** Whether it is certain that nothing was done for an item, in this attempt or an earlier one. */
function isNotDone(state: ItemState): boolean {
	return state.is !== 'done' && state.is !== 'unknown' && !mayBeDone({ state });
}

/** Whether something may have been done for an item that has failed: a change whose answer was lost. */
function mayBeDone({ state }: Item): boolean {
	return isFailed(state) && (state.mayRing === true || state.error.accepted === 'unknown');
}

/** Returns how many items are done, for an operation without new calls. */
function doneInWords({ items, operation }: Described): string[] {
	if (operation.checksCall) {
		const ready = indexesWhere(items, ({ state }) => state.is === 'done' && state.items[0]?.result === 'ready');
		return [`${ready.length} of ${items.length} ready.`];
	}
	const done = items.filter(({ state }) => resultOf(state) === 'done').length;
	return done > 0 ? [`${done} of ${quantity(items.length, 'item')} done.`] : [];
}

/** Returns the sentence about the items with an unknown outcome, if there are any. */
function unknownInWords({ items, operation }: Described, detail: Detail): string[] {
	const unknown = indexesWhere(items, ({ state }) => state.is === 'unknown');
	const advice = operation.placesCall
		? 'phones may be ringing; check the calls in the service before you call again'
		: 'the service may have done it; check there before you run this again';
	return unknown.length === 0
		? []
		: [`${unknown.length} with an unknown outcome${placesIn(items, unknown, detail)}: ${advice}.`];
}

/** Returns the sentence about what stops all items, such as a paused campaign, if there is anything. */
function causeInWords({ items, operation, hasCalled, cause = causeOf(items) }: Described): string[] {
	if (cause === undefined) {
		return [];
	}
	const { verb, none } = wordsFor(operation);
	const stopped = items.filter((item) => isStoppedBy(cause, item)).length;
	const failed = isChangeUnknown({ items, operation }) ? 'failed' : `not ${operation.checksCall ? 'ready' : verb}`;
	const count = `${stopped} of ${items.length} ${failed}`;
	const what = cause.message.replace(`${byStatus.BAD_REQUEST.meaning}: `, '').replace(/\.$/, '');
	const isNone = isNothingDone(items) && !hasCalled;
	return [`${what}. ${isNone ? capitalized(none) : `${count}.`} ${cause.advice}`.trim()];
}

/** An error, or a finding of a check. */
type Cause = Pick<ServiceError, 'message' | 'advice'> & { code: string; httpStatus?: number };

/**
 * Returns the error that every other item would get as well: token, credits, agent or campaign, the connection, or a
 * mistake that all items share.
 */
function causeOf(items: Items): Cause | undefined {
	const [ofSettings, ...others] = items.map(({ state }) =>
		isFailed(state) && state.isOfSettings ? state.error : undefined,
	);
	if (ofSettings !== undefined && !others.includes(undefined)) {
		return ofSettings;
	}
	const own = items.map(({ state }) => (state.is === 'failed' || state.is === 'done' ? errorIn(state) : undefined));
	const [same, ...rest] = own;
	if (same !== undefined && rest.length > 0 && rest.every((error) => isAlike(error, same))) {
		return same;
	}
	return items.map(({ state }) => errorIn(state)).find((error) => error && stopsOtherItems(error));
}

function isAlike(one: Cause | undefined, other: Cause): boolean {
	return one?.message === other.message && one.advice === other.advice;
}

function isStoppedBy(cause: Cause | undefined, { state }: Item): boolean {
	const error = state.is === 'notTried' ? state.error.stoppedBy : errorIn(state);
	return cause !== undefined && isAlike(error, cause);
}

/** Returns the error of an item, or the first finding of a check; undefined if there is none. */
function errorIn(state: ItemState): Cause | undefined {
	if (state.is !== 'done') {
		return isFailed(state) ? state.error : undefined;
	}
	const [finding] = (state.items[0]?.reasons ?? []) as unknown as Cause[];
	return finding;
}

/** Returns the sentence about the items that were not called, with the reasons: failures first, then the most frequent. */
function reasonsInWords(run: Described, detail: Detail): string[] {
	const { items, operation, cause = causeOf(items) } = run;
	// Where nothing would be called, it does not matter what a manual execution would not have called.
	const isNone = isNothingDone(items);
	const hidesTrials = cause !== undefined && isNone;
	const own = detail.inError ? THIS_ERROR : undefined;
	const reasons = items.map(({ state }) => {
		const isCause = cause !== undefined && isAlike(errorIn(state), cause);
		const isTrial = hidesTrials && state.is === 'withheld' && state.reason.result === 'notTried';
		const isHidden = isTrial || (!detail.inError && isStoppedBy(cause, { state }));
		return isCause ? own : isHidden ? undefined : reasonOf(state);
	});
	const listed = [...groupBy(reasons.keys(), (index) => reasons[index])].flatMap(([reason, indexes]) =>
		reason === undefined ? [] : [{ reason, indexes, rank: rankOf(items[indexes[0]].state) }],
	);
	if (listed.length === 0) {
		return [];
	}
	const sorted = listed.sort((one, other) => one.rank - other.rank || other.indexes.length - one.indexes.length);
	// "For other reasons" in place of a single one would say less in the same space.
	const count = sorted.length === MAX_REASONS + 1 ? sorted.length : MAX_REASONS;
	const shown = sorted.slice(0, count).map(({ reason, indexes }) => {
		// Where the error says that nothing was done, the rows of what was not tried would say no more.
		if (detail.inError && isNone && reason === NOT_TRIED) {
			return `${indexes.length} ${reason}`;
		}
		const places = placesIn(items, indexes, detail);
		return places === '' ? reason : `${indexes.length} ${reason}${places}`;
	});
	const hidden = sorted.slice(count).flatMap(({ indexes }) => indexes).length;
	const not = operation.checksCall ? 'Not ready' : isChangeUnknown(run) ? 'Failed' : wordsFor(operation).not;
	return [`${not}: ${[...shown, ...(hidden > 0 ? [`${hidden} for other reasons`] : [])].join(', ')}.`];
}

/**
 * First come people who keep a test call in place of a real one, which nothing in the list explains. Failures come before
 * what a rule of the user holds back, and that before numbers that have a real call already.
 */
function rankOf(state: ItemState): number {
	if (state.is === 'done' && state.result === 'alreadyQueued' && state.isTest !== false) {
		return -1;
	}
	return isFailed(state) ? 0 : state.is === 'withheld' ? 1 : 2;
}

/** Returns why an item was not called; undefined if it has a call, may have one, or is only checked and ready. */
function reasonOf(state: ItemState): string | undefined {
	if (state.is === 'ready') {
		return NOT_TRIED;
	}
	if (state.is === 'withheld') {
		const { code, message } = state.reason;
		if (code === 'OUTSIDE_HOURS' && state.reason.nextAllowedAt === null) {
			return ALWAYS_OUTSIDE;
		}
		return REASONS[code] ?? `because ${message.replace(/^Not sent: /, '')}`;
	}
	if (state.is === 'unknown') {
		return undefined;
	}
	if (state.is === 'done') {
		const error = errorIn(state);
		if (state.result === 'alreadyQueued') {
			return alreadyQueued[String(state.isTest)];
		}
		return state.result === 'sameNumber' ? REASONS.REPEATED_NUMBER : error && reasonOfError(error);
	}
	if (state.is === 'notTried') {
		return state.mayRing ? MAY_RING : mayBeDone({ state }) ? NOT_AGAIN : NOT_TRIED;
	}
	return reasonOfError(state.error);
}

function reasonOfError({ code, message }: Cause): string {
	const missing =
		code === 'INVALID_PHONE_NUMBER' && /has no country code/.test(message) ? 'a country code' : missingIn(message);
	return missing === undefined
		? (REASONS[code] ?? `with the error "${message.replace(/\.$/, '')}"`)
		: `without ${missing}`;
}

/** Whether an operation without calls may have changed something although it has failed. */
function isChangeUnknown({ items, operation }: Pick<Described, 'items' | 'operation'>): boolean {
	return operation.callerIdField === undefined && items.some(mayBeDone);
}

function wordsFor({ callerIdField }: Operation) {
	return WORDS[callerIdField ?? 'noCalls'];
}

/** Returns the sentences about the calls that were placed or queued: test calls, real calls, calls of earlier attempts. */
function callsInWords({ items, operation, timeZone, areOver = false, onlyTestCalls = false }: Described): string[] {
	const accepted = items.flatMap(({ state }) =>
		state.is === 'done' && (state.result === 'placed' || state.result === 'queued') ? [state] : [],
	);
	const { verb } = WORDS[operation.callerIdField ?? 'agentId'];
	const sent = accepted.filter(({ sentEarlier }) => !sentEarlier);
	const tests = sent.filter(({ isTest }) => isTest).length;
	const real = sent.length - tests;
	const earlier = accepted.length - sent.length;
	const phones = (count: number) => (count === 1 ? 'the phone' : 'phones');
	const inCampaign =
		tests === 1
			? 'it holds its number in the campaign, so that a real run skips or postpones it'
			: 'they hold their numbers in the campaign, so that a real run skips or postpones them';
	const starts = (isTest: boolean) =>
		startInWords(
			sent.filter((call) => (call.isTest === true) === isTest),
			timeZone,
		);
	const after = [
		...(onlyTestCalls ? ["the credential has 'Test Calls Only'"] : []),
		...(areOver ? [] : [`${phones(tests)} may still ring${starts(true)}`]),
		...(operation.callerIdField === 'campaignId' ? [inCampaign] : []),
	];
	const rings = areOver ? '' : `${phones(real)} ${real === 1 ? 'rings' : 'ring'}${starts(false)}, and `;
	return [
		...(tests > 0 ? [`${quantity(tests, 'test call')} ${verb}: ${['no credits used', ...after].join('; ')}.`] : []),
		...(real > 0 ? [`${quantity(real, 'real call')} ${verb}: ${rings}credits are spent.`] : []),
		...(earlier > 0 ? [`${quantity(earlier, 'call')} of an earlier attempt, not sent again.`] : []),
	];
}

/**
 * Returns " from 2026-12-06 09:00 (Europe/Berlin) on" if no phone can ring before, and how many ring more than a day
 * after the first. Returns an empty text if all ring now, or if the time is unknown.
 */
function startInWords(calls: ReadonlyArray<{ startsAt?: number }>, timeZone: string): string {
	const starts = calls.map(({ startsAt = 0 }) => startsAt);
	const first = starts.reduce((earliest, one) => Math.min(earliest, one), Number.POSITIVE_INFINITY);
	const minuteOf = (time: number) => minuteAt(wallClockOf(timeZone) ?? UTC, time);
	const from = isLater(first) && Number.isFinite(first) ? ` from ${minuteOf(first)} (${timeZone}) on` : '';
	// A campaign calls a number later that it has called before.
	const late = starts.filter((start) => start > Math.max(first, Date.now()) + DAY_MS).sort((one, other) => one - other);
	return late.length === 0 ? from : `${from}, ${late.length} of them not before ${minuteOf(late[0])} (${timeZone})`;
}

/** Whether a call that starts at a time, in milliseconds since 1970, starts so late that the hint says when. */
export function isLater(startsAt = 0): boolean {
	return startsAt > Date.now() + SOON_MS;
}

function indexesWhere(items: Items, condition: (item: Item) => boolean): number[] {
	return [...items.keys()].filter((itemIndex) => condition(items[itemIndex]));
}

/** Returns " (sheet rows 7, 9-12, 15 and 30 more)", as a spreadsheet with a header counts; empty in a hint about one item. */
function placesIn(items: Items, indexes: readonly number[], { maxRows }: Detail): string {
	return items.length === 1 && maxRows === MAX_ROWS ? '' : ` (${rowsInWords(indexes, maxRows)})`;
}

/** Returns "sheet row 2" for the item 0, "sheet rows 2-4, 8" for several. @param max the maximum number of ranges */
function rowsInWords(indexes: readonly number[], max?: number): string {
	return `${indexes.length === 1 ? 'sheet row' : 'sheet rows'} ${itemRanges(indexes.map(sheetRow), max)}`;
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function secondsInWords(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds === 0 ? 'less than a second' : quantity(seconds, 'second');
}
