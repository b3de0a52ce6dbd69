import { calendar, calendarMember } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { role } from './fields';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update calendar member',
	description:
		'Change what a member may do with a calendar. Making a member the owner takes the calendar from its present owner.',
	fields: [calendar, calendarMember, role],
	request: ({ calendarId, memberId, role }) => ({
		method: 'PUT',
		path: ['calendars', calendarId, 'members', memberId],
		body: { role },
		advice: {
			422: 'A calendar always has an owner. To change who it is, make another member the owner: the present one then stays a member.',
		},
	}),
	output: (response) => response.data,
});
