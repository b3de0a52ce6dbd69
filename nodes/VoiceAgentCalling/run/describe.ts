// Describes the results of a run: the hint above the output, and the text of the error that ends a run.

import type { Pace } from '../../shared/client/pace';
import { groupBy } from '../../shared/lib/collections';
import { itemRanges, quantity } from '../../shared/lib/text';
import { type Item, type ItemResult, type ItemState, isFailed } from '../operation/items';
import type { Operation } from '../operation/operation';
import { resultOf } from './outcomes';

type Items = readonly Item[];

/** How many ranges of item indexes a hint lists; the output shows the rest. */
const MAX_RANGES = 20;

/** How many reasons of errors a hint lists, and how many ranges of items for each. */
const MAX_REASONS = 5;
const MAX_RANGES_OF_REASON = 5;

/** The row of the first item in a spreadsheet with a header. */
const FIRST_ROW = 2;

/** The text for items with a result, after their number. */
const LABELS: Partial<Record<ItemResult, string>> = {
	failed: 'failed',
	unknown: 'unknown',
	notReady: 'not ready',
	outsideHours: 'outside the calling hours, not sent',
	blocked: 'blocked, not sent',
	noConsent: 'without a valid consent, not sent',
	tooOften: 'called too often, not sent',
	limitReached: 'beyond a limit, not sent',
	notTried: 'not tried',
	alreadyQueued: 'already queued',
	sameNumber: 'with the number of another item',
};

/** The texts about the calls of an operation. */
const WORDS = {
	agentId: { none: 'No calls were placed.', done: 'Calls placed' },
	campaignId: { none: 'No calls were queued.', done: 'Calls queued' },
	noCalls: { none: 'Nothing was done.', done: 'Done' },
};

/**
 * Returns the hint above the output: everything that did not go as planned, and the numbers of test calls and real
 * calls.
 *
 * @param hasCalled whether an earlier run of the tool has placed a call; if so, the text does not claim that nobody was
 * called
 * @returns undefined if there is nothing to report
 */
export function describeRun(
	items: Items,
	operation: Operation,
	{ limitedMs, repeats }: Pick<Pace, 'limitedMs' | 'repeats'>,
	hasCalled = false,
): string | undefined {
	const byResult = indexesByResult(items);
	const group = (label = '', indexes: number[] = [], advice = '') =>
		indexes.length === 0 ? [] : [{ label, indexes, advice }];
	const groups = (...results: ItemResult[]) =>
		results.flatMap((result) => {
			const indexes = byResult.get(result) ?? [];
			const states = indexes.map((itemIndex) => items[itemIndex].state);
			return group(LABELS[result], indexes, adviceOn(result, operation, states));
		});
	const problems = [
		...groups('failed', 'unknown', 'notReady', 'outsideHours', 'blocked'),
		...groups('noConsent', 'tooOften', 'limitReached', 'notTried'),
		...group(LABELS.notReady, checkedAs(items, operation, 'notReady')),
	];
	const others = [
		...groups('alreadyQueued', 'sameNumber'),
		...group('sent in an earlier attempt, and not again', sentEarlier(items)),
	];
	const [first] = [...problems, ...others];
	const sentences = (described: typeof problems) =>
		described.map((one) => {
			const hasReasons = one.label === LABELS.failed || one.label === LABELS.notReady;
			const reasons = hasReasons ? reasonsInWords(items, one.indexes, one === first) : undefined;
			const which = reasons ?? `${itemsInWords(one.indexes, MAX_RANGES)}${one === first ? ' (counted from 0)' : ''}`;
			return `${one.indexes.length} of ${items.length} ${one.label}: ${which}. ${one.advice}`.trim();
		});
	const calls = callsInWords(items, byResult, operation);
	const requests = [
		...(limitedMs > 0 ? [`Waited ${secondsInWords(limitedMs)} for the rate limit of the service.`] : []),
		...(repeats > 0
			? [`${quantity(repeats, 'request')} failed and ${repeats === 1 ? 'was' : 'were'} sent again.`]
			: []),
	];
	if (calls.length === 0 && first === undefined && requests.length === 0 && !operation.checksCall) {
		return undefined;
	}
	const done = calls.length > 0 ? calls : doneInWords(items, byResult, operation, hasCalled);
	return [...sentences(problems), ...done, ...sentences(others), ...requests].join(' ');
}

