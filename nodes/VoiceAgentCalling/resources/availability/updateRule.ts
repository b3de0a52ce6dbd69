import { local } from '../../../shared/fields/field';
import { availabilityRule, calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { available, date, daysOfWeek, endTime, ruleTimeZone, ruleType, startTime } from './fields';

// The type of a rule cannot be changed: the field only controls which other fields the editor shows, and is not sent.
const kind = local(ruleType('Current type of the rule. It decides which fields can be changed.'));

export const updateRule = defineOperation({
	name: 'Update Rule',
	value: 'updateRule',
	action: 'Update availability rule',
	description: 'Change the days, hours or time zone of a recurring rule, or the day of an exception',
	fields: [calendar, availabilityRule, kind],
	updates: [available, date, daysOfWeek, endTime, startTime, ruleTimeZone],
	request: ({ calendarId, ruleId, ...body }) => ({
		method: 'PUT',
		path: ['calendars', calendarId, 'availability-rules', ruleId],
		body,
	}),
	output: (response) => response.data,
});
