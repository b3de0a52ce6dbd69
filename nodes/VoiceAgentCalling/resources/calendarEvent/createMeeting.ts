import { calendar, calendarEvent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const createMeeting = defineOperation({
	name: 'Create Meeting',
	value: 'createMeeting',
	action: 'Create meeting for calendar event',
	description:
		'Create an online meeting for an event and store its link as meeting_url. The calendar needs a connected provider that supports meetings.',
	sending: true,
	fields: [calendar, calendarEvent],
	request: ({ calendarId, eventId }) => ({
		method: 'POST',
		path: ['calendars', calendarId, 'events', eventId, 'meeting'],
	}),
	output: (response) => response.data,
});
