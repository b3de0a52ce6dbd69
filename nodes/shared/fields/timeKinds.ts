import { tryToParseDateTime } from 'n8n-workflow';

import { isBlank, isRecord } from '../lib/json';
import { dateAt, timeIn } from '../lib/time';
import { defineField, type Field, issueOf, numeric } from './field';
import { listOf, literal, type Property } from './kinds';

/**
 * Matches a date with an optional time and an optional offset or time zone, in ISO 8601 and in formats of databases.
 */
const MOMENT =
	/^(\d{4}-\d\d-\d\d)([T ]\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?( ?(Z|UTC|GMT|[+-]\d\d(:?\d\d)?|\w+\/[\w/+-]+))?(\[[\w/+-]+\])?)?$/;

/** Returns the date at the beginning of a text; undefined if the text is not a single point in time. */
function dayIn(text: string): string | undefined {
	return MOMENT.exec(text.trim())?.[1];
}

/** Whether a value is a JavaScript date, or a date of n8n's expressions. */
function isDateObject(value: unknown): boolean {
	const isDate = Object.prototype.toString.call(value) === '[object Date]';
	return isDate || (isRecord(value) && value.isLuxonDateTime === true);
}

/** Parses a value of n8n's date picker or an expression. Without an offset, `timezone` applies. */
function parseMoment(value: unknown, timezone: string) {
	// Other formats are ambiguous, such as 03/04/2026, or 46112, which is a date in spreadsheets and a year here.
	const isUnambiguous = typeof value === 'string' ? timeIn(dayIn(value)) !== undefined : isDateObject(value);
	if (!isUnambiguous) {
		return undefined;
	}
	try {
		return tryToParseDateTime(value, timezone);
	} catch {
		return undefined;
	}
}

/**
 * Converts a time of the service to a time zone, as ISO 8601 with offset.
 *
 * @returns null for a value that is not a time
 */
export function inTimeZone(value: unknown, zone: string): string | null {
	const time = timeIn(value);
	const moment = time === undefined ? undefined : parseMoment(dateAt(time), 'UTC');
	return moment?.setZone(zone).toISO({ suppressMilliseconds: true }) ?? null;
}

/** Declares a point in time, sent in ISO 8601 with offset. Without an offset, the workflow's time zone applies. */
export function moment<const Key extends string>(key: Key, property: Property): Field<Key, string> {
	return defineField({
		key,
		properties: [literal(property, 'dateTime', { default: '' })],
		read: ({ get, timezone }) => {
			const value = get(property.name);
			if (isBlank(value)) {
				return value;
			}
			return parseMoment(value, timezone)?.toISO({ suppressMilliseconds: true }) ?? false;
		},
		check: (zod) => zod.string({ invalid_type_error: 'Enter a date and time, like 2026-03-31T09:30' }),
	});
}

/** Matches a time in UTC, in all forms in which programs and databases write it. */
const IN_UTC = /[T ]([\d:.,]+) ?(?:(?:Z|UTC|GMT|[+-]00(?::?00)?)(?:\[(?:Etc\/)?(?:UTC|GMT)\])?|Etc\/(?:UTC|GMT))$/;

/**
 * Converts a date to YYYY-MM-DD. A text has the date that is written in it, and a DateTime the date in its zone.
 * Databases convert a local midnight to a time in UTC, also as a Date. Such a time has the date of the workflow's time
 * zone, unless it is midnight in UTC.
 *
 * @returns undefined if it cannot be parsed
 */
export function dateOf(value: unknown, timezone: string): string | undefined {
	const moment = parseMoment(value, timezone);
	if (moment === undefined) {
		return undefined;
	}
	const isDate = Object.prototype.toString.call(value) === '[object Date]';
	const text = isDate ? (value as Date).toISOString() : value;
	if (typeof text !== 'string') {
		return moment.toISODate() ?? undefined;
	}
	const [, time] = IN_UTC.exec(text.trim()) ?? [];
	return time === undefined || !/[1-9]/.test(time) ? dayIn(text) : (moment.setZone(timezone).toISODate() ?? undefined);
}

