import { calendar } from '../../../shared/pickers/locators';
import { userId } from '../../fields/calendars';
import { defineOperation } from '../../operation/defineOperation';
import { role } from './fields';

const user = userId('user_id', {
	displayName: 'User ID',
	name: 'userId',
	required: true,
	description: 'ID of the user to give access to the calendar',
});

export const add = defineOperation({
	name: 'Add',
	value: 'add',
	action: 'Add calendar member',
	description: 'Give a user of the environment access to a calendar',
	fields: [calendar, user, role],
	request: ({ calendarId, ...body }) => ({
		method: 'POST',
		path: ['calendars', calendarId, 'members'],
		body,
		codes: { 409: 'MEMBER_ALREADY_EXISTS' },
	}),
	output: (response) => response.data,
});
