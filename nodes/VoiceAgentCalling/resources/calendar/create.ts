import { userId } from '../../fields/calendars';
import { defineOperation } from '../../operation/defineOperation';
import { calendarName, calendarTimeZone, metadata } from './fields';

const owner = userId('owner_id', {
	displayName: 'Owner ID',
	name: 'ownerId',
	required: true,
	description: 'ID of the user who owns the calendar',
});

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create calendar',
	description:
		'Add a calendar for a user. It has no free slots until it has an availability rule: see Availability, Create Rule.',
	fields: [calendarName, owner],
	options: [metadata(), calendarTimeZone("The calendar's time zone. Without it, the one of the environment is taken")],
	request: (body) => ({ method: 'POST', path: ['calendars'], body }),
	output: (response) => response.data,
});
