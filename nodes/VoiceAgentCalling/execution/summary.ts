import type { IDataObject } from 'n8n-workflow';

import { failed, ItemWithFile, type Outcome } from '../operation/items';
import type { Operation } from '../operation/operation';
import type { Pace } from '../sending/pace';
import { resultOf } from './outcomes';

/** The codes of errors that occur before anything is sent. */
const LOCAL_CODES = [
	'CALL_LIMIT_REACHED',
	'INVALID_INPUT',
	'MISSING_VARIABLES',
	'NOT_FOR_TOOLS',
	'NOT_READY',
	'NUMBER_NOT_ALLOWED',
	'VARIABLES_NOT_READ',
];

/** The kind under which a successful item is counted. */
function doneAs({ calledBy }: Operation): string {
	if (calledBy === undefined) {
		return 'done';
	}
	return calledBy === 'campaignId' ? 'queued' : 'placed';
}

function countedAs(outcome: Outcome | undefined, operation: Operation): string {
	if (outcome === undefined) {
		return 'notTried';
	}
	if (!failed(outcome)) {
		if (outcome.sameNumberAsItem !== undefined) {
			return 'sameNumber';
		}
		const [item] = outcome.items;
		const isQueued = item === undefined || (!(item instanceof ItemWithFile) && item.alreadyQueued === true);
		// `alreadyQueued` for an existing call that was returned or skipped.
		return operation.calledBy === 'campaignId' && isQueued ? 'alreadyQueued' : doneAs(operation);
	}
	const { code, httpStatus } = outcome.error;
	const result = resultOf(outcome.error);
	if (result !== 'failed') {
		return result;
	}
	if (httpStatus !== undefined) {
		return 'refused';
	}
	return LOCAL_CODES.includes(code) ? 'invalid' : 'failed';
}

/**
 * Counts the results of a run.
 *
 * @param startedAt milliseconds since 1970
 * @returns the number of items of each kind, the seconds that the run took, the requests that it sent, and how many of
 * them had to wait
 */
export function summaryOf(
	outcomes: ReadonlyArray<Outcome | undefined>,
	operation: Operation,
	{ requests, waits }: Pick<Pace, 'requests' | 'waits'>,
	startedAt: number,
): IDataObject {
	const counts: Record<string, number> = { [doneAs(operation)]: 0 };
	if (operation.calledBy === 'campaignId') {
		counts.alreadyQueued = 0;
	}
	if (operation.calledBy !== undefined) {
		counts.sameNumber = 0;
	}
	Object.assign(counts, { invalid: 0, refused: 0, failed: 0, notTried: 0, unknown: 0 });
	for (const outcome of outcomes) {
		counts[countedAs(outcome, operation)]++;
	}
	const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
	return { items: outcomes.length, ...counts, seconds, requests, waits };
}

/** The summary in one line: "3 items: 2 queued, 1 invalid. 0.4 seconds, 2 requests, of which 0 had to wait." */
export function inWords({ items, seconds, requests, waits, ...counts }: IDataObject): string {
	const words = (key: string) => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	const kinds = Object.entries(counts)
		.filter(([, count]) => count !== 0)
		.map(([kind, count]) => `${String(count)} ${words(kind)}`);
	const quantity = (count: unknown, what: string) => `${String(count)} ${what}${count === 1 ? '' : 's'}`;
	return `${quantity(items, 'item')}: ${kinds.join(', ') || 'none'}. ${String(seconds)} seconds, ${quantity(requests, 'request')}, of which ${String(waits)} had to wait.`;
}
