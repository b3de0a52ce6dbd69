import { END_OF_TIME } from '../../time/time.mts';
import { DAY_MS, dayOf, wallSpans, weekdayOf } from '../../time/wallTime.mts';

/** The fields of a campaign that determine when it may call. */
export interface Schedule {
	start_date: string;
	end_date: string | null;
	days_of_week: number[];
	call_time_ranges: Array<{ start: string; end: string }>;
	timezone: string;
}

/** All weeks are alike, except that a clock change can remove a range: two weeks without an opening mean never. */
const DAYS_AHEAD = 16;

/**
 * Finds the first moment, not before `from`, at which the schedule allows a call: within a time range, on a day of
 * `days_of_week`, from `start_date` to `end_date`, all in the campaign's timezone.
 * @param from milliseconds since 1970
 * @returns milliseconds since 1970, or null if the schedule never opens again
 */
export function nextOpening(schedule: Schedule, from: number): number | null {
	const first = dayOf(schedule.start_date);
	const last = schedule.end_date === null ? Infinity : dayOf(schedule.end_date);
	// In every timezone a day starts less than 24 hours before the same day in UTC.
	const begin = Math.max(Math.floor(from / 1000) * 1000, (first - 1) * DAY_MS);
	for (let time = begin; time <= begin + DAYS_AHEAD * DAY_MS && time < END_OF_TIME; time += DAY_MS) {
		let opening = Infinity;
		for (const { start, end } of schedule.call_time_ranges) {
			for (const span of wallSpans(schedule.timezone, { from: time, to: time + DAY_MS }, start, end)) {
				const allowed = span.day >= first && span.day <= last && schedule.days_of_week.includes(weekdayOf(span.day));
				if (allowed && span.to > from) {
					opening = Math.min(opening, Math.max(span.from, from));
				}
			}
		}
		if (opening !== Infinity) {
			return opening;
		}
	}
	return null;
}
