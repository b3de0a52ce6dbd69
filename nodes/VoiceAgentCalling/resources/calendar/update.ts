import { withRules } from '../../../shared/fields/field';
import { calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { calendarName, calendarTimeZone, metadata } from './fields';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update calendar',
	description:
		'Change the name, time zone or metadata of a calendar. To change the owner, use Calendar Member → Update.',
	fields: [calendar],
	updates: [
		calendarName,
		...withRules({ ai: 'fixed' }, metadata('. It replaces the current data.')),
		calendarTimeZone('Time zone of the calendar'),
	],
	request: ({ calendarId, ...body }) => ({ method: 'PUT', path: ['calendars', calendarId], body }),
	output: (response) => response.data,
});
