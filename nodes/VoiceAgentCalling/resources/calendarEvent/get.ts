import { calendar, calendarEvent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get calendar event',
	description: 'Get an event of a calendar with its description, attendees and meeting link',
	sending: true,
	fields: [calendar, calendarEvent],
	request: ({ calendarId, eventId }) => ({
		method: 'GET',
		path: ['calendars', calendarId, 'events', eventId],
	}),
	output: (response) => response.data,
});
