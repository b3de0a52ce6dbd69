import type { IDataObject } from 'n8n-workflow';

import { isBlank, isRecord } from '../lib/json';

/** Returns a status in the spelling of the API documentation: in lower case, and `cancelled` with two l. */
export function statusWord(status: unknown): string {
	const word = String(status ?? '')
		.trim()
		.toLowerCase();
	return word === 'canceled' ? 'cancelled' : word;
}

/** The status of an agent that makes and takes calls: the first in the API reference, the second in the public docs. */
const PUBLISHED: unknown[] = ['published', 'active'];

/** Whether an agent with this status is being edited, and therefore neither makes nor takes calls. */
export function isDraft(status: unknown): boolean {
	return ['draft', 'inactive'].includes(statusWord(status));
}

/** Whether an agent with this status makes and takes calls. */
export function isPublished(status: unknown): boolean {
	return PUBLISHED.includes(statusWord(status));
}

/** The final statuses of a campaign. */
const FINAL: unknown[] = ['cancelled', 'completed'];

/** Whether a campaign with this status will not start any further calls. */
export function isFinished(status: unknown): boolean {
	return FINAL.includes(statusWord(status));
}

/**
 * How a call ended; `doNotCall` if the number is on a do-not-call list, `unknown` if the word in its event is unknown, and
 * `timedOut` if the call was not known to be over at the time limit.
 */
export type CallEnd =
	| 'completed'
	| 'voicemail'
	| 'busy'
	| 'noAnswer'
	| 'failed'
	| 'doNotCall'
	| 'cancelled'
	| 'unknown'
	| 'timedOut';

/** The ends by the words of the service, normalized by {@link endOf}. */
const ENDS_BY_WORD: ReadonlyMap<string, CallEnd> = new Map([
	['completed', 'completed'],
	['voicemail', 'voicemail'],
	['busy', 'busy'],
	['noanswer', 'noAnswer'],
	['failed', 'failed'],
	['error', 'failed'],
	['donotcall', 'doNotCall'],
	['dnc', 'doNotCall'],
	['cancelled', 'cancelled'],
	['canceled', 'cancelled'],
]);

/** Returns the end for a word of the service in any spelling, such as `no-answer` or `No Answer`. */
export function endOf(word: unknown): CallEnd | undefined {
	return ENDS_BY_WORD.get(
		String(word)
			.toLowerCase()
			.replace(/[\s_-]/g, ''),
	);
}

/** Explains what a finished campaign means for a trigger, and what to do. */
export const ABOUT_FINISHED_CAMPAIGN =
	"It starts no more calls; only events of calls in progress still arrive. If this is not intended, choose another one in 'Campaign'.";

/**
 * Returns a message that a campaign is completed or cancelled; undefined for any other status.
 *
 * @param response the response to the request that reads the campaign
 */
export function finishedCampaign({ data }: IDataObject): string | undefined {
	return isRecord(data) && isFinished(data.status) ? `Campaign "${data.name}" is ${data.status}` : undefined;
}

/**
 * Returns the status of an entry in the log of a webhook: `success`, `failed`, `retrying` or `pending`. If the service
 * uses another word, the HTTP status of the receiver decides.
 */
export function deliveryStatus({ status, http_status: httpStatus, error }: IDataObject): string {
	const word = statusWord(status);
	if (['success', 'failed', 'retrying', 'pending'].includes(word)) {
		return word;
	}
	if (isBlank(httpStatus)) {
		return isBlank(error) ? word : 'failed';
	}
	return Number(httpStatus) >= 200 && Number(httpStatus) < 300 ? 'success' : 'failed';
}
