import { type DateTime, IANAZone } from 'luxon';

import type { WeeklyHours } from '../../../../nodes/VoiceAgentCalling/callRules/openings.ts';
import { wallClockOf } from '../../../../nodes/VoiceAgentCalling/callRules/wallClock.ts';
import fc from '../../../fastCheck.mts';

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** A campaign as the API returns it. */
export interface Campaign extends Record<string, unknown> {
	timezone: string;
	start_date: string;
	end_date?: string | null;
	days_of_week: number[];
	call_time_ranges?: Array<{ start: string; end: string }>;
	earliest_call_time?: string;
	latest_call_time?: string;
	initial_call_delay?: number;
}

const pad = (number: number) => String(number).padStart(2, '0');

/** Whether a campaign is open at a moment, by luxon's calendar. */
export function isOpen({ days_of_week, start_date, end_date, ...campaign }: Campaign, moment: DateTime): boolean {
	if (!days_of_week.includes(moment.weekday)) {
		return false;
	}
	const { call_time_ranges: ranges, earliest_call_time: start = '', latest_call_time: end = '' } = campaign;
	const time = [moment.hour, moment.minute, moment.second].map(pad).join(':');
	const inHours = (ranges ?? [{ start, end }]).some((range) => {
		// The last minute of a day, and midnight as an end, are the end of the day.
		const lasts = range.end >= '23:59' || range.end.startsWith('00:00');
		return time >= range.start.padEnd(8, ':00') && (lasts || time < range.end.padEnd(8, ':00'));
	});
	const date = inHours ? (moment.toISODate() ?? '') : '';
	return inHours && date >= start_date && (!end_date || date <= end_date);
}

const changes = new Map<string, number[]>();

/** The days of 2026 and 2027, in milliseconds since 1970, after whose start a time zone changes its clocks. */
export function changesOf(timeZone: string): number[] {
	const known = changes.get(timeZone);
	if (known) {
		return known;
	}
	const zone = IANAZone.create(timeZone);
	const days = Array.from({ length: 730 }, (_none, index) => Date.UTC(2026, 0, 1) + index * DAY_MS);
	const found = days.filter((day) => zone.offset(day) !== zone.offset(day + DAY_MS));
	changes.set(timeZone, found);
	return found;
}

/** Time zones whose clocks change by 30 minutes, by two hours, in Ramadan, or by quarter-hour offsets; and all others. */
export const zones = fc.oneof(
	fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Antarctica/Troll', 'Africa/Casablanca'),
	fc.constantFrom('Pacific/Chatham', 'America/St_Johns', 'Asia/Kathmandu', 'Asia/Beirut', 'America/Santiago', 'UTC'),
	fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
);

const minute = fc.oneof(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 0, max: 1439 }));
const clock = (minutes: number) => `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
const range = fc
	.tuple(minute, fc.oneof({ weight: 4, arbitrary: minute }, { weight: 1, arbitrary: fc.constantFrom(0, 1439, 1440) }))
	.filter(([start, end]) => start !== end && start < 1439)
	.map(([start, end]) => (end === 0 || end > start ? [start, end] : [end, start]))
	.map(([start = 0, end = 0]) => ({ start: clock(start), end: clock(end) }));

/** Campaigns that are open in some minutes, most of them near clock changes, and times before, while and after they call. */
export const planned = fc
	.record({
		timezone: zones,
		days_of_week: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
		ranges: fc.array(range, { minLength: 1, maxLength: 3 }),
		isPair: fc.boolean(),
		change: fc.nat(),
		nearChange: fc.boolean(),
		day: fc.integer({ min: 0, max: 720 }),
		after: fc.integer({ min: 0, max: 3 * DAY_MS }),
		starts: fc.integer({ min: -20, max: 4 }),
		ends: fc.option(fc.integer({ min: 0, max: 25 }), { freq: 2 }),
		delay: fc.constantFrom(undefined, 0, 0, 30, 3600, 86_400),
	})
	.map(({ timezone, days_of_week, ranges, isPair, change, nearChange, day, after, starts, ends, delay }) => {
		const near = changesOf(timezone);
		const anchor = nearChange && near.length > 0 ? near[change % near.length] : Date.UTC(2026, 0, 1) + day * DAY_MS;
		const from = Number(anchor) - DAY_MS + after;
		const date = (time: number) => new Date(time).toISOString().slice(0, 10);
		const [{ start, end } = { start: '', end: '' }] = ranges;
		const hours = isPair
			? { earliest_call_time: `${start}:00`, latest_call_time: end === '23:59' ? '23:59:59' : `${end}:00` }
			: { call_time_ranges: ranges };
		const first = from + starts * DAY_MS;
		const campaign: Campaign = {
			timezone,
			days_of_week,
			start_date: date(first),
			end_date: ends === null ? null : date(first + ends * DAY_MS),
			...hours,
			...(delay === undefined ? {} : { initial_call_delay: delay }),
		};
		return { campaign, from };
	});

/** Hours in a form that luxon and the node read. */
export interface Plan {
	zone: string;
	/** The ranges of each weekday, in minutes of the day. */
	hours: Record<number, ReadonlyArray<readonly [from: number, to: number]>>;
	/** YYYY-MM-DD. */
	holidays: string[];
}

/** The same range on some weekdays. */
export const onDays = (weekdays: number[], from: number, to: number): Plan['hours'] =>
	Object.fromEntries(weekdays.map((weekday) => [weekday, [[from, to]]]));

/** The hours as the node reads them. */
export function weeklyOf({ zone, hours, holidays }: Plan): WeeklyHours {
	const wallClock = wallClockOf(zone);
	if (!wallClock) {
		throw new Error(zone);
	}
	const inSeconds = Object.entries(hours).map(([weekday, ranges]) => [
		weekday,
		ranges.map(([from, to]) => ({ from: from * 60, to: to * 60 })),
	]);
	return {
		wallClock,
		first: -Infinity,
		last: Infinity,
		hours: Object.fromEntries(inSeconds),
		holidays: new Set(holidays.map((date) => Date.parse(date) / DAY_MS)),
	};
}
