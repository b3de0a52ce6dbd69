import type { IDataObject } from 'n8n-workflow';

import { unreadable } from '../../../shared/errors/serviceError';
import { emptyMeans } from '../../../shared/fields/field';
import { integer } from '../../../shared/fields/kinds';
import { inTimeZone, timeZone } from '../../../shared/fields/timeKinds';
import { isRecord } from '../../../shared/lib/json';
import { DAY_MS, isoOf, timeIn } from '../../../shared/lib/time';
import { calendar } from '../../../shared/pickers/locators';
import { assertInOrder, momentField } from '../../fields/calendars';
import { defineOperation } from '../../operation/defineOperation';

const from = emptyMeans(
	() => isoOf(Date.now()),
	momentField('from', {
		displayName: 'From',
		name: 'from',
		description: 'Start of the search for free slots. If empty: now',
	}),
);

const to = emptyMeans(
	(source) => isoOf((timeIn(from.read?.(source)) ?? Date.now()) + 7 * DAY_MS),
	momentField('to', {
		displayName: 'To',
		name: 'to',
		description: 'End of the search for free slots. If empty: seven days after From',
	}),
);

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
	description: 'List the free slots of a calendar, one item each. To book only one of them, set Limit to 1.',
	sending: true,
	fields: [calendar, from, to, duration],
	options: [limit, localTimeZone],
	check: ({ from, to }) => assertInOrder(['From', from], ['To', to]),
	async run(api, { calendarId, from, to, duration_minutes, limit, localTimezone: zone }) {
		const { data } = await api.request({
			method: 'GET',
			path: ['calendars', calendarId, 'availability'],
			query: { from, to, duration_minutes },
		});
		if (!Array.isArray(data)) {
			throw unreadable('without the free slots');
		}
		if (data.length === 0) {
			api.note('No slot is free. A calendar without a recurring rule has none: use Availability → Create Rule.');
		}
		const slots = data.filter(isRecord).slice(0, limit);
		return slots.map((slot) => ({
			...(slot as IDataObject),
			...(zone !== undefined && {
				start_local: inTimeZone(slot.start_at, zone),
				end_local: inTimeZone(slot.end_at, zone),
			}),
			calendar_id: calendarId,
		}));
	},
});
