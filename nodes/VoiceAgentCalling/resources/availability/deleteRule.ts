import { availabilityRule, calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteRule = defineOperation({
	name: 'Delete Rule',
	value: 'deleteRule',
	action: 'Delete availability rule',
	description: 'Permanently delete a rule. The hours of a recurring rule have no free slots then; events stay.',
	fields: [calendar, availabilityRule],
	request: ({ calendarId, ruleId }) => ({
		method: 'DELETE',
		path: ['calendars', calendarId, 'availability-rules', ruleId],
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
