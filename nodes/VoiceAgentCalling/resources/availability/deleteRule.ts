import { availabilityRule, calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteRule = defineOperation({
	name: 'Delete Rule',
	value: 'deleteRule',
	action: 'Delete availability rule',
	description:
		'Remove a rule for good. Without a recurring rule the calendar loses its free slots at those hours; events that are there stay.',
	fields: [calendar, availabilityRule],
	request: ({ calendarId, ruleId }) => ({
		method: 'DELETE',
		path: ['calendars', calendarId, 'availability-rules', ruleId],
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
