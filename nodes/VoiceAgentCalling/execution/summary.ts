import { itemRanges } from '../../shared/lib/itemRanges';
import { quantity } from '../../shared/lib/quantity';
import { failed, type ItemOutcome, type ItemResult } from '../operation/items';
import type { Operation } from '../operation/operation';
import type { Pace } from '../sending/pace';
import { resultOfItem } from './results';

type Outcomes = ReadonlyArray<ItemOutcome | undefined>;

/** How many ranges of item indexes a hint lists: the output says the rest. */
const MAX_RANGES = 20;

/** What is said before the items with a result. */
const LABELS = {
	alreadyQueued: 'Already queued',
	sameNumber: 'Same number as another item',
	failed: 'Errors',
	notReady: 'Not ready',
	outsideHours: 'Outside the calling hours, not sent',
	blocked: 'Blocked numbers, not sent',
	unknown: 'Outcome unknown',
	notTried: 'Not tried',
} satisfies Partial<Record<ItemResult, string>>;

/** What is said about the calls of an operation. */
const WORDS = {
	agentId: { none: 'No calls were placed.', done: 'Calls placed' },
	campaignId: { none: 'No calls were queued.', done: 'Calls queued' },
	noCalls: { none: 'No items are done.', done: 'Done' },
};

/**
 * The hint above the output: how many test calls and real calls there are, and everything that did not go as planned.
 *
 * @returns undefined if there is nothing to say
 */
export function summaryOf(
	outcomes: Outcomes,
	operation: Operation,
	{ limitedMs, repeats }: Pick<Pace, 'limitedMs' | 'repeats'>,
): string | undefined {
	const list = (label: string, indexes: number[], advice = '') =>
		indexes.length === 0 ? [] : [`${label}: ${itemsInWords(indexes, MAX_RANGES)}. ${advice}`.trim()];
	const sentEarlier = indexesWhere(outcomes, (outcome) => !failed(outcome) && outcome?.sentEarlier === true);
	const unplanned = [
		...(Object.keys(LABELS) as Array<keyof typeof LABELS>).flatMap((result) =>
			list(LABELS[result], withResult(outcomes, result), adviceOn(result, operation)),
		),
		...list('Sent in an earlier try, and not again', sentEarlier),
		...(limitedMs > 0 ? [`Waited ${secondsInWords(limitedMs)} for the rate limit of the service.`] : []),
		...(repeats > 0
			? [`${quantity(repeats, 'request')} failed and ${repeats === 1 ? 'was' : 'were'} sent again.`]
			: []),
	];
	const calls = callsInWords(outcomes);
	if (calls.length === 0 && unplanned.length === 0) {
		return undefined;
	}
	const done = withResult(outcomes, 'done').length;
	const first = done > 0 ? `${done} of ${quantity(outcomes.length, 'item')} done.` : wordsFor(operation).none;
	return [...(calls.length > 0 ? calls : [first]), ...unplanned].join(' ');
}

/**
 * The results of all items, for the error that ends a run: "Calls placed: items 0-4. Errors: item 5. Not tried: item 6."
 * If nothing was done, the items that were not tried are left out.
 *
 * @param hasEarlier whether an earlier try sent requests: then it does not say that nothing was done
 */
export function resultsInWords(outcomes: Outcomes, operation: Operation, hasEarlier = false): string {
	const list = (label: string, ...results: Array<ItemResult | 'done'>) => {
		const indexes = withResult(outcomes, ...results);
		return indexes.length === 0 ? [] : [`${label}: ${itemsInWords(indexes)}.`];
	};
	const { none, done } = wordsFor(operation);
	const effects = [
		...list(done, 'done', 'placed', 'queued', 'alreadyQueued', 'sameNumber'),
		...list(LABELS.unknown, 'unknown'),
	];
	const errors = list(LABELS.failed, 'failed', 'notReady');
	const withheld = [...list(LABELS.outsideHours, 'outsideHours'), ...list(LABELS.blocked, 'blocked')];
	return effects.length === 0
		? [...(hasEarlier ? [] : [none]), ...errors, ...withheld].join(' ')
		: [...effects, ...errors, ...withheld, ...list(LABELS.notTried, 'notTried')].join(' ');
}

function wordsFor({ callerIdField }: Operation) {
	return WORDS[callerIdField ?? 'noCalls'];
}

function adviceOn(result: keyof typeof LABELS, { placesCall }: Operation): string | undefined {
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

/** How many calls were placed or queued: test calls, then real calls. */
function callsInWords(outcomes: Outcomes): string[] {
	const accepted = withResult(outcomes, 'placed', 'queued');
	const tests = accepted.filter((itemIndex) => outcomes[itemIndex]?.isTest === true).length;
	const real = accepted.length - tests;
	const ring = tests === 1 ? 'the phone may still ring' : 'phones may still ring';
	return [
		...(tests > 0 ? [`${quantity(tests, 'test call')}: no credits used; ${ring}.`] : []),
		...(real > 0 ? [`${quantity(real, 'real call')}.`] : []),
	];
}

/** The indexes of the items with one of these results. */
function withResult(outcomes: Outcomes, ...results: Array<ItemResult | 'done'>): number[] {
	return indexesWhere(outcomes, (outcome) => results.includes(resultOfItem(outcome)));
}

function indexesWhere(outcomes: Outcomes, condition: (outcome: ItemOutcome | undefined) => boolean): number[] {
	return [...outcomes.keys()].filter((itemIndex) => condition(outcomes[itemIndex]));
}

/** "items 0-4, 7" for 0, 1, 2, 3, 4, 7. @param max after how many ranges the other items are only counted */
function itemsInWords(indexes: readonly number[], max = Number.POSITIVE_INFINITY): string {
	return `${indexes.length === 1 ? 'item' : 'items'} ${itemRanges(indexes, max)}`;
}

function secondsInWords(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds === 0 ? 'less than a second' : quantity(seconds, 'second');
}
