import { isTimeZone } from '../../shared/fields/timeKinds';
import { DAY_MS, isoOf } from '../../shared/lib/time';

/** A step so short that no time zone changes its clocks twice within it. */
const STEP_MS = DAY_MS / 2;

/** Converts a time to wall-clock time in a zone: milliseconds since 1970, as if the zone were UTC. Whole seconds. */
export type WallClock = (time: number) => number;

/** A span of time in milliseconds since 1970; the end is exclusive. */
export interface Span {
	from: number;
	to: number;
}

const clocks = new Map<string, WallClock>();

/** Returns the wall clock of a time zone; undefined for an unknown time zone, see {@link isTimeZone}. */
export function wallClockOf(timeZone: string): WallClock | undefined {
	const known = clocks.get(timeZone) ?? (isTimeZone(timeZone) ? newClock(timeZone) : undefined);
	if (known) {
		clocks.set(timeZone, known);
	}
	return known;
}

function newClock(timeZone: string): WallClock {
	const fields = {
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	} as const;
	const format = new Intl.DateTimeFormat('en-US', { ...fields, timeZone, calendar: 'gregory', hourCycle: 'h23' });
	return (time) => {
		const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
		return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
	};
}

/** Returns the offset of a zone from UTC at a whole second, in milliseconds. */
export function offsetAt(wallClock: WallClock, time: number): number {
	return wallClock(time) - time;
}

/**
 * Returns the times after `from`, up to `to`, at which a zone changes its clocks.
 *
 * @param step two changes within it, there and back, are not found
 */
export function clockChanges(wallClock: WallClock, { from, to }: Span, step = STEP_MS): number[] {
	const found: number[] = [];
	let before = offsetAt(wallClock, from);
	for (let start = from; start < to; start += step) {
		const end = Math.min(start + step, to);
		const after = offsetAt(wallClock, end);
		if (after !== before) {
			found.push(changeBetween(wallClock, start, end));
		}
		before = after;
	}
	return found;
}

/** Finds the time of a clock change between two times by bisection, to the second. */
function changeBetween(wallClock: WallClock, from: number, to: number): number {
	const offset = offsetAt(wallClock, from);
	let [before, after] = [from, to];
	while (after - before > 1000) {
		const middle = before + Math.floor((after - before) / 2000) * 1000;
		if (offsetAt(wallClock, middle) === offset) {
			before = middle;
		} else {
			after = middle;
		}
	}
	return after;
}

/** Cuts a span at the clock changes of some zones. In each piece, every zone has one offset. Pieces are in order. */
export function withoutClockChanges({ from, to }: Span, clocks: readonly WallClock[]): Span[] {
	const cuts = clocks.flatMap((wallClock) => clockChanges(wallClock, { from, to }));
	const ends = [...new Set([from, ...cuts, to])].sort((one, other) => one - other);
	return ends.slice(1).map((end, index) => ({ from: ends[index], to: end }));
}

/** Returns a time in ISO 8601 with the offset of a zone, to the second. */
export function isoAt(wallClock: WallClock, time: number): string {
	const second = Math.floor(time / 1000) * 1000;
	const offset = offsetAt(wallClock, second) / 60_000;
	const pad = (value: number) => String(value).padStart(2, '0');
	const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.floor(Math.abs(offset) % 60)].map(pad);
	const local = isoOf(second + offset * 60_000).slice(0, 19);
	return `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

/** Formats a time on the clock for people: 2026-12-06 09:00. @param time in milliseconds since 1970 */
export function minuteAt(wallClock: WallClock, time: number): string {
	return isoAt(wallClock, time).slice(0, 16).replace('T', ' ');
}
