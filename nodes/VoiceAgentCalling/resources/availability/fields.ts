import { choice, onlyFor, withRules } from '../../../shared/fields/field';
import { toggle } from '../../../shared/fields/kinds';
import { day, timeOfDay, timeZone, weekdays } from '../../../shared/fields/timeKinds';

const KIND = 'ruleType';

/** Makes the rule type field. @param description depends on the operation */
export function ruleType(description: string) {
	return choice('type', {
		displayName: 'Rule Type',
		name: KIND,
		required: true,
		options: [
			{
				name: 'Exception',
				value: 'exception',
				description: 'Opens or closes one day, regardless of the recurring rules',
			},
			{
				name: 'Recurring',
				value: 'recurring',
				description: 'Opens the calendar at the same hours on some days of every week',
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
		description: 'Days that the rule opens. In an expression, use 1 (Monday) to 7 (Sunday) or the names of the days.',
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
		description: 'Start of the available time on each day, as HH:MM in the time zone of the rule',
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
			description: 'End of the available time on each day, as HH:MM in the time zone of the rule',
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
			'Time zone of the start and end time. A new rule without it has the time zone of the calendar. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
);

export const date = onlyFor(
	KIND,
	['exception'],
	day('date', {
		displayName: 'Date',
		name: 'date',
		required: true,
		description: 'Day of the exception',
	}),
);

export const available = onlyFor(
	KIND,
	['exception'],
	...withRules(
		{ ai: { not: [false] } },
		toggle('available', {
			displayName: 'Available',
			name: 'available',
			required: true,
			description: 'Whether the day is open. If not, the whole day has no free slots.',
		}),
	),
);
