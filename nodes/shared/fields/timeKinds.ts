import { tryToParseDateTime } from 'n8n-workflow';

import { defineField, type Field } from './field';
import { listOf, literal, type Property } from './kinds';

/** How ISO 8601 begins, and what databases write. */
const ISO_DAY = /^\s*\d{4}-\d{2}-\d{2}/;

/** Whether the calendar has a day: the 30th of February would be taken for the 2nd of March. */
function isDay(written: string | undefined): boolean {
	const time = Date.parse(`${written}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(String(written));
}

/** What n8n's date picker or an expression gives, in the time zone of the workflow unless it names one. */
function parsed(value: unknown, timezone: string) {
	// What else there is can be read in two ways: 03/04/2026, or 46112, a day's number in a spreadsheet, as a year.
	const clear = typeof value === 'string' ? isDay(ISO_DAY.exec(value)?.[0].trim()) : typeof value === 'object';
	if (!clear) {
		return undefined;
	}
	try {
		return tryToParseDateTime(value, timezone);
	} catch {
		return undefined;
	}
}

/** A moment of the service as the clocks of a time zone show it, in ISO 8601 with the offset. */
export function inTimeZone(moment: unknown, zone: string): string | null {
	return parsed(moment, 'UTC')?.setZone(zone).toISO({ suppressMilliseconds: true }) ?? null;
}

/** A moment, sent in ISO 8601 with its offset. Without one, it is a time in the workflow's time zone. */
export function moment<const Key extends string>(key: Key, property: Property): Field<Key, string> {
	return defineField({
		key,
		properties: [literal(property, 'dateTime', { default: '' })],
		read: ({ get, timezone }) => {
			const value = get(property.name);
			if (value === undefined || value === null || value === '') {
				return value;
			}
			return parsed(value, timezone)?.toISO({ suppressMilliseconds: true }) ?? false;
		},
		check: (zod) => zod.string({ invalid_type_error: 'Enter a date and time, like 2026-03-31T09:30' }),
	});
}

/** A calendar day, sent as YYYY-MM-DD: as written, or in the workflow's time zone. */
export function day<const Key extends string>(key: Key, property: Property): Field<Key, string> {
	return defineField({
		key,
		properties: [literal(property, 'dateTime', { default: '', typeOptions: { dateOnly: true } })],
		read: ({ get, timezone }) => {
			const value = get(property.name);
			if (value === undefined || value === null || value === '') {
				return value;
			}
			const written = typeof value === 'string' ? ISO_DAY.exec(value)?.[0].trim() : undefined;
			return parsed(written ?? value, timezone)?.toISODate() ?? false;
		},
		check: (zod) => zod.string({ invalid_type_error: 'Enter a date, like 2026-03-31' }),
	});
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)(:[0-5]\d)?$/;

const MIDNIGHT = /^24:00(:00)?$/;

/** A time of day, sent as HH:MM. @param limits `end` where it ends something, which midnight may too: 24:00 */
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
					(time) => TIME_OF_DAY.test(time) || (end && MIDNIGHT.test(time)),
					`Enter a time of day from 00:00 to ${end ? '24:00' : '23:59'}, like 09:30`,
				)
				.transform((time) => time.replace(/^\d:/, '0$&').slice(0, 5)),
	});
}

/** The first is day 1 of the service. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Days of the week; the service counts them from 1, Monday, to 7, Sunday. */
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
			listOf(get(property.name))?.map((one) => {
				const named = WEEKDAYS.findIndex((name) => name.toLowerCase() === String(one).toLowerCase());
				return named === -1 ? Number(one) : named + 1;
			}),
		check: (zod) =>
			zod
				.array(zod.number({ invalid_type_error: 'Use Monday to Sunday, or 1 to 7' }).int().min(1).max(7))
				.min(1, 'Choose one day at least'),
	});
}

/** An IANA time zone. */
export function timeZone<const Key extends string>(key: Key, property: Property): Field<Key, string> {
	return defineField({
		key,
		properties: [literal(property, 'options', { default: '', typeOptions: { loadOptionsMethod: 'getTimeZones' } })],
		check: (zod) => zod.string().trim().refine(isTimeZone, 'Use the name of a time zone, like Europe/Berlin or UTC'),
	});
}

function isTimeZone(name: string): boolean {
	// An offset such as +02:00 is no IANA name, though newer runtimes take it for a zone.
	if (/^[+-]/.test(name)) {
		return false;
	}
	try {
		return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
	} catch {
		return false;
	}
}
