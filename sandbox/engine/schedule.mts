import { DateTime } from 'luxon';

/** The fields of a campaign that say when it may call. */
export interface Schedule {
	start_date: string;
	end_date: string | null;
	days_of_week: number[];
	call_time_ranges: Array<{ start: string; end: string }>;
	timezone: string;
}

/** Every week is the same but for one in which a clock change swallows a range; after two there is none at all. */
const DAYS_AHEAD = 15;

/**
 * The first moment, from `from` on, at which the schedule allows a call: a day from `start_date` to `end_date` that is
 * in `days_of_week`, within one of the time ranges, all read in the campaign's timezone.
 * @param from milliseconds since 1970
 * @returns milliseconds since 1970, or null where no such moment comes
 */
export function nextOpening(schedule: Schedule, from: number): number | null {
	const zone = schedule.timezone;
	const today = DateTime.fromMillis(from, { zone }).startOf('day');
	const first = DateTime.fromISO(schedule.start_date, { zone }).startOf('day');
	const begin = first > today ? first : today;
	for (let ahead = 0; ahead < DAYS_AHEAD; ahead += 1) {
		const day = begin.plus({ days: ahead });
		if (schedule.end_date !== null && day.toISODate()! > schedule.end_date) return null;
		if (!schedule.days_of_week.includes(day.weekday)) continue;
		const openings = schedule.call_time_ranges
			.map(({ start, end }) => openingOn(day, start, end, from))
			.filter((opening) => opening !== null);
		if (openings.length > 0) return Math.min(...openings);
	}
	return null;
}

function openingOn(day: DateTime, start: string, end: string, from: number): number | null {
	const opens = atWallTime(day, start, 'first');
	// The last minute of a day belongs to it: nothing else could say "until midnight".
	const closes = end >= '23:59' ? day.plus({ days: 1 }).startOf('day').toMillis() : atWallTime(day, end, 'last');
	const opening = Math.max(opens, from);
	return opening < closes ? opening : null;
}

/**
 * The moment at which a day's clocks show a time. Where they show it twice, the first or the last; where they skip it,
 * the moment of the jump, so that a range within the skipped hour is empty.
 */
function atWallTime(day: DateTime, time: string, which: 'first' | 'last'): number {
	const [hour = 0, minute = 0] = time.split(':').map(Number);
	const wall = day.set({ hour, minute });
	if (wall.hour !== hour || wall.minute !== minute) return jumpBefore(wall);
	const moments = wall.getPossibleOffsets().map((possible) => possible.toMillis());
	return which === 'first' ? Math.min(...moments) : Math.max(...moments);
}

/** The moment at which the clocks jumped forward, at most some hours before `after`. */
function jumpBefore(after: DateTime): number {
	let moment = after.startOf('minute');
	while (moment.minus({ minutes: 1 }).offset === after.offset) moment = moment.minus({ minutes: 1 });
	return moment.toMillis();
}
