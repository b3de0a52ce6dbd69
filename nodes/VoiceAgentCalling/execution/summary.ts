import { itemRanges } from '../../shared/lib/itemRanges';
import { quantity } from '../../shared/lib/quantity';
import { failed, type ItemOutcome, type ItemResult } from '../operation/items';
import type { Operation } from '../operation/operation';
import type { Pace } from '../sending/pace';
import { resultOfItem } from './results';

type Outcomes = ReadonlyArray<ItemOutcome | undefined>;

/** How many ranges of item indexes a hint lists: the output says the rest. */
const MAX_RANGES = 20;

/** How many reasons of errors a hint lists, and how many ranges of items for each. */
const MAX_REASONS = 5;
const MAX_RANGES_OF_REASON = 5;

/** The row of the first item in a spreadsheet with a header. */
const FIRST_ROW = 2;

/** What is said of items with a result, after their number. */
const LABELS: Partial<Record<ItemResult, string>> = {
	failed: 'failed',
	unknown: 'unknown',
	notReady: 'not ready',
	outsideHours: 'outside the calling hours, not sent',
	blocked: 'blocked, not sent',
	noConsent: 'without a valid consent, not sent',
	tooOften: 'called too often, not sent',
	limitReached: 'beyond a limit of the credential, not sent',
	notTried: 'not tried',
	alreadyQueued: 'already queued',
	sameNumber: 'with the number of another item',
};

/** What is said about the calls of an operation. */
const WORDS = {
	agentId: { none: 'No calls were placed.', done: 'Calls placed' },
	campaignId: { none: 'No calls were queued.', done: 'Calls queued' },
	noCalls: { none: 'Nothing was done.', done: 'Done' },
};

/**
 * The hint above the output: everything that did not go as planned, and how many test calls and real calls there are.
 *
 * @returns undefined if there is nothing to say
 */
export function summaryOf(
	outcomes: Outcomes,
	operation: Operation,
	{ limitedMs, repeats }: Pick<Pace, 'limitedMs' | 'repeats'>,
): string | undefined {
	const group = (label = '', indexes: number[], advice = '') =>
		indexes.length === 0 ? [] : [{ label, indexes, advice }];
	const groups = (...results: ItemResult[]) =>
		results.flatMap((result) =>
			group(LABELS[result], withResult(outcomes, result), adviceOn(result, operation, outcomes)),
		);
	const problems = [
		...groups('failed', 'unknown', 'notReady', 'outsideHours', 'blocked'),
		...groups('noConsent', 'tooOften', 'limitReached', 'notTried'),
		...group(LABELS.notReady, checkedAs(outcomes, operation, 'notReady')),
	];
	const others = [
		...groups('alreadyQueued', 'sameNumber'),
		...group('sent in an earlier try, and not again', sentEarlier(outcomes)),
	];
	const [first] = [...problems, ...others];
	const inWords = (said: typeof problems) =>
		said.map((one) => {
			const hasReasons = one.label === LABELS.failed || one.label === LABELS.notReady;
			const reasons = hasReasons ? reasonsInWords(outcomes, one.indexes, one === first) : undefined;
			const items = reasons ?? `${itemsInWords(one.indexes, MAX_RANGES)}${one === first ? ' (counted from 0)' : ''}`;
			return `${one.indexes.length} of ${outcomes.length} ${one.label}: ${items}. ${one.advice}`.trim();
		});
	const calls = callsInWords(outcomes, operation);
	const requests = [
		...(limitedMs > 0 ? [`Waited ${secondsInWords(limitedMs)} for the rate limit of the service.`] : []),
		...(repeats > 0
			? [`${quantity(repeats, 'request')} failed and ${repeats === 1 ? 'was' : 'were'} sent again.`]
			: []),
	];
	if (calls.length === 0 && first === undefined && requests.length === 0 && !operation.checksCall) {
		return undefined;
	}
	const done = calls.length > 0 ? calls : [doneInWords(outcomes, operation)];
	return [...inWords(problems), ...done, ...inWords(others), ...requests].join(' ');
}

