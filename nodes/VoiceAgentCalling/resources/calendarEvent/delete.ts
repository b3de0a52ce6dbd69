import { calendar, calendarEvent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteEvent = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete calendar event',
	description:
		'Remove an event from a calendar for good. If it was confirmed, the service tells its attendees. To keep it in the list, set its status to cancelled with Update.',
	fields: [calendar, calendarEvent],
	request: ({ calendarId, eventId }) => ({
		method: 'DELETE',
		path: ['calendars', calendarId, 'events', eventId],
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
