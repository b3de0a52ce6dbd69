import type { IDataObject } from 'n8n-workflow';

import { BoundedMap } from '../../shared/lib/boundedMap';

/** The time of the newest event of each call, in milliseconds since 1970. */
const newestEvents = new BoundedMap<number>();

/**
 * Whether a newer event of the same call was received before, by the timestamps of the events. Remembers the event's
 * own. Events with the same timestamp are not late.
 *
 * @param node from `nodeKey`
 */
export function isLate(node: string, { call_id: callId, timestamp }: IDataObject): boolean {
	if (typeof callId !== 'string' || typeof timestamp !== 'string') {
		return false;
	}
	const time = Date.parse(timestamp);
	if (Number.isNaN(time)) {
		return false;
	}
	const key = JSON.stringify([node, callId]);
	const newest = newestEvents.get(key) ?? time;
	newestEvents.set(key, Math.max(newest, time));
	return time < newest;
}
