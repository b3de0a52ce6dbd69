import { calendar } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get a calendar',
	description: 'Read one calendar with its time zone, owner and metadata',
	fields: [calendar],
	request: ({ calendarId }) => ({ method: 'GET', path: ['calendars', calendarId] }),
	output: (response) => response.data,
});
