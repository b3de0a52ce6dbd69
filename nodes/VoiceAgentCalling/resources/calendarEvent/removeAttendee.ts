import { calendar, calendarEvent, eventAttendee } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const removeAttendee = defineOperation({
	name: 'Remove Attendee',
	value: 'removeAttendee',
	action: 'Remove attendee from calendar event',
	description: 'Remove a person from the attendees of an event',
	sending: true,
	fields: [calendar, calendarEvent, eventAttendee],
	request: ({ calendarId, eventId, attendeeId }) => ({
		method: 'DELETE',
		path: ['calendars', calendarId, 'events', eventId, 'attendees', attendeeId],
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
