import { calendar } from '../../../shared/pickers/locators';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many calendar members',
	description: 'List many members of a calendar, each with the user ID and the role',
	fields: [calendar, returnAll],
	request: ({ calendarId }) => ({ method: 'GET', path: ['calendars', calendarId, 'members'] }),
	items: (response) => response.data,
});
