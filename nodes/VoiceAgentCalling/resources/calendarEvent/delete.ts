import { calendar, calendarEvent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteEvent = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete calendar event',
	description: 'Permanently delete an event and notify attendees. To keep it in the list, use Update with Cancelled.',
	sending: true,
	fields: [calendar, calendarEvent],
	request: ({ calendarId, eventId }) => ({
		method: 'DELETE',
		path: ['calendars', calendarId, 'events', eventId],
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
