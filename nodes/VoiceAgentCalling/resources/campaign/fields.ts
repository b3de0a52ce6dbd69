import { invalid } from '../../../shared/errors/serviceError';
import {
	choice,
	defineField,
	emptyMeans,
	type Field,
	issueOf,
	reworded,
	rowsOf,
	sentAs,
	textual,
} from '../../../shared/fields/field';
import { text, UUID } from '../../../shared/fields/kinds';
import { day, inTimeZone, isTimeZone, timeOfDay, timeZone, weekdays } from '../../../shared/fields/timeKinds';
import { isoOf } from '../../../shared/lib/time';
import { callingAgent } from '../../../shared/pickers/locators';

/** The fields of the output by default, after the name and the status: progress and settings. */
export const campaignFacts = [
	'stats',
	'agent',
	'campaign_type',
	'start_date',
	'days_of_week',
	'updated_at',
	'id',
] as const;

export const campaignName = text(
	'name',
	{
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder: 'e.g. Spring reminders',
		description: 'Name of the campaign, up to 255 characters',
	},
	{ max: 255 },
);

/** Makes the campaign type field. @param description depends on the operation */
export function campaignType(description: string) {
	return choice('campaign_type', {
		displayName: 'Type',
		name: 'campaignType',
		required: true,
		options: [
			{ name: 'Custom', value: 'custom' },
			{ name: 'Follow-Up', value: 'follow_up' },
			{ name: 'Reminder', value: 'reminder' },
			{ name: 'Sales', value: 'sales' },
		],
		default: 'sales',
		description,
	});
}

/** The agent as a setting of a campaign, for which the service requires a UUID. */
export const campaignAgent: Field<'agent_id', string> = {
	...reworded(sentAs('agent_id', callingAgent), { description: 'Voice agent that makes the calls' }),
	check: (zod) => textual(zod, zod.string().trim().regex(UUID, 'Use the complete ID (UUID)')),
};

export const startDate = day('start_date', {
	displayName: 'Start Date',
	name: 'startDate',
	required: true,
	description: "First day with calls, in the campaign's time zone",
});

/** The start date of a new campaign: by default today in its time zone. */
export const startsToday = emptyMeans(
	({ get }) => {
		const zone = String(get('timezone'));
		// An invalid time zone is reported by its own field.
		return inTimeZone(isoOf(Date.now()), isTimeZone(zone) ? zone : 'UTC')?.slice(0, 10);
	},
	day('start_date', {
		displayName: 'Start Date',
		name: 'startDate',
		description: "First day with calls, in the campaign's time zone. If empty: today.",
	}),
);

export const endDate = day('end_date', {
	displayName: 'End Date',
	name: 'endDate',
	description: 'Last day with calls. It must be after the start date.',
});

export const daysOfWeek = weekdays('days_of_week', {
	displayName: 'Days of the Week',
	name: 'daysOfWeek',
	required: true,
	description: 'Days on which calls are placed',
});

const start = timeOfDay('start', { displayName: 'Start', name: 'start', placeholder: 'e.g. 09:00' });
const end = timeOfDay('end', { displayName: 'End', name: 'end', placeholder: 'e.g. 17:00' }, { end: true });

export const callTimeRanges = defineField({
	key: 'call_time_ranges',
	properties: [
		{
			displayName: 'Call Time Ranges',
			name: 'callTimeRanges',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Range',
			default: { values: [{ start: '09:00', end: '17:00' }] },
			description:
				"Hours in which calls are placed, in the campaign's time zone, not in the time zone of the person called",
			options: [{ displayName: 'Range', name: 'values', values: [start.properties[0], end.properties[0]] }],
		},
	],
	read: ({ get }) => rowsOf(get('callTimeRanges')),
	check: (zod) =>
		zod
			.array(
				zod
					.object({ start: start.check(zod), end: end.check(zod) })
					.strict()
					.refine(
						({ start: from, end: to }) => to > from,
						issueOf('Correct one of the two times. For calls past midnight, add a second range', {
							ofField: 'must end after it starts',
						}),
					),
			)
			.min(1, 'Add at least one range'),
});

export const timezone = timeZone('timezone', {
	displayName: 'Time Zone Name or ID',
	name: 'timezone',
	required: true,
	description:
		'Time zone of the dates and times of the campaign. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/** Asserts that a campaign ends after the day on which it starts. @throws ServiceError `INVALID_INPUT` */
export function assertEndsLater({
	start_date: from,
	end_date: to,
}: {
	start_date?: string;
	end_date?: string | null;
}): void {
	if (!from || !to || to > from) {
		return;
	}
	throw invalid("'End Date' must be after 'Start Date'", 'Choose a later end date.');
}
