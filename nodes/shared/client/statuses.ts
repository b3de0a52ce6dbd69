import type { IDataObject } from 'n8n-workflow';

import { isBlank, isRecord } from '../lib/json';

/** A status in the spelling of the documentation: in lower case, and `cancelled` with two l. */
export function statusWord(status: unknown): string {
	const word = String(status ?? '')
		.trim()
		.toLowerCase();
	return word === 'canceled' ? 'cancelled' : word;
}

/** The statuses of an agent that makes and takes calls; the API reference uses one, the public documentation the other. */
const PUBLISHED: unknown[] = ['published', 'active'];

/** Whether an agent with this status is being edited, and makes and takes no calls. */
export function isDraft(status: unknown): boolean {
	return ['draft', 'inactive'].includes(statusWord(status));
}

/** Whether an agent with this status makes and takes calls. */
export function isPublished(status: unknown): boolean {
	return PUBLISHED.includes(statusWord(status));
}

/** The final statuses of a campaign. */
const FINAL: unknown[] = ['cancelled', 'completed'];

/** Whether a campaign with this status starts no more calls. */
export function isFinished(status: unknown): boolean {
	return FINAL.includes(statusWord(status));
}

/** What a finished campaign means for a trigger, and what to do; sentences. */
export const ABOUT_FINISHED_CAMPAIGN =
	"It starts no more calls; only events of calls in progress still arrive. If this is not intended, choose another one in 'Campaign'.";

/**
 * Says that a campaign is completed or cancelled; undefined for any other.
 *
 * @param response to reading the campaign
 */
export function finishedCampaign({ data }: IDataObject): string | undefined {
	return isRecord(data) && isFinished(data.status) ? `Campaign "${data.name}" is ${data.status}` : undefined;
}

/**
 * The status of an entry in the log of a webhook: `success`, `failed`, `retrying` or `pending`. Where the service has
 * another word, what the receiver has answered says it.
 */
export function deliveryStatus({ status, http_status: answered, error }: IDataObject): string {
	const word = statusWord(status);
	if (['success', 'failed', 'retrying', 'pending'].includes(word)) {
		return word;
	}
	if (isBlank(answered)) {
		return isBlank(error) ? word : 'failed';
	}
	return Number(answered) >= 200 && Number(answered) < 300 ? 'success' : 'failed';
}
