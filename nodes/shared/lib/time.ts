import { sleep } from 'n8n-workflow';

export const DAY_MS = 86_400_000;

/** A smaller number is in seconds since 1970 (until the year 5138); a larger number is in milliseconds. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** The last time that JavaScript can represent. */
const LAST_MILLISECONDS = 8_640_000_000_000_000;

const NUMBER = /^\d+(?:\.\d+)?$/;

/** Matches ISO 8601, also with a space as databases write it. The groups are the day, the time of day, and the zone. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Matches a date in an HTTP header, such as `Sat, 21 Nov 2026 06:00:30 GMT`. */
const HTTP_DATE = /^[a-z]+, \d\d[ -][a-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/i;

/**
 * Parses a time of the service: seconds or milliseconds since 1970, as a number or as text, or a date. Without a zone
 * it is in UTC, whatever the time zone of n8n. A time that a person enters without a zone is in the time zone of the
 * workflow instead, see `moment` in fields/timeKinds.ts.
 *
 * @returns milliseconds since 1970; undefined for a value that is not a time
 */
export function timeIn(value: unknown): number | undefined {
	const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
	if (NUMBER.test(text)) {
		const number = Number(text);
		const time = number < FIRST_MILLISECONDS ? number * 1000 : number;
		return time <= LAST_MILLISECONDS ? time : undefined;
	}
	const [, day, timeOfDay = '00:00', zone] = ISO.exec(text) ?? [];
	if (day !== undefined) {
		const time = Date.parse(`${day}T${timeOfDay.replace(',', '.')}${offsetOf(zone)}`);
		return Number.isNaN(time) || !exists(day) ? undefined : time;
	}
	const time = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(time) ? undefined : time;
}

/** Converts a zone to the form that `Date.parse` accepts. */
function offsetOf(zone = 'Z'): string {
	return /\d/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
}

/** Whether a day exists: `Date.parse` reads February 30 as March 2. */
function exists(day: string): boolean {
	return isoOf(Date.parse(`${day}T00:00Z`)).startsWith(day);
}

/** Formats a time in ISO 8601, in UTC. @param time in milliseconds since 1970 */
export function isoOf(time: number): string {
	return dateAt(time).toISOString();
}

/** Converts a time to a Date, which n8n expects. @param time in milliseconds since 1970 */
export function dateAt(time: number): Date {
	return new Date(time);
}

/** Returns the day of a time in UTC, such as 2026-11-29. @param time in milliseconds since 1970 */
export function utcDay(time: number): string {
	return isoOf(time).slice(0, 10);
}

/** The length of one wait, in milliseconds. n8n's timers cannot be stopped, so a long wait consists of short ones. */
const STEP_MS = 250;

/**
 * Waits for work to end, but not longer than a time limit. The work continues after the limit.
 *
 * @param ms the limit in milliseconds
 * @returns whether the work has ended in time
 * @throws the error of the work, if it fails in time
 */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
	const ended = work.then(() => true);
	const until = performance.now() + ms;
	for (let left = ms; left > 0; left = until - performance.now()) {
		if (await Promise.race([ended, sleep(Math.min(left, STEP_MS)).then(() => false)])) {
			return true;
		}
	}
	return false;
}
