import { calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteCalendar = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete calendar',
	description:
		'Permanently delete a calendar with its events, members, availability rules and connections to other calendars',
	fields: [calendar],
	request: ({ calendarId }) => ({ method: 'DELETE', path: ['calendars', calendarId] }),
	output: () => ({ deleted: true }),
	forTools: false,
});
