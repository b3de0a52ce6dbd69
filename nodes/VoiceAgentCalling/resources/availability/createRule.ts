import { calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { available, date, daysOfWeek, endTime, ruleTimeZone, ruleType, startTime } from './fields';

const kind = ruleType('Whether the rule is for every week or for one day');

export const createRule = defineOperation({
	name: 'Create Rule',
	value: 'createRule',
	action: 'Create availability rule',
	description: 'Define when a calendar is available: weekly at the same hours, or as an exception on one day',
	fields: [calendar, kind, daysOfWeek, startTime, endTime, date, available],
	options: [ruleTimeZone],
	request: ({ calendarId, ...body }) => ({
		method: 'POST',
		path: ['calendars', calendarId, 'availability-rules'],
		body,
	}),
	output: (response) => response.data,
});
