import type { IDataObject } from 'n8n-workflow';

import { groupBy } from '../../shared/lib/collections';
import { timeIn } from '../../shared/lib/time';
import { MAX_DELAY_MS } from '../operation/call';
import type { BookedCall } from './book';

/** A call in the list of the service. */
export interface ListedCall {
	/** The IDs by which the call can be named: `id` and `sid`. */
	ids: readonly unknown[];
	/** The name of its phone in the book. */
	phone: string;
	/** In milliseconds since 1970; NaN if that cannot be read. */
	createdAt: number;
	/** The latest time at which the phone can have begun to ring. */
	startedAt: number;
}

/** A call in the list of the service. @param phone the name of its phone in the book */
export function listedCall({ id, sid, created_at, updated_at, duration }: IDataObject, phone: string): ListedCall {
	const createdAt = timeIn(created_at) ?? Number.NaN;
	// A delayed call rings up to an hour after it was created. It was updated when it ended, or later.
	const ended = timeIn(updated_at) ?? createdAt + MAX_DELAY_MS;
	const began = ended - (Number(duration) || 0) * 1000;
	const startedAt = Math.min(Math.max(createdAt, began), createdAt + MAX_DELAY_MS);
	return { ids: [id, sid].filter((one) => one !== undefined && one !== null), phone, createdAt, startedAt };
}

/**
 * Finds the calls of a book in the list of the service. A call of an agent has the same ID there. A queued one is listed
 * under another ID when the phone rings: so it is at most one call of its phone that is later than itself.
 *
 * @returns the call in the list, for each call of the book that was found
 */
export function matchOwn(own: readonly BookedCall[], listed: readonly ListedCall[]): Map<BookedCall, ListedCall> {
	const byId = new Map(listed.flatMap((one) => one.ids.map((id) => [String(id), one] as const)));
	const isQueued = ({ group }: BookedCall) => group.ownerField === 'campaignId';
	const found = new Map<BookedCall, ListedCall>();
	const taken = new Set<ListedCall>();
	for (const call of own) {
		const one = isQueued(call) || call.id === undefined ? undefined : byId.get(call.id);
		if (one !== undefined) {
			found.set(call, one);
			taken.add(one);
		}
	}
	const queued = own.filter(isQueued).sort((one, other) => one.startsAt - other.startsAt);
	const phones = new Set(queued.map(({ phone }) => phone));
	const left = listed
		.filter((one) => phones.has(one.phone) && !taken.has(one))
		.sort((one, other) => one.createdAt - other.createdAt);
	const leftByPhone = groupBy(left, ({ phone }) => phone);
	for (const call of queued) {
		const ofPhone = leftByPhone.get(call.phone) ?? [];
		const index = ofPhone.findIndex(({ createdAt }) => createdAt >= call.startsAt);
		if (index !== -1) {
			found.set(call, ...(ofPhone.splice(index, 1) as [ListedCall]));
		}
	}
	return found;
}
