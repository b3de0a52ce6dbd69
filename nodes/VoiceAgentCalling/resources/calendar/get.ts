import { calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get calendar',
	description: 'Get a calendar with its time zone, owner and metadata',
	fields: [calendar],
	request: ({ calendarId }) => ({ method: 'GET', path: ['calendars', calendarId] }),
	output: (response) => response.data,
});
