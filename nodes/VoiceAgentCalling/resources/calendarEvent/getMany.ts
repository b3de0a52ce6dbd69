import { choice, onlyFor } from '../../../shared/fields/field';
import { idList } from '../../../shared/fields/kinds';
import { calendar } from '../../../shared/pickers/locators';
import { assertInOrder, momentField } from '../../fields/calendars';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

const SCOPE = 'eventsOf';

const scope = choice('scope', {
	displayName: 'Events Of',
	name: SCOPE,
	options: [
		{ name: 'One Calendar', value: 'one' },
		{ name: 'Several Calendars', value: 'several' },
	],
	default: 'one',
	required: true,
	description: 'Whose events to list',
});

const calendars = idList(
	'calendar_ids',
	{
		displayName: 'Calendar Names or IDs',
		name: 'calendars',
		required: true,
		typeOptions: { loadOptionsMethod: 'getCalendars' },
		description:
			'Calendars whose events to list. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{ min: 1, uuid: false },
);

const from = momentField('from', {
	displayName: 'From',
	name: 'from',
	description: 'Only return events that start at this time or later',
});

const to = momentField('to', {
	displayName: 'To',
	name: 'to',
	description: 'Only return events that end at this time or earlier',
});

const status = choice('status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{ name: 'Cancelled', value: 'cancelled' },
		{ name: 'Confirmed', value: 'confirmed' },
		{ name: 'Tentative', value: 'tentative' },
	],
	default: 'confirmed',
	description: 'Only return events with this status',
});

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many calendar events',
	description: 'List many events of one or several calendars. Get also has attendees, description and meeting link.',
	sending: true,
	fields: [scope, onlyFor(SCOPE, ['one'], calendar), onlyFor(SCOPE, ['several'], calendars), returnAll],
	filters: [from, onlyFor(SCOPE, ['one'], status), to],
	check: ({ from, to }) => assertInOrder(['From', from], ['To', to]),
	request: ({ calendarId, calendar_ids, from, to, status }) => ({
		method: 'GET',
		path: calendarId === undefined ? ['calendars', 'events'] : ['calendars', calendarId, 'events'],
		query: { calendar_ids, from, to, status },
	}),
	items: (response) => response.data,
});
