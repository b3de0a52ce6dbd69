import { setByPerson } from '../../../shared/fields/field';
import { calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { calendarName, calendarTimeZone, metadata } from './fields';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update calendar',
	description:
		'Change the name, time zone or metadata of a calendar. Another owner is set with Calendar Member, Update.',
	fields: [calendar],
	updates: [
		calendarName,
		...setByPerson(metadata('. They take the place of those that are there.')),
		calendarTimeZone("The calendar's time zone"),
	],
	request: ({ calendarId, ...body }) => ({ method: 'PUT', path: ['calendars', calendarId], body }),
	output: (response) => response.data,
});
