import { DAY_MS } from '../../shared/lib/time';
import { offsetAt, type Span, type WallClock, withoutClockChanges } from './wallClock';

/** The length of the pieces in which openings are searched. */
export const STEP_MS = DAY_MS / 2;

const WEEK_DAYS = 7;

/** Hours repeat weekly. The second week covers a clock change that skips the only hour of a week. */
const DAYS_AHEAD = 16;

/** Hours that repeat weekly. Days are counted from 1970-01-01. */
export interface WeeklyHours {
	wallClock: WallClock;
	/** The first and the last day. */
	first: number;
	last: number;
	/** 1 is Monday, 7 is Sunday. */
	weekdays: readonly number[];
	/** In seconds since midnight; `to` is exclusive. */
	hours: readonly Span[];
	/** Days without hours. */
	holidays?: ReadonlySet<number>;
}

/** Returns the weekday of a day: 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: number): number {
	return ((((day + 3) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS) + 1;
}

function hasHours({ first, last, weekdays, holidays }: WeeklyHours, day: number): boolean {
	return day >= first && day <= last && weekdays.includes(weekdayOf(day)) && holidays?.has(day) !== true;
}

/** Whether a time is within the hours. */
export function isOpen(weekly: WeeklyHours, time: number): boolean {
	const wall = weekly.wallClock(time);
	const day = Math.floor(wall / DAY_MS);
	const second = (wall - day * DAY_MS) / 1000;
	return hasHours(weekly, day) && weekly.hours.some(({ from, to }) => second >= from && second < to);
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
 * Returns a function that finds the first time within the hours, at or after a given time. It is called for each item,
 * so it keeps its last result while that is valid. Times are in milliseconds since 1970; null if the hours never begin
 * again.
 */
export function openingsOf(weekly: WeeklyHours): (time: number) => number | null {
	let cached: { from: number; opening: number | null } | undefined;
	return (time) => {
		if (isOpen(weekly, time)) {
			return time;
		}
		const isValid = cached && cached.from <= time && (cached.opening === null || cached.opening > time);
		if (!isValid) {
			cached = { from: time, opening: nextOpening(weekly, time) };
		}
		return cached?.opening ?? null;
	};
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
		if (!hasHours(weekly, day)) {
			continue;
		}
		const midnight = day * DAY_MS - offset;
		for (const hours of weekly.hours) {
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
		if (!hasHours(outer, day) || !outer.hours.some((hours) => from >= hours.from && to <= hours.to)) {
			return false;
		}
	}
	return true;
}