/** How many items are done, of an operation without new calls. */
function doneInWords(outcomes: Outcomes, operation: Operation): string {
	if (operation.checksCall) {
		return `${checkedAs(outcomes, operation, 'ready').length} of ${outcomes.length} ready.`;
	}
	const done = withResult(outcomes, 'done').length;
	return done > 0 ? `${done} of ${quantity(outcomes.length, 'item')} done.` : wordsFor(operation).none;
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
		...list('Outcome unknown', 'unknown'),
	];
	const errors = list('Errors', 'failed', 'notReady');
	const withheld = [
		...list('Blocked or outside the calling hours', 'outsideHours', 'blocked'),
		...list('Without a valid consent', 'noConsent'),
		...list('Called too often', 'tooOften'),
		...list('Beyond a limit of the credential', 'limitReached'),
	];
	return effects.length === 0
		? [...(hasEarlier ? [] : [none]), ...errors, ...withheld].join(' ')
		: [...effects, ...errors, ...withheld, ...list('Not tried', 'notTried')].join(' ');
}

/**
 * The reasons of errors, the most frequent first, with the first items of each: "2 × Remove the extension (items 5, 7;
 * rows 7, 9)".
 *
 * @param isFirst whether to say how items and rows are counted
 * @returns undefined unless each of the items has an error
 */
function reasonsInWords(outcomes: Outcomes, indexes: readonly number[], isFirst: boolean): string | undefined {
	const byReason = new Map<string, number[]>();
	for (const index of indexes) {
		const outcome = outcomes[index];
		if (!failed(outcome)) {
			return undefined;
		}
		const { message, advice } = outcome.error;
		// The message about a value repeats the value, which is another one in each item.
		const reason = (/^'.*' cannot be /.test(message) && advice ? advice : message).replace(/\.$/, '');
		const same = byReason.get(reason) ?? [];
		same.push(index);
		byReason.set(reason, same);
	}
	const reasons = [...byReason].sort(([, one], [, other]) => other.length - one.length);
	const said = reasons.slice(0, MAX_REASONS).map(([reason, of], index) => {
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
	return [...said, ...(others.length > 0 ? [`${others.length} for other reasons`] : [])].join('; ');
}

function wordsFor({ callerIdField }: Operation) {
	return WORDS[callerIdField ?? 'noCalls'];
}

function adviceOn(result: ItemResult, { placesCall }: Operation, outcomes: Outcomes): string | undefined {
	if (result === 'notTried') {
		return withheldAdvice(outcomes);
	}
	if (result === 'alreadyQueued') {
		return `${oldTestCalls(outcomes)}To queue one more call for each, set Options → If Already Queued to Queue Again.`;
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

/** Says whether calls that were queued before are test calls: those hold their numbers like real ones. */
function oldTestCalls(outcomes: Outcomes): string {
	const known = withResult(outcomes, 'alreadyQueued').map((itemIndex) => outcomes[itemIndex]?.isTest);
	const tests = known.filter((isTest) => isTest).length;
	if (tests > 0) {
		return `${tests} of these calls ${tests === 1 ? 'is a test call' : 'are test calls'}. `;
	}
	return known.includes(undefined) ? 'Test calls hold their numbers, too. ' : '';
}

/** What a rule says of items that were not tried, which is the same for all of them. */
function withheldAdvice(outcomes: Outcomes): string | undefined {
	const withheld = outcomes.flatMap((outcome) => (outcome && !failed(outcome) ? (outcome.withheld ?? []) : []));
	const notTried = withheld.find(({ result }) => result === 'notTried');
	return notTried && `${notTried.message}. ${notTried.advice}`;
}

/** How many calls were placed or queued: test calls, then real calls. */
function callsInWords(outcomes: Outcomes, { callerIdField }: Operation): string[] {
	const accepted = withResult(outcomes, 'placed', 'queued');
	const tests = accepted.filter((itemIndex) => outcomes[itemIndex]?.isTest === true).length;
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

/** The indexes of the items with one of these results. */
function withResult(outcomes: Outcomes, ...results: Array<ItemResult | 'done'>): number[] {
	return indexesWhere(outcomes, (outcome) => results.includes(resultOfItem(outcome)));
}

/** The indexes of the items that a check found to be so; none for an operation that checks no calls. */
function checkedAs(outcomes: Outcomes, { checksCall }: Operation, result: 'ready' | 'notReady'): number[] {
	return indexesWhere(outcomes, (outcome) => checksCall && !failed(outcome) && outcome?.items[0]?.result === result);
}

function sentEarlier(outcomes: Outcomes): number[] {
	return indexesWhere(outcomes, (outcome) => !failed(outcome) && outcome?.sentEarlier === true);
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
