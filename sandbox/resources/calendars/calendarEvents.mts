import { z } from 'zod';

import { flatErrorBody } from '../../http/errorSchemas.mts';
import { invalidFields, notFound } from '../../http/httpErrors.mts';
import { created, done, ok } from '../../http/response.mts';
import { dataOf, doneBody } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { Calendar, CalendarEvent } from '../../world/calendar.mts';
import { newId } from '../../world/ids.mts';
import type { World } from '../../world/world.mts';
import { batchQuery, eventBody, eventQuery, eventUpdateBody } from './calendarFields.mts';
import { calendarEventSchema, listedEventSchema, untypedEventSchema, updatedEventSchema } from './calendarSchemas.mts';
import { findCalendar } from './calendars.mts';

const LIST = '/api/v1/calendars/:calendar_id/events';
const ONE = `${LIST}/:event_id`;
const refusal = 'coded';

/** An event and its calendar. */
interface Found {
	calendar: Calendar;
	event: CalendarEvent;
}

/** Events: list the events of one or several calendars, create, get, update, delete. */
export const calendarEventRoutes: Route[] = [
	route({
		method: 'GET',
		path: LIST,
		summary: "List a calendar's events",
		description: 'Sorted by their start. With `from` and `to`, only events that lie completely between them.',
		refusal,
		query: eventQuery,
		responses: { 200: dataOf(z.array(listedEventSchema)) },
		handle({ world, params, query }) {
			const calendar = findCalendar(world, params.calendar_id);
			return ok(find([calendar], query()).map(listed));
		},
	}),
	route({
		method: 'GET',
		path: '/api/v1/calendars/events',
		summary: 'List the events of several calendars',
		description: 'Sorted by their start, across all calendars.',
		refusal,
		query: batchQuery,
		responses: { 200: dataOf(z.array(untypedEventSchema)) },
		errors: { 404: { when: 'One of the calendars does not exist', body: flatErrorBody } },
		handle({ world, query }) {
			const { calendar_ids, ...filter } = query();
			const calendars = [...new Set(calendar_ids)].map((id) => findCalendar(world, id));
			return ok(
				find(calendars, filter).map((found) => {
					const { type: _type, ...shown } = listed(found);
					return shown;
				}),
			);
		},
	}),
	route({
		method: 'POST',
		path: LIST,
		summary: 'Create a calendar event',
		description: 'Events may overlap, and may lie outside the availability.',
		refusal,
		body: eventBody,
		responses: { 201: dataOf(listedEventSchema) },
		handle({ world, params, body }) {
			const calendar = findCalendar(world, params.calendar_id);
			const event = newCalendarEvent(world, body());
			calendar.events.set(event.id, event);
			return created(listed({ calendar, event }));
		},
	}),
	route({
		method: 'GET',
		path: ONE,
		summary: 'Get a calendar event',
		description: 'With its attendees and the link of its meeting.',
		refusal,
		responses: { 200: dataOf(calendarEventSchema) },
		handle({ world, params }) {
			const { calendar, event } = findEvent(world, params);
			const { description, attendees, meeting } = event;
			return ok({ ...listed({ calendar, event }), description, attendees, meeting_url: meeting?.url ?? null });
		},
	}),
	route({
		method: 'PUT',
		path: ONE,
		summary: 'Update a calendar event',
		description:
			'Changes the fields that are sent. The list of attendees is replaced; an attendee with a known email address keeps its ID.',
		refusal,
		body: eventUpdateBody,
		responses: { 200: dataOf(updatedEventSchema) },
		handle({ world, params, body }) {
			const { event } = findEvent(world, params);
			Object.assign(event, checked({ ...event, ...fromBody(world, body(), event) }), { updated: world.clock.now() });
			const { id, status, updated } = event;
			return ok({ id, status, updated_at: iso(updated) });
		},
	}),
	route({
		method: 'DELETE',
		path: ONE,
		summary: 'Delete a calendar event',
		description: 'Its time becomes free again.',
		refusal,
		responses: { 200: doneBody },
		handle({ world, params }) {
			const { calendar, event } = findEvent(world, params);
			calendar.events.delete(event.id);
			return done('Event deleted successfully.');
		},
	}),
];

/** @throws 404 in the flat format */
export function findEvent(world: World, params: Record<string, string>): Found {
	const calendar = findCalendar(world, params.calendar_id);
	const event = calendar.events.get(params.event_id ?? '');
	if (!event) {
		throw notFound('Event');
	}
	return { calendar, event };
}

/** @throws 422 if fields contradict each other */
export function newCalendarEvent(world: World, body: z.output<typeof eventBody>): CalendarEvent {
	const { start_at, end_at, attendees, ...settings } = body;
	return checked({
		...settings,
		id: newId(world),
		start: start_at,
		end: end_at,
		attendees: attendees.map((attendee) => ({ id: newId(world), ...attendee })),
		meeting: null,
		updated: world.clock.now(),
	});
}

/** Returns the changes of an update. An attendee with a known email address keeps its id. */
function fromBody(world: World, body: z.output<typeof eventUpdateBody>, known: CalendarEvent): Partial<CalendarEvent> {
	const { start_at, end_at, attendees, ...changes } = body;
	return {
		...changes,
		start: start_at ?? known.start,
		end: end_at ?? known.end,
		attendees:
			attendees?.map(({ name, email }) => {
				const id = known.attendees.find((other) => other.email === email)?.id ?? newId(world);
				return { id, name, email };
			}) ?? known.attendees,
	};
}

function checked(event: CalendarEvent): CalendarEvent {
	if (event.end <= event.start) {
		throw invalidFields({ end_at: ['The end_at must be after the start_at.'] });
	}
	if (event.owner_id && !event.owner_type) {
		throw invalidFields({ owner_type: ['The owner_type field is required.'] });
	}
	if (event.owner_type && !event.owner_id) {
		throw invalidFields({ owner_id: ['The owner_id field is required.'] });
	}
	return event;
}

/** Returns the events within an interval and with a status, sorted by their start. */
function find(calendars: Calendar[], { from, to, status }: z.output<typeof eventQuery>): Found[] {
	return calendars
		.flatMap((calendar) => [...calendar.events.values()].map((event) => ({ calendar, event })))
		.filter(
			({ event }) =>
				(from === undefined || event.start >= from) &&
				(to === undefined || event.end <= to) &&
				(!status || event.status === status),
		)
		.sort((one, other) => one.event.start - other.event.start);
}

function listed({ calendar, event }: Found): Record<string, unknown> {
	const { id, title, start, end, status, type } = event;
	return { id, calendar_id: calendar.id, title, start_at: iso(start), end_at: iso(end), status, type };
}
