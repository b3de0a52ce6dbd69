import { calendar } from '../../../shared/pickers/locators';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getProviders = defineOperation({
	name: 'Get Providers',
	value: 'getProviders',
	action: 'Get calendar providers',
	description:
		'List the calendars elsewhere with which a calendar is kept in sync. To connect another one, use the dashboard: a person has to sign in.',
	fields: [calendar, returnAll],
	request: ({ calendarId }) => ({ method: 'GET', path: ['calendars', calendarId, 'providers'] }),
	items: (response) => response.data,
});
