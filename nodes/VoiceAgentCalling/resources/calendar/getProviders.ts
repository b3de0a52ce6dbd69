import { calendar } from '../../../shared/pickers/locators';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getProviders = defineOperation({
	name: 'Get Providers',
	value: 'getProviders',
	action: 'Get calendar providers',
	description: 'List the external calendars of a calendar. To connect another one, use the dashboard.',
	fields: [calendar, returnAll],
	request: ({ calendarId }) => ({ method: 'GET', path: ['calendars', calendarId, 'providers'] }),
	items: (response) => response.data,
});
