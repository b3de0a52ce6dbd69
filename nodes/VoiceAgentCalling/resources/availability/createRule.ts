import { calendar } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { createdObject } from '../../operation/responses';
import { available, date, daysOfWeek, endTime, ruleTimeZone, ruleType, startTime } from './fields';

const kind = ruleType('Whether the rule is for every week or for one day');

export const createRule = defineOperation({
	name: 'Create Rule',
	value: 'createRule',
	action: 'Create availability rule',
	description: 'Define when a calendar is available: weekly at the same hours, or as an exception on one day',
	fields: [calendar, kind, daysOfWeek, startTime, endTime, date, available],
	options: [ruleTimeZone],
	async run(api, { calendarId, ...body }) {
		const path = ['calendars', calendarId, 'availability-rules'];
		const rule = createdObject(await api.request({ method: 'POST', path, body }), 'rule');
		if (body.type === 'recurring' && body.timezone === undefined) {
			api.note('The hours are in the time zone of the calendar. To set another one, add Options → Time Zone.');
		}
		return rule;
	},
});
