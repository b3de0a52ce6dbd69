import { IANAZone } from 'luxon';

/** A stretch of time in milliseconds since 1970; `to` is not in it. */
export interface Span {
	from: number;
	to: number;
}

/** A stretch in which the clocks of a place show one day; `day` counts from 1970-01-01, which is 0. */
export interface DaySpan extends Span {
	day: number;
}

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
const DAY_MINUTES = DAY_MS / MINUTE_MS;
/** No zone changes its clocks twice in this time. */
const STEP_MS = DAY_MS / 2;

/** The weekday of a day: 1 Monday to 7 Sunday. */
export function weekdayOf(day: number): number {
	return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** The day of a date, YYYY-MM-DD. */
export function dayOf(date: string): number {
	return Date.parse(date) / DAY_MS;
}

/**
 * When, within a stretch of whole seconds, the clocks of a zone show a time from `start` up to `end` (HH:MM). An hour
 * that the clocks repeat is there twice, one that they skip not at all: so a day may have several spans.
 */
export function wallSpans(zone: string, within: Span, start: string, end: string): DaySpan[] {
	const opens = minuteOf(start) * MINUTE_MS;
	// The last minute of a day belongs to it: else a day that is open up to 23:59 would have a gap at midnight.
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

/** Cuts a stretch where the zone changes its clocks; each segment has one offset to UTC, in milliseconds. */
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