/** Declares a date, sent as YYYY-MM-DD, see {@link dateOf}. */
export function day<const Key extends string>(key: Key, property: Property): Field<Key, string> {
	return defineField({
		key,
		properties: [literal(property, 'dateTime', { default: '', typeOptions: { dateOnly: true } })],
		read: ({ get, timezone }) => {
			const value = get(property.name);
			if (isBlank(value)) {
				return value;
			}
			return dateOf(value, timezone) ?? false;
		},
		check: (zod) => zod.string({ invalid_type_error: 'Enter a date, like 2026-03-31' }),
	});
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(:00)?$/;

const MIDNIGHT = /^24:00(:00)?$/;

/**
 * Reads a time of day in the 24-hour format.
 *
 * @param limits `end` allows 24:00, for the end of a range
 * @returns HH:MM; undefined if it is not a time of day
 */
export function timeOfDayIn(text: string, { end = false }: { end?: boolean } = {}): string | undefined {
	const time = text.trim();
	const isTime = TIME_OF_DAY.test(time) || (end && MIDNIGHT.test(time));
	return isTime ? time.replace(/^\d:/, '0$&').slice(0, 5) : undefined;
}

/** Describes why a text is not a time of day. */
function whyNoTime(text: string): string {
	if (/^\d+:\d\d:\d\d$/.test(text)) {
		return 'has seconds: a time of day has hours and minutes only';
	}
	return /^\d+:\d\d/.test(text) ? 'is not a time of day' : 'must look like 09:00';
}

/**
 * Declares a time of day, sent as HH:MM.
 *
 * @param limits `end` allows 24:00, for the end of a range. It is not published whether the service accepts it, so the
 * texts do not mention it.
 */
export function timeOfDay<const Key extends string>(
	key: Key,
	property: Property,
	{ end = false }: { end?: boolean } = {},
): Field<Key, string> {
	return defineField({
		key,
		properties: [literal(property, 'string', { default: '', placeholder: 'e.g. 09:00' })],
		check: (zod) =>
			zod
				.string()
				.trim()
				.refine(
					(time) => timeOfDayIn(time, { end }) !== undefined,
					(time) => issueOf('Enter a time of day from 00:00 to 23:59', { ofValue: whyNoTime(time) }),
				)
				.transform((time) => timeOfDayIn(time, { end }) ?? time),
	});
}

/** The names of the weekdays; Monday is day 1 of the service. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/**
 * Reads the English name of a weekday, its plural or its beginning, from two letters on: Monday, Mondays, Mon, Mo.
 *
 * @returns 1 for Monday, 7 for Sunday; undefined if it is not a weekday
 */
export function weekdayIn(text: string): number | undefined {
	const name = text.trim().toLowerCase();
	const index = name.length < 2 ? -1 : WEEKDAYS.findIndex((weekday) => `${weekday}s`.toLowerCase().startsWith(name));
	return index === -1 ? undefined : index + 1;
}

/** Declares weekdays, sent as numbers from 1 (Monday) to 7 (Sunday). Expressions may use numbers or English names. */
export function weekdays<const Key extends string>(key: Key, property: Property): Field<Key, number[]> {
	return defineField({
		key,
		properties: [
			literal(property, 'multiOptions', {
				default: [1, 2, 3, 4, 5],
				options: WEEKDAYS.map((name, index) => ({ name, value: index + 1 })),
			}),
		],
		read: ({ get }) =>
			listOf(get(property.name))?.map((weekday) =>
				typeof weekday === 'string' ? (weekdayIn(weekday) ?? weekday) : weekday,
			),
		check: (zod) =>
			zod
				.array(numeric(zod, zod.number({ invalid_type_error: 'Use Monday to Sunday, or 1 to 7' }).int().min(1).max(7)))
				.min(1, 'Choose at least one day'),
	});
}

/** Declares a field for the name of an IANA time zone. */
export function timeZone<const Key extends string>(key: Key, property: Property): Field<Key, string> {
	return defineField({
		key,
		properties: [literal(property, 'options', { default: '', typeOptions: { loadOptionsMethod: 'getTimeZones' } })],
		check: (zod) => zod.string().trim().refine(isTimeZone, 'Use the name of a time zone, like Europe/Berlin or UTC'),
	});
}

/**
 * Whether a text is UTC, or the name of an IANA time zone with a slash. Other texts that Node.js accepts are refused:
 * abbreviations are ambiguous (BST would be Asia/Dhaka, and IST Asia/Kolkata), and offsets such as +02:00 are not
 * names.
 */
export function isTimeZone(name: string): boolean {
	if (name === 'UTC') {
		return true;
	}
	if (!name.includes('/')) {
		return false;
	}
	try {
		return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
	} catch {
		return false;
	}
}
