import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../lib/json';
import { statusWord } from './forms';

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
