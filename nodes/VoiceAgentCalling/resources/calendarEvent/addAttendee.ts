import { defineField } from '../../../shared/fields/field';
import { calendar, calendarEvent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { attendeeParts } from './fields';

const attendeeName = defineField({
	key: 'name',
	properties: [
		{
			displayName: 'Attendee Name',
			name: 'attendeeName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Ada Lovelace',
			description: 'Name of the attendee',
		},
	],
	check: (zod) => attendeeParts(zod).name,
});

const attendeeEmail = defineField({
	key: 'email',
	properties: [
		{
			displayName: 'Attendee Email',
			name: 'attendeeEmail',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'name@email.com',
			description: 'Email address of the attendee',
		},
	],
	check: (zod) => attendeeParts(zod).email,
});

export const addAttendee = defineOperation({
	name: 'Add Attendee',
	value: 'addAttendee',
	action: 'Add attendee to calendar event',
	description: 'Add a person to the attendees of an event',
	sending: true,
	fields: [calendar, calendarEvent, attendeeName, attendeeEmail],
	request: ({ calendarId, eventId, ...body }) => ({
		method: 'POST',
		path: ['calendars', calendarId, 'events', eventId, 'attendees'],
		body,
	}),
	output: (response) => response.data,
});
