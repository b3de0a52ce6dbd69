import { isRecord } from '../../shared/lib/isRecord';

export const DAY_MS = 86_400_000;

const DAY_SECONDS = 86_400;

/** No time zone has two clock changes within this time. */
export const STEP_MS = DAY_MS / 2;

/** Schedules repeat weekly. The second week covers a clock change that skips the campaign's only calling hour. */
const DAYS_AHEAD = 16;

/** When a campaign can call, as far as the API returns it. Days are counted from 1970-01-01. */
export interface Schedule {
	/** Converts a time to wall-clock time in the campaign's zone: milliseconds since 1970, as if the zone were UTC. */
	wallClock: (time: number) => number;
	first: number;
	last: number;
	/** 1 is Monday, 7 is Sunday. */
	weekdays: readonly number[];
	/** In seconds since midnight; `to` is exclusive. */
	hours: readonly Hours[];
	/** How long a number is not called after it was queued, in milliseconds. */
	delay: number;
}

interface Hours {
	from: number;
	to: number;
}

/**
 * Reads the schedule of a campaign.
 *
 * @param campaign the campaign as the API returns it
 * @returns a function from the time at which a number is queued to the first time at which the campaign can call it, or
 * null if there is none (milliseconds since 1970); undefined if it is not clear when the campaign calls
 */
export function slotsOf(campaign: Record<string, unknown>): ((now: number) => number | null) | undefined {
	const schedule = readSchedule(campaign);
	if (schedule === undefined) {
		return undefined;
	}
	// Called for each item, so the result is cached. It stays valid until its time comes.
	let cached: { from: number; slot: number | null } | undefined;
	return (queuedAt) => {
		const from = queuedAt + schedule.delay;
		if (isOpen(schedule, from)) {
			return from;
		}
		const isValid = cached && cached.from <= from && (cached.slot === null || cached.slot > from);
		if (!isValid) {
			cached = { from, slot: nextOpening(schedule, from) };
		}
		return cached?.slot ?? null;
	};
}

/** Reads the schedule of a campaign as the API returns it. @returns undefined if it is not clear when the campaign calls */
export function readSchedule({
	timezone,
	start_date,
	end_date,
	days_of_week,
	initial_call_delay,
	...campaign
}: Record<string, unknown>): Schedule | undefined {
	const wallClock = typeof timezone === 'string' ? wallClockOf(timezone) : undefined;
	const first = dayOf(start_date);
	const last = isNone(end_date) ? Infinity : dayOf(end_date);
	const weekdays = weekdaysOf(days_of_week);
	const hours = hoursOf(campaign);
	const delay = isNone(initial_call_delay) ? 0 : Number(initial_call_delay) * 1000;
	const isClear = Number.isFinite(delay) && delay >= 0;
	if (!wallClock || first === undefined || last === undefined || !weekdays || !hours || !isClear) {
		return undefined;
	}
	return { wallClock, first, last, weekdays, hours, delay };
}

const isNone = (value: unknown) => value === undefined || value === null;

/** Days 1 to 7. An empty list may stand for every day or for none. */
function weekdaysOf(days: unknown): number[] | undefined {
	const weekdays = Array.isArray(days) ? days.map(Number) : [];
	const areDays = weekdays.length > 0 && weekdays.every((day) => Number.isInteger(day) && day >= 1 && day <= 7);
	return areDays ? weekdays : undefined;
}

/**
 * The time ranges of a day. Without `call_time_ranges`, the older pair of times is the only range.
 *
 * @returns undefined if they are not clear: an empty list may stand for the whole day or for the pair, and the service's
 * description does not say whether a range that ends before it starts goes on after midnight
 */
function hoursOf({ call_time_ranges, earliest_call_time, latest_call_time }: Record<string, unknown>) {
	const ranges = isNone(call_time_ranges) ? [{ start: earliest_call_time, end: latest_call_time }] : call_time_ranges;
	if (!Array.isArray(ranges) || ranges.length === 0) {
		return undefined;
	}
	const hours = ranges.map(rangeOf);
	return hours.every((range) => range !== undefined) ? hours : undefined;
}

