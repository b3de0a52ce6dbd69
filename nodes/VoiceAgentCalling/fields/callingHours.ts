import { invalid } from '../../shared/errors/serviceError';
import { choice, defineField, type FieldSource, groupOf, issueOf, local, type Zod } from '../../shared/fields/field';
import { listOf } from '../../shared/fields/kinds';
import { dateOf, isTimeZone } from '../../shared/fields/timeKinds';
import { isJsonObject } from '../../shared/lib/json';
import { type OpeningHours, readOpeningHours } from './openingHours';

/** The value of Time Zone for the zone of the number's country. */
const FROM_NUMBER = 'fromNumber';

/** The value of If Time Zone Is Unclear to treat the number as outside the hours. */
export const OUTSIDE = 'outside';

/** The value of If Time Zone Is Unclear for calls that are within the hours in every time zone of the country. */
export const EVERY_ZONE = 'everyZone';

/**
 * The values that the editor shows when the user adds the option. The fields themselves have empty defaults: n8n uses
 * the defaults for a misspelled name, for example, and hours that nobody has chosen must not apply.
 */
const ADDED = { hours: 'Mon-Fri 9:00-20:00', timeZone: FROM_NUMBER };

/** The required fields, with their labels in the editor. */
const LABELS = {
	hours: 'Hours',
	holidays: 'Holidays',
	timeZone: 'Time Zone',
	unclearTimeZone: 'If Time Zone Is Unclear',
};

/** When a person may be called. */
export interface CallingHours {
	hours: OpeningHours;
	/** Days without calls, YYYY-MM-DD. */
	holidays: string[];
	/** IANA name; absent for the time zone of the number's country. */
	timeZone?: string;
	/** What applies to numbers whose zone is not clear: {@link EVERY_ZONE}, {@link OUTSIDE}, or the IANA name of a zone. */
	unclearTimeZone: string;
}

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
							{
								displayName: 'Hours',
								name: 'hours',
								type: 'string',
								typeOptions: { rows: 2 },
								default: '',
								placeholder: 'e.g. Mon-Fri 9:00-12:00, 14:00-18:00; Sat 10-13',
								description:
									'Days and hours with calls, in the time zone below. At the end of the hours, nobody is called anymore.',
							},
							{
								displayName: 'Time Zone Name or ID',
								name: 'timeZone',
								type: 'options',
								typeOptions: { loadOptionsMethod: 'getRecipientTimeZones' },
								default: '',
								description:
									'Time zone of the person. From the Number uses the zones of its country. Each item can have its own. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
							},
							{
								displayName: 'If Time Zone Is Unclear Name or ID',
								name: 'unclearTimeZone',
								type: 'options',
								typeOptions: { loadOptionsMethod: 'getUnclearTimeZones' },
								default: EVERY_ZONE,
								description:
									'What applies to numbers whose country has several time zones. If no zone is known, Allowed in Every Zone and Treat as Outside send no call. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
							},
							{
								displayName: 'Holidays',
								name: 'holidays',
								type: 'string',
								default: '',
								placeholder: 'e.g. 2026-12-25, 2027-01-01',
								description: 'Dates without calls, separated by commas. An expression can return a list of dates.',
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
	return {
		...stored,
		holidays: (listOf(stored.holidays) ?? []).map((date) => dateOf(date, run.timezone) ?? date),
	};
}

function hoursCheck(zod: Zod) {
	const zone = (keywords: string[], name: string) =>
		zod
			.string({ invalid_type_error: `Enter the name of a time zone in '${name}', like Europe/Berlin` })
			.trim()
			.refine(
				(value) => keywords.includes(value) || isTimeZone(value),
				(value) =>
					issueOf(`Use the name of a time zone in '${name}', like Europe/Berlin`, {
						ofField: `has no time zone ${JSON.stringify(value.slice(0, 60))}`,
					}),
			);
	return zod
		.object({
			hours: zod
				.string({ invalid_type_error: "Enter 'Hours' as a text, like Mon-Fri 9:00-20:00" })
				.transform((text, context) => {
					const read = readOpeningHours(text);
					if ('week' in read) {
						return read.week;
					}
					context.addIssue(issueOf(read.advice, { ofField: read.mistake }));
					return zod.NEVER;
				}),
			holidays: zod.array(
				zod.string().refine(
					(date) => dateOf(date, 'UTC') === date,
					() =>
						issueOf("Enter 'Holidays' as dates like 2026-12-25, separated by commas, or as a list of them", {
							ofField: 'has a holiday that is not a date',
						}),
				),
			),
			timeZone: zone([FROM_NUMBER], 'Time Zone').transform((value) => (value === FROM_NUMBER ? undefined : value)),
			unclearTimeZone: zone([EVERY_ZONE, OUTSIDE], 'If Time Zone Is Unclear'),
		})
		.strict();
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
