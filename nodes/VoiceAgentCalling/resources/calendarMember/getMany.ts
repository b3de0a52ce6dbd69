import { returnAll } from '../../../shared/fields';
import { calendar } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many members of a calendar',
	description: 'List many members of a calendar, each with the user ID and the role',
	fields: [calendar, returnAll],
	request: ({ calendarId }) => ({ method: 'GET', path: ['calendars', calendarId, 'members'] }),
	items: (response) => response.data,
});
