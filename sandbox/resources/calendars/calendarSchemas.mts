import { z } from 'zod';

import { ASSUMED, named } from '../../http/named.mts';
import { count, dateText, identifier, shownUrl, timestamp } from '../../http/responseSchemas.mts';
import { anyObject } from '../../http/schemas.mts';

const listed = {
	id: identifier,
	name: z.string(),
	timezone: z.string().describe('IANA name.'),
	owner_id: identifier,
	created_at: timestamp,
};

export const listedCalendarSchema = named('CalendarSummary', z.object(listed));
export const calendarSchema = named('Calendar', z.object({ ...listed, metadata: anyObject, updated_at: timestamp }));
export const updatedCalendarSchema = z.object({ id: identifier, name: z.string(), updated_at: timestamp });

const synced = { provider: z.string(), last_sync_at: timestamp.nullable().describe('Null before the first sync.') };
export const providerSchema = named(
	'CalendarProvider',
	z.object({ id: identifier, ...synced, external_calendar_id: z.string(), is_active: z.boolean() }),
);
export const syncStatusSchema = named(
	'CalendarSyncStatus',
	z.object({ calendar_id: identifier, ...synced, is_syncing: z.boolean(), events_synced: count }),
);
/** The IDs of calendars. */
export const startedSyncSchema = z.object({ syncing: z.array(identifier), up_to_date: z.array(identifier) });

const shownRole = z.enum(['owner', 'editor', 'viewer']);
export const memberSchema = named(
	'CalendarMember',
	z.object({
		id: identifier,
		user_id: z.string().uuid(),
		name: z.string(),
		email: z.string().email(),
		role: shownRole,
		added_at: timestamp,
	}),
);
export const addedMemberSchema = z.object({ id: identifier, user_id: z.string().uuid(), role: shownRole });
export const memberRoleSchema = z.object({ id: identifier, role: shownRole });

const eventStatus = z.enum(['confirmed', 'tentative', 'cancelled']);
const shownEvent = {
	id: identifier,
	calendar_id: identifier,
	title: z.string(),
	start_at: timestamp,
	end_at: timestamp,
	status: eventStatus,
};
const type = z.string().nullable().describe('A free tag.');

/** An event in the list of several calendars. */
export const untypedEventSchema = named('CalendarEventOfSeveral', z.object(shownEvent));
/** An event in the list of one calendar, and in the response to its creation. */
export const listedEventSchema = named('CalendarEventSummary', z.object({ ...shownEvent, type }));
export const attendeeSchema = named(
	'Attendee',
	z.object({ id: identifier, name: z.string(), email: z.string().email() }),
);
export const calendarEventSchema = named(
	'CalendarEvent',
	z.object({
		...shownEvent,
		type,
		description: z.string().nullable(),
		attendees: z.array(attendeeSchema),
		meeting_url: shownUrl.nullable(),
	}),
);
export const updatedEventSchema = z.object({ id: identifier, status: eventStatus, updated_at: timestamp });
export const meetingSchema = named(
	'Meeting',
	z.object({ event_id: identifier, meeting_url: shownUrl, meeting_id: identifier }),
);

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const endOfDay = z
	.string()
	.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/)
	.describe('HH:MM; 24:00 is the end of the day.');
const weekdays = z.array(z.number().int().min(1).max(7)).min(1).describe('1 for Monday to 7 for Sunday.');
const recurring = {
	id: identifier,
	type: z.literal('recurring'),
	days_of_week: weekdays,
	start_time: clockTime,
	end_time: endOfDay,
};
const exceptionRule = named(
	'ExceptionRule',
	z.object({ id: identifier, type: z.literal('exception'), date: dateText, available: z.boolean() }),
);

export const ruleSchema = named(
	'AvailabilityRule',
	z.union([named('RecurringRule', z.object({ ...recurring, timezone: z.string() })), exceptionRule]),
);
/** The response to a creation lacks the time zone. */
export const createdRuleSchema = z.union([named('CreatedRecurringRule', z.object(recurring)), exceptionRule]);
export const updatedRuleSchema = named(
	'UpdatedRule',
	z
		.object({
			id: identifier,
			days_of_week: weekdays.optional(),
			start_time: clockTime.optional(),
			end_time: endOfDay.optional(),
			timezone: z.string().optional(),
			date: dateText.optional(),
			available: z.boolean().optional(),
		})
		.describe(`The end time of a recurring rule and the changed fields. ${ASSUMED}`),
);

export const slotSchema = named('Slot', z.object({ start_at: timestamp, end_at: timestamp }));
