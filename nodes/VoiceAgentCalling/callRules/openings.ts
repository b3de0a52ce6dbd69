import { DAY_MS } from '../../shared/lib/time';
import { offsetAt, type Span, type WallClock, withoutClockChanges } from './wallClock';

/** The length of the pieces in which openings are searched. */
export const STEP_MS = DAY_MS / 2;

const WEEK_DAYS = 7;

/** Hours repeat weekly. The second week covers a clock change that skips the only hour of a week. */
const DAYS_AHEAD = 16;

/** How far ahead common hours are searched: a year with all its clock changes. */
const COMMON_DAYS_AHEAD = 370;

/** Hours that repeat weekly. Days are counted from 1970-01-01. */
export interface WeeklyHours {
	wallClock: WallClock;
	/** The first and the last day. */
	first: number;
	last: number;
	/** The hours of each weekday, in seconds since midnight; `to` is exclusive. 1 is Monday, 7 is Sunday. */
	hours: Readonly<Record<number, readonly Span[]>>;
	/** Days without hours. */
	holidays?: ReadonlySet<number>;
}

/** Returns the weekday of a day: 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: number): number {
	return ((((day + 3) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS) + 1;
}

/** Returns the hours of a day. */
function hoursOn({ first, last, hours, holidays }: WeeklyHours, day: number): readonly Span[] {
	const isPossible = day >= first && day <= last && holidays?.has(day) !== true;
	return isPossible ? (hours[weekdayOf(day)] ?? []) : [];
}

/** Whether a time is within the hours. */
export function isOpen(weekly: WeeklyHours, time: number): boolean {
	const wall = weekly.wallClock(time);
	const day = Math.floor(wall / DAY_MS);
	const second = (wall - day * DAY_MS) / 1000;
	return hoursOn(weekly, day).some(({ from, to }) => second >= from && second < to);
}

/**
 * Finds the first time within the hours, after a time outside the hours.
 *
 * @returns milliseconds since 1970; null if such a time does not exist
 */
function nextOpening(weekly: WeeklyHours, time: number): number | null {
	// In every time zone, a day starts less than 24 hours before it starts in UTC.
	const begin = Math.max(Math.floor(time / 1000) * 1000, (weekly.first - 1) * DAY_MS);
	// Each holiday can remove the only day of a week.
	const end = begin + (DAYS_AHEAD + WEEK_DAYS * (weekly.holidays?.size ?? 0)) * DAY_MS;
	for (let from = begin; from < end; from += STEP_MS) {
		const openings = spansIn(weekly, { from, to: from + STEP_MS })
			.filter((span) => span.to > time)
			.map((span) => Math.max(span.from, time));
		if (openings.length > 0) {
			return Math.min(...openings);
		}
	}
	return null;
}

/**
 * Returns a function that finds the first time within the hours, at or after a given time. Times are in milliseconds
 * since 1970; null if the hours never begin again.
 */
export function openingsOf(weekly: WeeklyHours): (time: number) => number | null {
	const next = cached((time) => nextOpening(weekly, time));
	return (time) => (isOpen(weekly, time) ? time : next(time));
}

/** Keeps the last result of a function as {@link openingsOf} returns it, while it is valid: it is called for each item. */
function cached(find: (time: number) => number | null): (time: number) => number | null {
	let last: { from: number; opening: number | null } | undefined;
	return (time) => {
		if (!last || last.from > time || (last.opening !== null && last.opening <= time)) {
			last = { from: time, opening: find(time) };
		}
		return last.opening;
	};
}

/**
 * As {@link openingsOf}, for times that are within several hours at once: those of one person in several time zones.
 */
export function commonOpeningsOf(all: readonly WeeklyHours[]): (time: number) => number | null {
	const openings = all.map(openingsOf);
	return cached((time) => {
		// In some weeks of the year, clock changes leave no common hours.
		const end = time + COMMON_DAYS_AHEAD * DAY_MS;
		let at = time;
		for (let agreeing = 0, index = 0; at < end; index = (index + 1) % openings.length) {
			const opening = openings[index](at);
			if (opening === null) {
				return null;
			}
			agreeing = opening === at ? agreeing + 1 : 1;
			at = opening;
			if (agreeing === openings.length) {
				return at;
			}
		}
		return null;
	});
}

/** Returns the parts of a span (whole seconds) within the hours. They overlap if the hours of a day overlap. */
function spansIn(weekly: WeeklyHours, within: Span): Span[] {
	return withoutClockChanges(within, [weekly.wallClock]).flatMap((piece) => spansInPiece(weekly, piece));
}

/** {@link spansIn} for a piece without a clock change. A repeated hour is in two pieces, a skipped hour in none. */
function spansInPiece(weekly: WeeklyHours, { from, to }: Span): Span[] {
	const offset = offsetAt(weekly.wallClock, from);
	const spans: Span[] = [];
	for (let day = Math.floor((from + offset) / DAY_MS); day * DAY_MS < to + offset; day++) {
		const midnight = day * DAY_MS - offset;
		for (const hours of hoursOn(weekly, day)) {
			const span = {
				from: Math.max(from, midnight + hours.from * 1000),
				to: Math.min(to, midnight + hours.to * 1000),
			};
			if (span.from < span.to) {
				spans.push(span);
			}
		}
	}
	return spans;
}

/** The result of {@link compareHours}. */
export interface Comparison {
	/** The first span of the inner hours that is partly or fully outside the outer hours, if any. */
	conflict?: Span;
	/** Whether the inner hours have any span at all. */
	hasSpans: boolean;
}

/**
 * Compares two weekly hours span by span: checks that all spans of the inner hours lie inside the outer hours.
 *
 * @param within the time to compare, in whole seconds
 */
export function compareHours(inner: WeeklyHours, outer: WeeklyHours, within: Span): Comparison {
	let hasSpans = false;
	for (const piece of withoutClockChanges(within, [inner.wallClock, outer.wallClock])) {
		const offset = offsetAt(outer.wallClock, piece.from);
		const spans = spansInPiece(inner, piece).sort((one, other) => one.from - other.from);
		hasSpans ||= spans.length > 0;
		const conflict = spans.find((span) => !contains(outer, { from: span.from + offset, to: span.to + offset }));
		if (conflict) {
			return { conflict, hasSpans };
		}
	}
	return { hasSpans };
}

/** Whether a span of wall-clock time lies inside the hours. */
function contains(outer: WeeklyHours, wall: Span): boolean {
	for (let day = Math.floor(wall.from / DAY_MS); day * DAY_MS < wall.to; day++) {
		const from = (Math.max(wall.from, day * DAY_MS) - day * DAY_MS) / 1000;
		const to = (Math.min(wall.to, (day + 1) * DAY_MS) - day * DAY_MS) / 1000;
		if (!hoursOn(outer, day).some((hours) => from >= hours.from && to <= hours.to)) {
			return false;
		}
	}
	return true;
}
