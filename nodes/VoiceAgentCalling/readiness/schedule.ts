import { isRecord } from '../../shared/lib/isRecord';

const DAY_MS = 86_400_000;

const DAY_SECONDS = 86_400;

/** No zone changes its clocks twice in this time. */
const STEP_MS = DAY_MS / 2;

/** Weeks are alike, but for one in which the clocks skip the only hour that a campaign has. */
const DAYS_AHEAD = 16;

/** When a campaign may call, as far as the service shows it; days count from 1970. */
interface Schedule {
	/** What the clocks of the campaign's time zone show at a moment, in milliseconds since 1970 as if it were UTC. */
	wallClock: (time: number) => number;
	first: number;
	last: number;
	/** 1 Monday to 7 Sunday. */
	weekdays: readonly number[];
	/** In seconds since midnight; `to` is not in it. */
	hours: ReadonlyArray<{ from: number; to: number }>;
}

/**
 * Tells from a campaign, as the service shows it, when it may call next.
 *
 * @returns a function that gives the first such moment from a moment on, both in milliseconds since 1970,
 * or null where none comes; undefined where the campaign does not tell enough
 */
export function slotsOf(campaign: Record<string, unknown>): ((now: number) => number | null) | undefined {
	const schedule = read(campaign);
	if (schedule === undefined) {
		return undefined;
	}
	// Asked for each item: what was found holds until its time has come.
	let found: { from: number; slot: number | null } | undefined;
	return (now) => {
		if (isOpen(schedule, now)) {
			return now;
		}
		const holds = found && found.from <= now && (found.slot === null || found.slot > now);
		if (!holds) {
			found = { from: now, slot: nextOpening(schedule, now) };
		}
		return found?.slot ?? null;
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

/** The ranges of a day; the older pair of times, which is all that the service shows of them, is one. */
function hoursOf({ call_time_ranges, earliest_call_time, latest_call_time }: Record<string, unknown>) {
	const ranges = Array.isArray(call_time_ranges)
		? call_time_ranges.filter(isRecord)
		: [{ start: earliest_call_time, end: latest_call_time }];
	return ranges.map(({ start, end }) => {
		const to = secondOf(end ?? '24:00');
		// The last minute of a day belongs to it, and midnight ends one.
		return { from: secondOf(start ?? '00:00'), to: to === 0 || to >= DAY_SECONDS - 60 ? DAY_SECONDS : to };
	});
}

/** HH:MM or HH:MM:SS in seconds since midnight. */
function secondOf(time: unknown): number {
	const [hours, minutes, seconds = 0] = String(time).split(':').map(Number);
	return hours * 3600 + minutes * 60 + seconds;
}

/** The day of a date that begins with YYYY-MM-DD. */
function dayOf(date: unknown): number | undefined {
	const day = typeof date === 'string' ? Date.parse(date.slice(0, 10)) / DAY_MS : Number.NaN;
	return Number.isNaN(day) ? undefined : day;
}

function wallClockOf(timeZone: string): Schedule['wallClock'] | undefined {
	const whole = {
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	} as const;
	try {
		const format = new Intl.DateTimeFormat('en-US', { ...whole, timeZone, calendar: 'gregory', hourCycle: 'h23' });
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

/** The first opening after a moment at which the campaign is closed. */
function nextOpening(schedule: Schedule, now: number): number | null {
	// Nowhere does a day begin more than a day before it does in UTC.
	const begin = Math.max(Math.floor(now / 1000) * 1000, (schedule.first - 1) * DAY_MS);
	for (let from = begin; from < begin + DAYS_AHEAD * DAY_MS; from += STEP_MS) {
		const openings = changes(schedule, from, from + STEP_MS).filter((time) => time > now && isOpen(schedule, time));
		if (openings.length > 0) {
			return Math.min(...openings);
		}
	}
	return null;
}

/** The moments in a stretch at which a campaign can open: the starts of its ranges, and changes of the clocks. */
function changes({ wallClock, hours }: Schedule, from: number, to: number): number[] {
	const offsetAt = (time: number) => wallClock(time) - time;
	const offsets = [...new Set([offsetAt(from), offsetAt(to)])];
	const starts = offsets.flatMap((offset) => {
		const [first, last] = [from, to].map((time) => Math.floor((time + offset) / DAY_MS));
		const days = Array.from({ length: last - first + 1 }, (_none, index) => first + index);
		// An hour that the clocks repeat has a start for each offset; one that they skip has none that is open.
		return days.flatMap((day) => hours.map((range) => day * DAY_MS + range.from * 1000 - offset));
	});
	const within = starts.filter((time) => time >= from && time <= to);
	return offsets.length > 1 ? [...within, changeBetween(offsetAt, from, to)] : within;
}

/** The moment at which the clocks change, to the second. */
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
