import { invalid } from '../../shared/errors/serviceError';
import { choice, defineField, type FieldSource, groupOf, issueOf, local, type Zod } from '../../shared/fields/field';
import { listOf } from '../../shared/fields/kinds';
import { dateOf, isTimeZone, timeOfDay, weekdays } from '../../shared/fields/timeKinds';
import { isJsonObject } from '../../shared/lib/json';

/** The value of Time Zone for the zone of the number's country. */
const FROM_NUMBER = 'fromNumber';

/** The value of If Time Zone Is Unclear to treat the number as outside the hours. */
const OUTSIDE = 'outside';

/**
 * The hours that the editor shows when the user adds the option. The fields themselves have empty defaults: n8n uses
 * the defaults for a misspelled name, for example, and hours that nobody has chosen must not apply.
 */
const ADDED = { from: '09:00', to: '20:00', daysOfWeek: [1, 2, 3, 4, 5], timeZone: FROM_NUMBER };

/** The required fields, with their labels in the editor. */
const LABELS = {
	from: 'Hours From',
	to: 'Hours To',
	holidays: 'Holidays',
	timeZone: 'Time Zone',
	unclearTimeZone: 'If Time Zone Is Unclear',
};

/** When a person may be called. */
export interface CallingHours {
	/** HH:MM, before `to`. */
	from: string;
	/** HH:MM up to 24:00, exclusive. */
	to: string;
	/** 1 is Monday, 7 is Sunday. */
	days: number[];
	/** Days without calls, YYYY-MM-DD. */
	holidays: string[];
	/** IANA name; absent for the time zone of the number's country. */
	timeZone?: string;
	/** IANA name of the time zone of numbers whose zone is not clear; absent if they are outside. */
	unclearTimeZone?: string;
}

const from = timeOfDay('from', {
	displayName: 'Hours From',
	name: 'from',
	description: 'Start of the hours on each day, in the time zone below',
});

const to = timeOfDay(
	'to',
	{
		displayName: 'Hours To',
		name: 'to',
		placeholder: 'e.g. 20:00',
		description:
			'End of the hours on each day: at this time, nobody is called anymore. It must be later than Hours From; 24:00 is the end of the day.',
	},
	{ end: true },
);

const days = weekdays('days', {
	displayName: 'Days of the Week',
	name: 'daysOfWeek',
	default: [],
	description: 'Days of the week with calls. An expression can return numbers from 1 (Monday) or English names.',
});

/** When the person may be called: an option of all operations that place, queue or check a call. */
export const callingHours = local(
	defineField({
		key: 'callingHours',
		ai: 'fixed',
		empty: { error: 'Fill it in, check the expression, or remove the option to call at any hour.' },
		properties: [
			{
				displayName: 'Calling Hours',
				name: 'callingHours',
				type: 'fixedCollection',
				placeholder: 'Add Hours',
				default: { values: ADDED },
				description:
					'When the person may be called; without this option, at any hour. Outside these hours, nothing is sent: the item gets the result outsideHours, or not ready in a check, and nextAllowedAt says when the hours begin again. A call is queued only if all times at which the campaign may call lie inside the hours.',
				options: [
					{
						displayName: 'Hours',
						name: 'values',
						values: [
							...days.properties,
							{
								displayName: 'Holidays',
								name: 'holidays',
								type: 'string',
								default: '',
								placeholder: 'e.g. 2026-12-25, 2027-01-01',
								description: 'Dates without calls, separated by commas. An expression can return a list of dates.',
							},
							...from.properties,
							...to.properties,
							{
								displayName: 'If Time Zone Is Unclear Name or ID',
								name: 'unclearTimeZone',
								type: 'options',
								typeOptions: { loadOptionsMethod: 'getUnclearTimeZones' },
								default: OUTSIDE,
								description:
									'What applies to numbers whose time zone is not clear: their country has several, or is unknown. Treat as Outside sends no call. Each item can have its own. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
							},
							{
								displayName: 'Time Zone Name or ID',
								name: 'timeZone',
								type: 'options',
								typeOptions: { loadOptionsMethod: 'getRecipientTimeZones' },
								default: '',
								description:
									'Time zone of the person. From the Number works for countries where all clocks show the same time. Each item can have its own. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
							},
						],
					},
				],
			},
		],
		read: readHours,
		check: hoursCheck,
	}),
);

/** Reads the hours. All fields need a value, except Holidays, which may be an empty text. */
function readHours({ get, ...run }: FieldSource): unknown {
	const stored = groupOf(get('callingHours'));
	if (!isJsonObject(stored)) {
		return stored;
	}
	for (const [name, label] of Object.entries(LABELS)) {
		// An expression without a value is a mistake: the default would be another rule, and holidays would not apply.
		if (stored[name] === undefined || stored[name] === null || (stored[name] === '' && name !== 'holidays')) {
			throw invalid(
				`'${label}' in 'Calling Hours' is empty`,
				"Fill it in, or check the expression. Each field of 'Calling Hours' needs its own: one for all of them is not read.",
			);
		}
	}
	const source = { ...run, get: (name: string) => stored[name] };
	return {
		...Object.fromEntries(Object.entries(stored).filter(([name]) => name !== 'daysOfWeek')),
		days: days.read?.(source) ?? [],
		holidays: (listOf(stored.holidays) ?? []).map((date) => dateOf(date, run.timezone) ?? date),
	};
}

function hoursCheck(zod: Zod) {
	const zone = (keyword: string, name: string) =>
		zod
			.string({ invalid_type_error: `Enter the name of a time zone in '${name}', like Europe/Berlin` })
			.trim()
			.refine(
				(value) => value === keyword || isTimeZone(value),
				(value) =>
					issueOf(`Use the name of a time zone in '${name}', like Europe/Berlin`, {
						ofField: `has no time zone ${JSON.stringify(value.slice(0, 60))}`,
					}),
			)
			.transform((value) => (value === keyword ? undefined : value));
	return zod
		.object({
			from: from.check(zod),
			to: to.check(zod),
			days: days.check(zod),
			holidays: zod.array(
				zod.string().refine(
					(date) => dateOf(date, 'UTC') === date,
					() =>
						issueOf("Enter 'Holidays' as dates like 2026-12-25, separated by commas, or as a list of them", {
							ofField: 'has a holiday that is not a date',
						}),
				),
			),
			timeZone: zone(FROM_NUMBER, 'Time Zone'),
			unclearTimeZone: zone(OUTSIDE, 'If Time Zone Is Unclear'),
		})
		.strict()
		.refine(
			(hours) => hours.from < hours.to,
			() =>
				issueOf(
					"Correct 'Hours From' or 'Hours To'. Hours past midnight are not possible: use the time zone of the person, and 24:00 for the end of the day",
					{
						ofField: 'must end after they start, on the same day',
					},
				),
		);
}

/** What to do with a call that would be placed outside the calling hours. */
export const ifOutside = local(
	choice('ifOutside', {
		displayName: 'If Outside Hours',
		name: 'ifOutside',
		options: [
			{
				name: 'Delay Up to an Hour',
				value: 'delay',
				description: 'If the hours begin within an hour, the service places the call then',
			},
			{ name: 'Skip', value: 'skip', description: 'The call is not sent' },
		],
		default: 'skip',
		description:
			'What to do with a call outside Calling Hours. A delay replaces Delay, and is chosen only if the call then starts within the hours.',
	}),
);
