import { sleep } from 'n8n-workflow';

export const DAY_MS = 86_400_000;

/** A smaller number is in seconds since 1970 (until the year 5138); a larger one, in milliseconds. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** The last time that JavaScript has. */
const LAST_MILLISECONDS = 8_640_000_000_000_000;

const NUMBER = /^\d+(?:\.\d+)?$/;

/** ISO 8601, also as databases write it, with a space. In groups: the day, the time of day, the zone. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** A date in a header of HTTP, such as `Sat, 21 Nov 2026 06:00:30 GMT`. */
const HTTP_DATE = /^[a-z]+, \d\d[ -][a-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/i;

/**
 * A time as the service writes it: seconds or milliseconds since 1970, as a number or as text, or a date. Without a zone
 * it is in UTC, whatever the time zone of n8n is. A time that a person enters is another matter: without a zone it is in
 * the time zone of the workflow, see `moment` in fields/timeKinds.ts.
 *
 * @returns milliseconds since 1970; undefined for what is not a time
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

/** A zone in the one form that `Date.parse` reads. */
function offsetOf(zone = 'Z'): string {
	return /\d/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
}

/** Whether a day exists: `Date.parse` takes February 30 for March 2. */
function exists(day: string): boolean {
	return isoOf(Date.parse(`${day}T00:00Z`)).startsWith(day);
}

/** A time in ISO 8601, in UTC. @param time in milliseconds since 1970 */
export function isoOf(time: number): string {
	return dateAt(time).toISOString();
}

/** A time as n8n takes it. @param time in milliseconds since 1970 */
export function dateAt(time: number): Date {
	return new Date(time);
}

/** The day of a time, in UTC. @param time in milliseconds since 1970 @returns such as 2026-11-29 */
export function utcDay(time: number): string {
	return isoOf(time).slice(0, 10);
}

/** A timer cannot be stopped with what n8n offers, so a long wait is made of short ones, in milliseconds. */
const STEP_MS = 250;

/**
 * Waits for work, but not longer than a time. The work goes on after that.
 *
 * @param ms in milliseconds
 * @returns whether the work has ended in time
 * @throws what the work throws in that time
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
