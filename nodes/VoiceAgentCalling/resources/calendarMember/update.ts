import { calendar, calendarMember } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { role } from './fields';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update calendar member',
	description: 'Change the role of a calendar member. A new owner probably replaces the current owner.',
	fields: [calendar, calendarMember, role],
	request: ({ calendarId, memberId, role }) => ({
		method: 'PUT',
		path: ['calendars', calendarId, 'members', memberId],
		body: { role },
		codes: { 422: 'OWNER_REQUIRED' },
	}),
	output: (response) => response.data,
});
