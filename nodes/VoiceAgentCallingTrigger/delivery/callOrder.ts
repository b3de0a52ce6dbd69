import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { Memory } from '../../shared/lib/boundedMap';
import { placeOf } from '../registration/nodeKey';

/** The moment of the newest event that this process has received of each call. */
const newest = new Memory<number>();

/**
 * Tells whether an event happened before one of the same call that was received already, by what the events
 * themselves say, and keeps its moment in mind. Two of the same moment are not late, whichever comes first.
 */
export function isLate(caller: IWebhookFunctions, { call_id: call, timestamp }: IDataObject): boolean {
	if (typeof call !== 'string' || typeof timestamp !== 'string') {
		return false;
	}
	const moment = Date.parse(timestamp);
	if (Number.isNaN(moment)) {
		return false;
	}
	const key = JSON.stringify([placeOf(caller), call]);
	const last = newest.get(key) ?? moment;
	newest.set(key, Math.max(last, moment));
	return moment < last;
}
