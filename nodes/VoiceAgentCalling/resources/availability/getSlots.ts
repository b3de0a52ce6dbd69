import { integer } from '../../../shared/fields/kinds';
import { inTimeZone, timeZone } from '../../../shared/fields/timeKinds';
import { isRecord } from '../../../shared/lib/isRecord';
import { calendar } from '../../../shared/pickers/locators';
import { assertInOrder, momentField } from '../../fields/calendars';
import { defineOperation } from '../../operation/defineOperation';

const from = momentField('from', {
	displayName: 'From',
	name: 'from',
	required: true,
	description: 'Where the search for free slots begins',
});

const to = momentField('to', {
	displayName: 'To',
	name: 'to',
	required: true,
	description: 'Where the search for free slots ends',
});

const duration = integer(
	'duration_minutes',
	{
		displayName: 'Duration',
		name: 'duration',
		default: 30,
		description: 'How long each slot is, in minutes',
	},
	{ min: 1 },
);

const limit = integer(
	'limit',
	{ displayName: 'Limit', name: 'limit', default: 50, description: 'Max number of results to return' },
	{ min: 1 },
);

const localTimeZone = timeZone('localTimezone', {
	displayName: 'Local Time Zone Name or ID',
	name: 'localTimezone',
	description:
		'Adds to each slot its times in this time zone, as start_local and end_local. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

export const getSlots = defineOperation({
	name: 'Get Slots',
	value: 'getSlots',
	action: 'Get free slots',
	description:
		'List the free slots of a calendar between two moments, one item for each, with their times in UTC. Free is what the availability rules open and no event takes up.',
	fields: [calendar, from, to, duration],
	options: [limit, localTimeZone],
	check: ({ from, to }) => assertInOrder(['From', from], ['To', to]),
	request: ({ calendarId, from, to, duration_minutes }) => ({
		method: 'GET',
		path: ['calendars', calendarId, 'availability'],
		query: { from, to, duration_minutes },
	}),
	output: ({ data }, { limit, localTimezone: zone }) => {
		if (!Array.isArray(data)) {
			return undefined;
		}
		const slots = data.filter(isRecord).slice(0, limit);
		if (zone === undefined) {
			return slots;
		}
		return slots.map((slot) => ({
			...slot,
			start_local: inTimeZone(slot.start_at, zone),
			end_local: inTimeZone(slot.end_at, zone),
		}));
	},
});
