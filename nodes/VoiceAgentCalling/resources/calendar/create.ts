import { calendarOwner } from '../../fields/calendars';
import { defineOperation } from '../../operation/defineOperation';
import { createdObject } from '../../operation/responses';
import { calendarName, calendarTimeZone, metadata } from './fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create calendar',
	description: 'Add a calendar for a user. For free slots, it needs a rule: use Availability → Create Rule.',
	fields: [calendarName, calendarOwner],
	options: [metadata(), calendarTimeZone('Time zone of the calendar. The default is the time zone of the environment')],
	async run(api, body) {
		const response = await api.request({ method: 'POST', path: ['calendars'], body });
		const calendar = createdObject(response, 'calendar');
		api.note('A new calendar has no free slots before it has a rule: use Availability → Create Rule.');
		return calendar;
	},
});
