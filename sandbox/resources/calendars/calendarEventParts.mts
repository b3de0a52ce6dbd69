import { codedError } from '../../http/errorSchemas.mts';
import { flatError, notFound } from '../../http/httpErrors.mts';
import { created, done } from '../../http/response.mts';
import { dataOf, doneBody } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { newId } from '../../world/ids.mts';
import { findEvent } from './calendarEvents.mts';
import { attendeeBody } from './calendarFields.mts';
import { attendeeSchema, meetingSchema } from './calendarSchemas.mts';

const EVENT = '/api/v1/calendars/:calendar_id/events/:event_id';
const refusal = 'coded';

/** The meeting link and the attendees of an event. */
export const calendarEventPartRoutes: Route[] = [
	route({
		method: 'POST',
		path: `${EVENT}/meeting`,
		summary: 'Create a meeting link for a calendar event',
		description: 'The calendar needs a connected provider. An existing link is kept.',
		refusal,
		responses: { 201: dataOf(meetingSchema) },
		errors: {
			422: {
				when: 'The calendar has no connected provider that can create meetings',
				body: codedError('MEETING_PROVIDER_REQUIRED'),
			},
		},
		handle({ world, params }) {
			const { calendar, event } = findEvent(world, params);
			if (!calendar.metadata.meeting_provider) {
				throw flatError(422, 'The calendar has no connected provider that can create meetings.', {
					code: 'MEETING_PROVIDER_REQUIRED',
				});
			}
			const id = newId(world);
			event.meeting ??= { id, url: `https://meet.example.com/${id}` };
			event.updated = world.clock.now();
			return created({ event_id: event.id, meeting_url: event.meeting.url, meeting_id: event.meeting.id });
		},
	}),
	route({
		method: 'POST',
		path: `${EVENT}/attendees`,
		summary: 'Add an attendee to a calendar event',
		description: 'The sandbox notifies nobody.',
		refusal,
		body: attendeeBody,
		responses: { 201: dataOf(attendeeSchema) },
		handle({ world, params, body }) {
			const { event } = findEvent(world, params);
			const attendee = { id: newId(world), ...body() };
			event.attendees.push(attendee);
			event.updated = world.clock.now();
			return created(attendee);
		},
	}),
	route({
		method: 'DELETE',
		path: `${EVENT}/attendees/:attendee_id`,
		summary: 'Remove an attendee from a calendar event',
		description: 'The sandbox notifies nobody.',
		refusal,
		responses: { 200: doneBody },
		handle({ world, params }) {
			const { event } = findEvent(world, params);
			const index = event.attendees.findIndex(({ id }) => id === params.attendee_id);
			if (index < 0) {
				throw notFound('Attendee');
			}
			event.attendees.splice(index, 1);
			event.updated = world.clock.now();
			return done('Attendee removed successfully.');
		},
	}),
];