/** Describes how many items are done, for an operation without new calls. */
function doneInWords(items: Items, byResult: ByResult, operation: Operation, hasCalled: boolean): string[] {
	if (operation.checksCall) {
		return [`${checkedAs(items, operation, 'ready').length} of ${items.length} ready.`];
	}
	const done = byResult.get('done')?.length ?? 0;
	if (done > 0) {
		return [`${done} of ${quantity(items.length, 'item')} done.`];
	}
	const isNone = items.every(
		({ state }) => isNotDone(state) || (state.is === 'done' && state.result === 'alreadyQueued'),
	);
	return isNone && !hasCalled ? [wordsFor(operation).none] : [];
}

/** Whether it is certain that nothing was done for an item, in this attempt or an earlier one. */
function isNotDone(state: ItemState): boolean {
	return state.is !== 'done' && state.is !== 'unknown' && !(isFailed(state) && state.mayRing);
}

/** Whether it is certain that nothing was done for any item. */
export function isNothingDone(items: Items): boolean {
	return items.every(({ state }) => isNotDone(state));
}

/**
 * Lists the results of all items, for the error that ends a run: "Calls placed: items 0-4. Errors: item 5. Not tried:
 * item 6." If nothing was done, the items that were not tried are left out.
 *
 * @param hasCalled whether an earlier run of the tool has placed a call; if so, the text does not claim that nothing
 * was done
 */
export function describeResults(items: Items, operation: Operation, hasCalled = false): string {
	const byResult = indexesByResult(items);
	const list = (label: string, ...results: Array<ItemResult | 'done'>) => {
		const indexes = results.flatMap((result) => byResult.get(result) ?? []).sort((one, other) => one - other);
		return indexes.length === 0 ? [] : [`${label}: ${itemsInWords(indexes)}.`];
	};
	const { none, done } = wordsFor(operation);
	const effects = [
		...list(done, 'done', 'placed', 'queued', 'sameNumber'),
		...list('Already queued', 'alreadyQueued'),
		...list('Outcome unknown', 'unknown'),
	];
	const others = [
		...list('Errors', 'failed', 'notReady'),
		...list('Blocked or outside the calling hours', 'outsideHours', 'blocked'),
		...list('Without a valid consent', 'noConsent'),
		...list('Called too often', 'tooOften'),
		...list('Beyond a limit', 'limitReached'),
	];
	return isNothingDone(items)
		? [...(hasCalled ? [] : [none]), ...others].join(' ')
		: [...effects, ...others, ...list('Not tried', 'notTried')].join(' ');
}

/**
 * Lists the reasons of errors, the most frequent first, with the first items of each: "2 × Remove the extension (items
 * 5, 7; rows 7, 9)".
 *
 * @param isFirst whether to explain how items and rows are counted
 * @returns undefined unless each of the items has an error
 */
function reasonsInWords(all: Items, indexes: readonly number[], isFirst: boolean): string | undefined {
	if (!indexes.every((index) => isFailed(all[index].state))) {
		return undefined;
	}
	const byReason = groupBy(indexes, (index) => reasonIn(all[index].state));
	const reasons = [...byReason].sort(([, one], [, other]) => other.length - one.length);
	const listed = reasons.slice(0, MAX_REASONS).map(([reason, of], index) => {
		const rows = itemRanges(
			of.map((item) => item + FIRST_ROW),
			MAX_RANGES_OF_REASON,
		);
		const [counted, ofSheet] = isFirst && index === 0 ? [', counted from 0', ' of a sheet with a header'] : ['', ''];
		const items = `${itemsInWords(of, MAX_RANGES_OF_REASON)}${counted}`;
		const places = `${items}; ${of.length === 1 ? 'row' : 'rows'} ${rows}${ofSheet}`;
		return `${reasons.length > 1 ? `${of.length} × ` : ''}${reason} (${places})`;
	});
	const others = reasons.slice(MAX_REASONS).flatMap(([, of]) => of);
	return [...listed, ...(others.length > 0 ? [`${others.length} for other reasons`] : [])].join('; ');
}

