import { calendarOwner } from '../../fields/calendars';
import { defineOperation } from '../../operation/defineOperation';
import { calendarName, calendarTimeZone, metadata } from './fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create calendar',
	description: 'Add a calendar for a user. For free slots, it needs a rule: use Availability → Create Rule.',
	fields: [calendarName, calendarOwner],
	options: [metadata(), calendarTimeZone('Time zone of the calendar. The default is the time zone of the environment')],
	request: (body) => ({ method: 'POST', path: ['calendars'], body }),
	output: (response) => response.data,
});
