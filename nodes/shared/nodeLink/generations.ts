import { type Generations, MAX_FORMERS } from './owner';

/** How long a replaced secret is still accepted: deliveries signed with it may be on their way. In milliseconds. */
export const FORMER_ACCEPTED_MS = 60 * 60_000;

/** Whether a time is within an hour of now, in either direction: clocks differ. */
export function isRecent(time: number, now: number): boolean {
	return Math.abs(now - time) <= FORMER_ACCEPTED_MS;
}

/**
 * Makes the generations that follow others: a new current one, later than any before, and those that were current within
 * the last hour.
 *
 * @param before those of the webhook, if it has any
 * @param now in milliseconds since 1970
 */
export function nextGenerations(before: Generations | undefined, now: number): Generations {
	if (before === undefined) {
		return { current: now, formers: [] };
	}
	const current = Math.max(now, before.current + 1);
	const formers = [before.current, ...before.formers.filter((former) => isCurrent(before, former, now))];
	return { current, formers: [...new Set(formers)].slice(0, MAX_FORMERS) };
}

/** Whether a generation is the current one, or was until an hour ago: until its successor was made. */
export function isCurrent({ current, formers }: Generations, generation: number, now: number): boolean {
	if (generation === current) {
		return true;
	}
	const at = formers.indexOf(generation);
	return at >= 0 && isRecent(at === 0 ? current : formers[at - 1], now);
}
