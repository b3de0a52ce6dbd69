import { calendar } from '../../../shared/pickers/locators';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getManyRules = defineOperation({
	name: 'Get Many Rules',
	value: 'getAllRules',
	action: 'Get many availability rules',
	description: 'List many recurring rules and exceptions that define when a calendar is available',
	fields: [calendar, returnAll],
	request: ({ calendarId }) => ({
		method: 'GET',
		path: ['calendars', calendarId, 'availability-rules'],
	}),
	items: (response) => response.data,
});
