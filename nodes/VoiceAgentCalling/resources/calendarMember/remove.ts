import { calendar, calendarMember } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const remove = defineOperation({
	name: 'Remove',
	value: 'remove',
	action: 'Remove calendar member',
	description: 'Remove a member from a calendar. The owner cannot be removed: make another member the owner first.',
	fields: [calendar, calendarMember],
	request: ({ calendarId, memberId }) => ({
		method: 'DELETE',
		path: ['calendars', calendarId, 'members', memberId],
		codes: { 409: 'OWNER_REQUIRED' },
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
