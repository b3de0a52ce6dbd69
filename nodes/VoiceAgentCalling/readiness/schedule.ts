import { isRecord } from '../../shared/lib/isRecord';

const DAY_MS = 86_400_000;

const DAY_SECONDS = 86_400;

/** No time zone has two clock changes within this time. */
const STEP_MS = DAY_MS / 2;

/** Schedules repeat weekly. The second week covers a clock change that skips the campaign's only calling hour. */
const DAYS_AHEAD = 16;

/** When a campaign can call, as far as the API returns it. Days are counted from 1970-01-01. */
interface Schedule {
	/** Converts a time to wall-clock time in the campaign's zone: milliseconds since 1970, as if the zone were UTC. */
	wallClock: (time: number) => number;
	first: number;
	last: number;
	/** 1 is Monday, 7 is Sunday. */
	weekdays: readonly number[];
	/** In seconds since midnight; `to` is exclusive. */
	hours: ReadonlyArray<{ from: number; to: number }>;
}

/**
 * Reads the schedule of a campaign.
 *
 * @param campaign the campaign as the API returns it
 * @returns a function from a time to the first time from then on at which the campaign can call, or null if there is
 * none (milliseconds since 1970); undefined if the campaign does not contain its schedule
 */
export function slotsOf(campaign: Record<string, unknown>): ((now: number) => number | null) | undefined {
	const schedule = read(campaign);
	if (schedule === undefined) {
		return undefined;
	}
	// Called for each item, so the result is cached. It stays valid until its time comes.
	let cached: { from: number; slot: number | null } | undefined;
	return (now) => {
		if (isOpen(schedule, now)) {
			return now;
		}
		const isValid = cached && cached.from <= now && (cached.slot === null || cached.slot > now);
		if (!isValid) {
			cached = { from: now, slot: nextOpening(schedule, now) };
		}
		return cached?.slot ?? null;
	};
}

function read({
	timezone,
	start_date,
	end_date,
	days_of_week,
	...campaign
}: Record<string, unknown>): Schedule | undefined {
	const wallClock = typeof timezone === 'string' ? wallClockOf(timezone) : undefined;
	const hours = hoursOf(campaign);
	if (
		wallClock === undefined ||
		!Array.isArray(days_of_week) ||
		hours.some(({ from, to }) => Number.isNaN(from + to))
	) {
		return undefined;
	}
	return {
		wallClock,
		first: dayOf(start_date) ?? -Infinity,
		last: dayOf(end_date) ?? Infinity,
		weekdays: days_of_week.map(Number),
		hours,
	};
}

/** Returns the time ranges of a day. Without `call_time_ranges`, the older pair of times is the only range. */
function hoursOf({ call_time_ranges, earliest_call_time, latest_call_time }: Record<string, unknown>) {
	const ranges = Array.isArray(call_time_ranges)
		? call_time_ranges.filter(isRecord)
		: [{ start: earliest_call_time, end: latest_call_time }];
	return ranges.map(({ start, end }) => {
		const to = secondOf(end ?? '24:00');
		// A range that ends in the last minute of a day, or at midnight, lasts to the end of the day.
		return { from: secondOf(start ?? '00:00'), to: to === 0 || to >= DAY_SECONDS - 60 ? DAY_SECONDS : to };
	});
}

/** Parses HH:MM or HH:MM:SS to seconds since midnight. */
function secondOf(time: unknown): number {
	const [hours, minutes, seconds = 0] = String(time).split(':').map(Number);
	return hours * 3600 + minutes * 60 + seconds;
}

/** Parses a date that starts with YYYY-MM-DD to days since 1970-01-01. */
function dayOf(date: unknown): number | undefined {
	const day = typeof date === 'string' ? Date.parse(date.slice(0, 10)) / DAY_MS : Number.NaN;
	return Number.isNaN(day) ? undefined : day;
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

function isOpen({ wallClock, first, last, weekdays, hours }: Schedule, time: number): boolean {
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

/** Returns the times between two times at which a campaign can open: starts of its ranges, and clock changes. */
function changes({ wallClock, hours }: Schedule, from: number, to: number): number[] {
	const offsetAt = (time: number) => wallClock(time) - time;
	const offsets = [...new Set([offsetAt(from), offsetAt(to)])];
	const starts = offsets.flatMap((offset) => {
		const [first, last] = [from, to].map((time) => Math.floor((time + offset) / DAY_MS));
		const days = Array.from({ length: last - first + 1 }, (_none, index) => first + index);
		// An hour that the clocks repeat has one start per offset. The starts of a skipped hour are not open.
		return days.flatMap((day) => hours.map((range) => day * DAY_MS + range.from * 1000 - offset));
	});
	const within = starts.filter((time) => time >= from && time <= to);
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