/** Returns why an item has failed; undefined if it has not failed. */
function reasonIn(state: ItemState): string | undefined {
	if (!isFailed(state)) {
		return undefined;
	}
	const { message, advice } = state.error;
	// The message about a value repeats the value, which differs in each item.
	return (/^'.*' cannot be /.test(message) && advice ? advice : message).replace(/\.$/, '');
}

function wordsFor({ callerIdField }: Operation) {
	return WORDS[callerIdField ?? 'noCalls'];
}

/** @param states of the items with this result */
function adviceOn(result: ItemResult, { placesCall }: Operation, states: readonly ItemState[]): string | undefined {
	if (result === 'notTried') {
		return withheldAdvice(states);
	}
	if (result === 'alreadyQueued') {
		return `${oldTestCalls(states)}To queue one more call for each, set Options → If Already Queued to Queue Again.`;
	}
	if (result === 'sameNumber') {
		return 'These items share the call of an earlier item; their agent variables and metadata were ignored. To call for each item, set Options → Repeated Number to Call Each Time.';
	}
	if (result !== 'unknown') {
		return undefined;
	}
	return placesCall
		? 'The phone may be ringing: check the calls in the service before you call again.'
		: 'The service may have done it: check there before you run this again.';
}

/** Describes how many of the existing calls are test calls, which hold their numbers like real calls. */
function oldTestCalls(states: readonly ItemState[]): string {
	const known = states.map((state) => (state.is === 'done' ? state.isTest : undefined));
	const tests = known.filter((isTest) => isTest).length;
	if (tests > 0) {
		return `${tests} of these calls ${tests === 1 ? 'is a test call' : 'are test calls'}. `;
	}
	return known.includes(undefined) ? 'Test calls hold their numbers, too. ' : '';
}

/** Returns the reason of a rule for items that were not tried. All of them have the same. */
function withheldAdvice(states: readonly ItemState[]): string | undefined {
	const [reason] = states.flatMap((state) => (state.is === 'withheld' ? [state.reason] : []));
	return reason && `${reason.message}. ${reason.advice}`;
}

/** Describes how many calls were placed or queued: test calls, then real calls. */
function callsInWords(items: Items, byResult: ByResult, { callerIdField }: Operation): string[] {
	const indexes = [...(byResult.get('placed') ?? []), ...(byResult.get('queued') ?? [])];
	const accepted = indexes.map((itemIndex) => items[itemIndex].state);
	const tests = accepted.filter((state) => state.is === 'done' && state.isTest === true).length;
	const real = accepted.length - tests;
	const ring = tests === 1 ? 'the phone may still ring' : 'phones may still ring';
	const holds = tests === 1 ? 'it holds its number' : 'they hold their numbers';
	const queued = callerIdField === 'campaignId' ? `, and ${holds} in the campaign` : '';
	return [
		...(tests > 0 ? [`${quantity(tests, 'test call')}: no credits used; ${ring}${queued}.`] : []),
		...(real > 0
			? [`${quantity(real, 'real call')}: ${real === 1 ? 'a phone rings' : 'phones ring'}, and credits are spent.`]
			: []),
	];
}

/** The indexes of the items with each result. */
type ByResult = ReadonlyMap<ItemResult | 'done', number[]>;

function indexesByResult(items: Items): ByResult {
	return groupBy(items.keys(), (itemIndex) => resultOf(items[itemIndex].state));
}

/** Returns the indexes of the items with this result of a check; empty for an operation that does not check calls. */
function checkedAs(items: Items, { checksCall }: Operation, result: 'ready' | 'notReady'): number[] {
	return indexesWhere(items, ({ state }) => checksCall && state.is === 'done' && state.items[0]?.result === result);
}

function sentEarlier(items: Items): number[] {
	return indexesWhere(items, ({ state }) => state.is === 'done' && state.sentEarlier === true);
}

function indexesWhere(items: Items, condition: (item: Item) => boolean): number[] {
	return [...items.keys()].filter((itemIndex) => condition(items[itemIndex]));
}

/** "items 0-4, 7" for 0, 1, 2, 3, 4, 7. @param max after how many ranges the other items are only counted */
function itemsInWords(indexes: readonly number[], max = Number.POSITIVE_INFINITY): string {
	return `${indexes.length === 1 ? 'item' : 'items'} ${itemRanges(indexes, max)}`;
}

function secondsInWords(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds === 0 ? 'less than a second' : quantity(seconds, 'second');
}
