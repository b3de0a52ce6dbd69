import type { IDataObject } from 'n8n-workflow';

import { deliveryStatus } from '../../../shared/client/statuses';
import { isRecord } from '../../../shared/lib/json';
import { sha256 } from '../../../shared/lib/text';
import { DAY_MS, timeIn } from '../../../shared/lib/time';

/** One delivery attempt, from the delivery log of a webhook. */
export interface Attempt {
	/** The ID of the log entry. */
	id: string;
	event: string;
	/** The number of the attempt within its delivery, from 1. */
	number: number;
	/** `success` or `failed`; `retrying` or `pending` while the service is still working on it. */
	status: string;
	/** The time of the attempt, in milliseconds since 1970. */
	at: number;
	/** Attempts of one delivery share this key: the event type and, if the log contains it, a hash of the payload. */
	delivery: string;
}

/** Parses a log entry of an agent's or a campaign's webhook. */
export function readAttempt(entry: IDataObject): Attempt {
	const { id, event, attempt, created_at, request_payload: sent } = entry;
	const type = String(event);
	const digest = sent ? sha256(JSON.stringify(sent)) : '';
	return {
		id: String(id),
		event: type,
		number: Number(attempt ?? 1),
		status: deliveryStatus(entry),
		// An entry without a valid time counts as new, so that it is not skipped.
		at: timeIn(created_at) ?? Date.now(),
		delivery: `${type} ${digest}`,
	};
}

/** The service keeps log entries for 30 days. */
const RETENTION_MS = 30 * DAY_MS;

interface Redelivery {
	/** The log entry of the new attempt; absent until the service responds. */
	to?: string;
	/** The time of the event's first failed attempt, in milliseconds since 1970. */
	since: number;
	/** The time of the redelivery, in milliseconds since 1970. */
	at: number;
}

/**
 * The redeliveries of earlier runs, stored in static data. A redelivery creates a new log entry and leaves the old one
 * unchanged, so without this record every run would redeliver the event again.
 */
export class Redeliveries {
	private readonly redeliveryByLogId: Record<string, Redelivery>;

	/** Redeliveries by the log entry that they created. */
	private readonly redeliveryByNewLogId = new Map<string | undefined, Redelivery>();

	/** @param staticData the node's static data, which n8n keeps between executions; changed in place */
	constructor(staticData: IDataObject) {
		if (!isRecord(staticData.redelivered)) {
			staticData.redelivered = {};
		}
		this.redeliveryByLogId = staticData.redelivered as unknown as Record<string, Redelivery>;
		for (const [id, redelivery] of Object.entries(this.redeliveryByLogId)) {
			if (Date.now() - redelivery.at > RETENTION_MS) {
				delete this.redeliveryByLogId[id];
			} else {
				this.redeliveryByNewLogId.set(redelivery.to, redelivery);
			}
		}
	}

	/** Whether a redelivery created a log entry. */
	isRedelivery(id: string): boolean {
		return this.redeliveryByNewLogId.has(id);
	}

	/** Whether a log entry has been redelivered. */
	isRedelivered(id: string): boolean {
		return this.redeliveryByLogId[id] !== undefined;
	}

	/**
	 * Returns when the event of an attempt first failed, in milliseconds since 1970. A failed redelivery keeps the time
	 * of the original attempt, so that redeliveries do not keep an old event alive forever.
	 */
	since({ id, at }: Attempt): number {
		return this.redeliveryByNewLogId.get(id)?.since ?? at;
	}

	/** Call this before requesting a redelivery, so that no other item of the run redelivers the same entry. */
	begin(attempt: Attempt): void {
		this.redeliveryByLogId[attempt.id] = { since: this.since(attempt), at: Date.now() };
	}

	/** Records a redelivery. @param to the log entry of the new attempt */
	done({ id }: Attempt, to: string): void {
		this.redeliveryByLogId[id] = { ...this.redeliveryByLogId[id], to };
	}

	/** Call this if the redelivery failed or its outcome is unknown: the next run checks the log again. */
	undo({ id }: Attempt): void {
		delete this.redeliveryByLogId[id];
	}
}

/**
 * Returns the failed attempts that no further attempt follows, so that their events did not arrive; oldest first.
 *
 * Each attempt has its own log entry, and entries do not say which delivery they belong to. So this function counts:
 * all attempts with number n are followed up to a time at which there are as many attempts with number n + 1. It
 * returns all failed attempts after the last such time, even if some of them were followed. It cannot tell which, and a
 * duplicate event is harmless (receivers recognize its ID), but a missing one is lost. If the log contains payloads,
 * attempts are grouped by payload, which removes this ambiguity.
 *
 * @param redeliveries known redeliveries, which do not count as followers of an attempt
 */
export function failedForGood(
	attempts: readonly Attempt[],
	redeliveries: Pick<Redeliveries, 'isRedelivery' | 'isRedelivered'>,
): Attempt[] {
	const groups = new Map<string, Attempt[]>();
	const sorted = oldestFirst(attempts);
	const groupOf = ({ delivery }: Attempt, number: number) => `${number} ${delivery}`;
	for (const attempt of sorted) {
		const key = groupOf(attempt, attempt.number);
		const group = groups.get(key);
		if (group) {
			group.push(attempt);
		} else {
			groups.set(key, [attempt]);
		}
	}
	const unresolved = [...groups.values()].flatMap((all) => {
		const group = all.filter(({ id }) => !redeliveries.isRedelivered(id));
		const failed = group.filter(({ status }) => status === 'failed');
		const next = (groups.get(groupOf(all[0], all[0].number + 1)) ?? []).filter(
			({ id }) => !redeliveries.isRedelivery(id),
		);
		// If a `retrying` entry has a follower, or there are more followers than failures, then the service leaves
		// entries on `retrying` after the next attempt. Such entries count as followed, too.
		const leavesRetrying = group.some(
			({ status, at }) => status === 'retrying' && next.some((follower) => follower.at >= at),
		);
		const tried =
			leavesRetrying || next.length > failed.length
				? group.filter(({ status }) => ['failed', 'retrying'].includes(status))
				: failed;
		return unfollowed(tried, next).filter(({ status }) => status === 'failed');
	});
	const failed = new Set(unresolved);
	return sorted.filter((attempt) => failed.has(attempt));
}

/** Sorts by time. Times are whole seconds; within a second, the list's order decides (reversed if newest first). */
function oldestFirst(attempts: readonly Attempt[]): Attempt[] {
	const [first, last] = [attempts.at(0)?.at ?? 0, attempts.at(-1)?.at ?? 0];
	const list = first < last ? attempts : attempts.toReversed();
	return list.toSorted((left, right) => left.at - right.at);
}

/** Returns the attempts after the last time at which all earlier attempts were followed. @param next the followers */
function unfollowed(tried: readonly Attempt[], next: readonly Attempt[]): Attempt[] {
	let open: Attempt[] = [];
	let followed = 0;
	let index = 0;
	for (const { at } of next) {
		for (; index < tried.length && tried[index].at <= at; index++) {
			open.push(tried[index]);
		}
		followed++;
		if (followed < open.length) {
			continue;
		}
		open = [];
		followed = 0;
	}
	return [...open, ...tried.slice(index)];
}
