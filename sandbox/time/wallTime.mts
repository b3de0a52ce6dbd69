import { IANAZone } from 'luxon';

/** An interval in milliseconds since 1970. Its end is exclusive. */
export interface Span {
	from: number;
	to: number;
}

/** An interval within one local day. `day` counts the days since 1970-01-01. */
export interface DaySpan extends Span {
	day: number;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
const DAY_MINUTES = DAY_MS / MINUTE_MS;
/** A time zone changes its clocks at most once in this time. */
const STEP_MS = DAY_MS / 2;

/** Returns the weekday of a day number: 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: number): number {
	return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Returns the day number of a date, YYYY-MM-DD. */
export function dayOf(date: string): number {
	return Date.parse(date) / DAY_MS;
}

/**
 * Returns the intervals in which the local time of a zone is from `start` up to `end` (HH:MM). Repeated hours count
 * twice and skipped hours do not count, so a day may have several intervals.
 * @param within the interval to search, in whole seconds
 */
export function wallSpans(zone: string, within: Span, start: string, end: string): DaySpan[] {
	const opens = minuteOf(start) * MINUTE_MS;
	// 23:59 includes the last minute of the day; otherwise days that are open until 23:59 would have a gap at midnight.
	const closes = (end >= '23:59' ? DAY_MINUTES : minuteOf(end)) * MINUTE_MS;
	const spans: DaySpan[] = [];
	for (const { from, to, offset } of segments(zone, within)) {
		for (let day = Math.floor((from + offset) / DAY_MS); day * DAY_MS < to + offset; day += 1) {
			const midnight = day * DAY_MS - offset;
			const span = {
				day,
				from: Math.max(from, midnight + opens),
				to: Math.min(to, midnight + closes),
			};
			if (span.from < span.to) {
				spans.push(span);
			}
		}
	}
	return spans;
}

function minuteOf(time: string): number {
	const [hours = 0, minutes = 0] = time.split(':').map(Number);
	return hours * 60 + minutes;
}

/** Cuts an interval where the zone changes its clocks; each segment has one offset from UTC, in milliseconds. */
function segments(zone: string, within: Span): Array<Span & { offset: number }> {
	const iana = IANAZone.create(zone);
	const offsetAt = (time: number) => Math.round(iana.offset(time) * MINUTE_MS);
	const found = [{ ...within, offset: offsetAt(within.from) }];
	for (let time = within.from; time < within.to; time += STEP_MS) {
		const next = Math.min(time + STEP_MS, within.to);
		const last = found.at(-1)!;
		const offset = offsetAt(next);
		if (offset === last.offset) {
			continue;
		}
		let [before, after] = [time, next];
		while (after - before > 1000) {
			const middle = before + Math.floor((after - before) / 2000) * 1000;
			if (offsetAt(middle) === last.offset) {
				before = middle;
			} else {
				after = middle;
			}
		}
		last.to = after;
		found.push({ from: after, to: within.to, offset });
	}
	return found.filter(({ from, to }) => from < to);
}