function rangeOf(range: unknown): Hours | undefined {
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
function secondOf(time: unknown): number | undefined {
	const [, hours, minutes, seconds = '0'] = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(String(time)) ?? [];
	const second = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
	return Number(minutes) < 60 && Number(seconds) < 60 && second <= DAY_SECONDS ? second : undefined;
}

/** Parses YYYY-MM-DD, with or without midnight after it, to days since 1970-01-01. */
function dayOf(date: unknown): number | undefined {
	const [, text] = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?$/.exec(String(date)) ?? [];
	const time = Date.parse(`${text}T00:00:00Z`);
	const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(String(text));
	return exists ? time / DAY_MS : undefined;
}

function wallClockOf(timeZone: string): Schedule['wallClock'] | undefined {
	const fields = {
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	} as const;
	try {
		const format = new Intl.DateTimeFormat('en-US', { ...fields, timeZone, calendar: 'gregory', hourCycle: 'h23' });
		return (time) => {
			const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
			return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
		};
	} catch {
		return undefined;
	}
}

/** Whether a campaign can call at a time. */
export function isOpen({ wallClock, first, last, weekdays, hours }: Schedule, time: number): boolean {
	const wall = wallClock(time);
	const day = Math.floor(wall / DAY_MS);
	const second = (wall - day * DAY_MS) / 1000;
	const weekday = ((day + 3) % 7) + 1;
	return (
		day >= first &&
		day <= last &&
		weekdays.includes(weekday) &&
		hours.some(({ from, to }) => second >= from && second < to)
	);
}

/** Returns the first opening after a time at which the campaign is closed. */
function nextOpening(schedule: Schedule, now: number): number | null {
	// In every time zone, a day starts less than 24 hours before it starts in UTC.
	const begin = Math.max(Math.floor(now / 1000) * 1000, (schedule.first - 1) * DAY_MS);
	for (let from = begin; from < begin + DAYS_AHEAD * DAY_MS; from += STEP_MS) {
		const openings = changes(schedule, from, from + STEP_MS).filter((time) => time > now && isOpen(schedule, time));
		if (openings.length > 0) {
			return Math.min(...openings);
		}
	}
	return null;
}

/**
 * Returns the times between two times, in whole seconds and at most {@link STEP_MS} apart, at which a campaign can open
 * or close: starts and ends of its ranges, and clock changes. In no order.
 */
export function changes({ wallClock, hours }: Schedule, from: number, to: number): number[] {
	const offsetAt = (time: number) => wallClock(time) - time;
	const offsets = [...new Set([offsetAt(from), offsetAt(to)])];
	const edges = offsets.flatMap((offset) => {
		const [first, last] = [from, to].map((time) => Math.floor((time + offset) / DAY_MS));
		const days = Array.from({ length: last - first + 1 }, (_none, index) => first + index);
		// An hour that the clocks repeat has one start per offset. The starts of a skipped hour are not open.
		return days.flatMap((day) =>
			hours.flatMap(({ from: start, to: end }) => [start, end].map((second) => day * DAY_MS + second * 1000 - offset)),
		);
	});
	const within = edges.filter((time) => time >= from && time <= to);
	return offsets.length > 1 ? [...within, changeBetween(offsetAt, from, to)] : within;
}

/** Finds the time of a clock change between two times by bisection, to the second. */
function changeBetween(offsetAt: (time: number) => number, from: number, to: number): number {
	let [before, after] = [from, to];
	while (after - before > 1000) {
		const middle = before + Math.floor((after - before) / 2000) * 1000;
		if (offsetAt(middle) === offsetAt(from)) {
			before = middle;
		} else {
			after = middle;
		}
	}
	return after;
}
