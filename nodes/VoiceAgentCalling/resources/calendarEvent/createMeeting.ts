import { calendar, calendarEvent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const createMeeting = defineOperation({
	name: 'Create Meeting',
	value: 'createMeeting',
	action: 'Create meeting for calendar event',
	description: 'Create an online meeting for an event. The calendar needs a provider that supports meetings.',
	sending: true,
	fields: [calendar, calendarEvent],
	request: ({ calendarId, eventId }) => ({
		method: 'POST',
		path: ['calendars', calendarId, 'events', eventId, 'meeting'],
	}),
	output: (response) => response.data,
});
