import { calendar, calendarEvent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const createMeeting = defineOperation({
	name: 'Create Meeting',
	value: 'createMeeting',
	action: 'Create meeting for calendar event',
	description:
		'Make the link of an online meeting for an event and keep it in the event as meeting_url. The calendar needs a connected provider that can do this.',
	fields: [calendar, calendarEvent],
	request: ({ calendarId, eventId }) => ({
		method: 'POST',
		path: ['calendars', calendarId, 'events', eventId, 'meeting'],
	}),
	output: (response) => response.data,
});
