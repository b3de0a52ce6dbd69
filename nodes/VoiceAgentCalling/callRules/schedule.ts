import { isRecord } from '../../shared/lib/json';
import { DAY_MS, timeIn } from '../../shared/lib/time';
import { openingsOf, type WeeklyHours } from './openings';
import { type Span, wallClockOf } from './wallClock';

const DAY_SECONDS = 86_400;

/** When a campaign can call, as far as the API returns it. */
export interface Schedule extends WeeklyHours {
	/** IANA name. */
	timeZone: string;
	/** How long a number waits after it was queued, in milliseconds. */
	delay: number;
}

/** Returns the first time at which a campaign can call a number that is queued at a time. See {@link slotsOf}. */
export type Slots = (now: number) => number | null;

/**
 * Returns the calling times of a campaign: a function from the time at which a number is queued to the first time at
 * which the campaign can call it, or null if it never can. Times are in milliseconds since 1970.
 *
 * @param campaign the campaign as the API returns it
 * @returns undefined if it is not clear when the campaign calls
 */
export function slotsOf(campaign: Record<string, unknown>): Slots | undefined {
	const schedule = scheduleOf(campaign);
	if (schedule === undefined) {
		return undefined;
	}
	const nextOpening = openingsOf(schedule);
	return (queuedAt) => nextOpening(queuedAt + schedule.delay);
}

/**
 * Reads the schedule of a campaign.
 *
 * @param campaign the campaign as the API returns it
 * @returns undefined if it is not clear when the campaign calls
 */
export function scheduleOf({
	timezone: timeZone,
	start_date,
	end_date,
	days_of_week,
	initial_call_delay,
	...campaign
}: Record<string, unknown>): Schedule | undefined {
	const wallClock = typeof timeZone === 'string' ? wallClockOf(timeZone) : undefined;
	const first = dayOf(start_date);
	const last = isMissing(end_date) ? Infinity : dayOf(end_date);
	const weekdays = weekdaysOf(days_of_week);
	const ranges = hoursOf(campaign);
	const delay = isMissing(initial_call_delay) ? 0 : Number(initial_call_delay) * 1000;
	const isClear = Number.isFinite(delay) && delay >= 0;
	if (!wallClock || first === undefined || last === undefined || !weekdays || !ranges || !isClear) {
		return undefined;
	}
	const hours = Object.fromEntries(weekdays.map((weekday) => [weekday, ranges]));
	return { timeZone: timeZone as string, wallClock, first, last, hours, delay };
}

const isMissing = (value: unknown) => value === undefined || value === null;

/** Returns days from 1 to 7; undefined for an empty list, which may stand for every day or for no day. */
function weekdaysOf(days: unknown): number[] | undefined {
	const weekdays = Array.isArray(days) ? days.map(Number) : [];
	const areDays = weekdays.length > 0 && weekdays.every((day) => Number.isInteger(day) && day >= 1 && day <= 7);
	return areDays ? weekdays : undefined;
}

/**
 * Returns the time ranges of a day. Without `call_time_ranges`, the older pair of times is the only range.
 *
 * @returns undefined if they are not clear: an empty list may stand for the whole day or for the pair, and the service
 * does not document whether a range that ends before it starts continues after midnight
 */
function hoursOf({ call_time_ranges, earliest_call_time, latest_call_time }: Record<string, unknown>) {
	const ranges = isMissing(call_time_ranges)
		? [{ start: earliest_call_time, end: latest_call_time }]
		: call_time_ranges;
	if (!Array.isArray(ranges) || ranges.length === 0) {
		return undefined;
	}
	const hours = ranges.map(rangeOf);
	return hours.every((range) => range !== undefined) ? hours : undefined;
}

function rangeOf(range: unknown): Span | undefined {
	const { start, end } = isRecord(range) ? range : {};
	const [from, last] = [start, end].map(secondOf);
	if (from === undefined || last === undefined) {
		return undefined;
	}
	// A range that ends in the last minute of a day, or at midnight, lasts to the end of the day.
	const to = last === 0 || last >= DAY_SECONDS - 60 ? DAY_SECONDS : last;
	return from < to && from !== last ? { from, to } : undefined;
}

/** Parses HH:MM or HH:MM:SS, up to 24:00, to seconds since midnight. */
export function secondOf(time: unknown): number | undefined {
	const [, hours, minutes, seconds = '0'] = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(String(time)) ?? [];
	const second = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
	return Number(minutes) < 60 && Number(seconds) < 60 && second <= DAY_SECONDS ? second : undefined;
}

/** Parses YYYY-MM-DD, with or without midnight after it, to days since 1970-01-01. */
export function dayOf(date: unknown): number | undefined {
	const [, text] = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?$/.exec(String(date)) ?? [];
	const time = timeIn(text);
	return time === undefined ? undefined : time / DAY_MS;
}
