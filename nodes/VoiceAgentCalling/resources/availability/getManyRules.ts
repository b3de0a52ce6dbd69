import { returnAll } from '../../../shared/fields';
import { calendar } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';

export const getManyRules = defineOperation({
	name: 'Get Many Rules',
	value: 'getAllRules',
	action: 'Get many availability rules of a calendar',
	description: 'List many rules that say when a calendar has free time, recurring ones and exceptions',
	fields: [calendar, returnAll],
	request: ({ calendarId }) => ({
		method: 'GET',
		path: ['calendars', calendarId, 'availability-rules'],
	}),
	items: (response) => response.data,
});
