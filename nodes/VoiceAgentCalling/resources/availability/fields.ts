import { choice, closedToModels, onlyFor } from '../../../shared/fields/field';
import { toggle } from '../../../shared/fields/kinds';
import { day, timeOfDay, timeZone, weekdays } from '../../../shared/fields/timeKinds';

const KIND = 'ruleType';

/** Makes the rule type field. @param description depends on the operation */
export function ruleType(description: string) {
	return choice('type', {
		displayName: 'Rule Type',
		name: KIND,
		options: [
			{
				name: 'Exception',
				value: 'exception',
				description: 'Opens or closes one day, whatever the recurring rules say',
			},
			{
				name: 'Recurring',
				value: 'recurring',
				description: 'Opens the calendar at the same hours of some days, week after week',
			},
		],
		default: 'recurring',
		description,
	});
}

export const daysOfWeek = onlyFor(
	KIND,
	['recurring'],
	weekdays('days_of_week', {
		displayName: 'Days of the Week',
		name: 'daysOfWeek',
		required: true,
		description:
			'The days that the rule opens. In an expression, 1 is Monday and 7 is Sunday; names of days are taken too.',
	}),
);

export const startTime = onlyFor(
	KIND,
	['recurring'],
	timeOfDay('start_time', {
		displayName: 'Start Time',
		name: 'startTime',
		required: true,
		placeholder: 'e.g. 09:00',
		description: 'When free time begins on each of the days, as HH:MM in the time zone of the rule',
	}),
);

export const endTime = onlyFor(
	KIND,
	['recurring'],
	timeOfDay(
		'end_time',
		{
			displayName: 'End Time',
			name: 'endTime',
			required: true,
			placeholder: 'e.g. 17:00',
			description: 'When free time ends on each of the days, as HH:MM in the time zone of the rule',
		},
		{ end: true },
	),
);

export const ruleTimeZone = onlyFor(
	KIND,
	['recurring'],
	timeZone('timezone', {
		displayName: 'Time Zone Name or ID',
		name: 'timezone',
		description:
			'The time zone of the start and end time. A new rule has the one of its calendar unless you choose another. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
);

export const date = onlyFor(
	KIND,
	['exception'],
	day('date', {
		displayName: 'Date',
		name: 'date',
		required: true,
		description: 'The day that is an exception',
	}),
);

export const available = onlyFor(
	KIND,
	['exception'],
	closedToModels(
		toggle('available', {
			displayName: 'Available',
			name: 'available',
			description: 'Whether the day is open. Off, the whole day is closed and has no free slots.',
		}),
		[false],
	),
);
