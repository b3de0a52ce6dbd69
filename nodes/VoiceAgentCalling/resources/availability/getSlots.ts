import { integer } from '../../../shared/fields/kinds';
import { inTimeZone, timeZone } from '../../../shared/fields/timeKinds';
import { isRecord } from '../../../shared/lib/json';
import { calendar } from '../../../shared/pickers/locators';
import { assertInOrder, momentField } from '../../fields/calendars';
import { defineOperation } from '../../operation/defineOperation';

const from = momentField('from', {
	displayName: 'From',
	name: 'from',
	required: true,
	default: '={{ $now }}',
	description: 'Start of the search for free slots. The default is now',
});

const to = momentField('to', {
	displayName: 'To',
	name: 'to',
	required: true,
	default: '={{ $now.plus({ days: 7 }) }}',
	description: 'End of the search for free slots. The default is in seven days',
});

const duration = integer(
	'duration_minutes',
	{
		displayName: 'Duration (Minutes)',
		name: 'duration',
		required: true,
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
		'List the free slots of a calendar between two moments. Each slot is an item: a node after this one, such as Calendar Event → Create, runs once for each of them. To book one slot, set Limit to 1. A slot is free if the availability rules open it and no event overlaps it.',
	sending: true,
	fields: [calendar, from, to, duration],
	options: [limit, localTimeZone],
	check: ({ from, to }) => assertInOrder(['From', from], ['To', to]),
	request: ({ calendarId, from, to, duration_minutes }) => ({
		method: 'GET',
		path: ['calendars', calendarId, 'availability'],
		query: { from, to, duration_minutes },
	}),
	output: ({ data }, { calendarId, limit, localTimezone: zone }) => {
		if (!Array.isArray(data)) {
			return undefined;
		}
		const slots = data.filter(isRecord).slice(0, limit);
		return slots.map((slot) => ({
			calendar_id: calendarId,
			...slot,
			...(zone !== undefined && {
				start_local: inTimeZone(slot.start_at, zone),
				end_local: inTimeZone(slot.end_at, zone),
			}),
		}));
	},
});
