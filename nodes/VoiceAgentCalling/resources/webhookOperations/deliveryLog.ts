import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

/** One attempt to deliver, as the log of a webhook shows it. */
export interface Attempt {
	/** Of the entry in the log. */
	id: string;
	event: string;
	/** Counts from 1 for each delivery. */
	number: number;
	/** `success`, `failed`; `retrying` and `pending` where the service is not done with it. */
	status: string;
	/** When it was made, in milliseconds since 1970. */
	at: number;
	/** What may be the same delivery: the kind of event, and where the log shows it, what was sent. */
	delivery: string;
}

/** Reads an entry of the log of an agent's or a campaign's webhook. */
export function readAttempt({ id, event, attempt, status, created_at, request_payload: sent }: IDataObject): Attempt {
	const at = Date.parse(String(created_at));
	const kind = String(event);
	const digest = sent ? createHash('sha256').update(JSON.stringify(sent)).digest('base64url') : '';
	return {
		id: String(id),
		event: kind,
		number: Number(attempt ?? 1),
		status: String(status),
		// What has no time counts as new: it is better looked at than left out.
		at: Number.isNaN(at) ? Date.now() : at,
		delivery: `${kind} ${digest}`,
	};
}

/** What is known of redeliveries from elsewhere, by the IDs of entries. */
export interface KnownRedeliveries {
	/** Whether the entry was made by one. */
	isOne(id: string): boolean;
	/** Whether the entry has had one. */
	hasOne(id: string): boolean;
}

/**
 * The attempts that failed and that nothing follows, so that their events did not arrive; the oldest first.
 *
 * Each attempt is an entry of its own, and an entry does not say which other ones belong to its delivery ("Retries,
 * logs, redelivery"). The rule: the attempts of one number are done with up to a moment at which as many with the next
 * number have been made. Of what comes after the last such moment all that failed is given, even if some of it was
 * followed and nobody can tell which: an event that comes twice is known by its ID, one that never comes is lost. Where
 * the log shows what was sent, only attempts with the same content are taken together, and there is no such doubt.
 */
export function failedForGood(attempts: readonly Attempt[], known: KnownRedeliveries): Attempt[] {
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
	const found = [...groups.values()].flatMap((all) => {
		const group = all.filter(({ id }) => !known.hasOne(id));
		const failed = group.filter(({ status }) => status === 'failed');
		const next = (groups.get(groupOf(all[0], all[0].number + 1)) ?? []).filter(({ id }) => !known.isOne(id));
		// More than failed were tried again, or one that still says so was followed: the service leaves `retrying` on those.
		const leaves = group.some(({ status, at }) => status === 'retrying' && next.some((one) => one.at >= at));
		const tried =
			leaves || next.length > failed.length
				? group.filter(({ status }) => ['failed', 'retrying'].includes(status))
				: failed;
		return unfollowed(tried, next).filter(({ status }) => status === 'failed');
	});
	const failed = new Set(found);
	return sorted.filter((attempt) => failed.has(attempt));
}

/** Times are of whole seconds: within one, the order is that of the list, turned round where that begins with the newest. */
function oldestFirst(attempts: readonly Attempt[]): Attempt[] {
	const [first, last] = [attempts.at(0)?.at ?? 0, attempts.at(-1)?.at ?? 0];
	const list = first < last ? attempts : attempts.toReversed();
	return list.toSorted((one, other) => one.at - other.at);
}

/** The attempts after the last moment at which as many had been followed as had been made. */
function unfollowed(tried: readonly Attempt[], next: readonly Attempt[]): Attempt[] {
	let open: Attempt[] = [];
	let followed = 0;
	let at = 0;
	for (const { at: time } of next) {
		for (; at < tried.length && tried[at].at <= time; at++) {
			open.push(tried[at]);
		}
		followed++;
		if (followed < open.length) {
			continue;
		}
		open = [];
		followed = 0;
	}
	return [...open, ...tried.slice(at)];
}
