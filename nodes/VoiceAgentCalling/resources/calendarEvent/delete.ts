import { calendar, calendarEvent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteEvent = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete calendar event',
	description:
		'Permanently delete an event. The service notifies the attendees of a confirmed event. To keep it in the list, set its status to Cancelled with Update.',
	sending: true,
	fields: [calendar, calendarEvent],
	request: ({ calendarId, eventId }) => ({
		method: 'DELETE',
		path: ['calendars', calendarId, 'events', eventId],
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
