import { calendar, calendarEvent, eventAttendee } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';

export const removeAttendee = defineOperation({
	name: 'Remove Attendee',
	value: 'removeAttendee',
	action: 'Remove an attendee from a calendar event',
	description: 'Take one person off the list of those who take part in an event',
	fields: [calendar, calendarEvent, eventAttendee],
	request: ({ calendarId, eventId, attendeeId }) => ({
		method: 'DELETE',
		path: ['calendars', calendarId, 'events', eventId, 'attendees', attendeeId],
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
