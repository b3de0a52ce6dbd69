import { defineField, issueOf, local } from '../../shared/fields/field';
import { decimal } from '../../shared/fields/kinds';
import { isRecord } from '../../shared/lib/isRecord';

/** What a forecast assumes about the call of an item. */
export interface ForecastSettings {
	/** Minutes per call, on average. */
	minutesLow: number;
	minutesLikely: number;
	minutesHigh: number;
	/** 0 if the user did not set it. */
	callsPerHour: number;
}

/** What a forecast assumes unless the user says otherwise. */
export const forecastDefaults: ForecastSettings = { minutesLow: 1, minutesLikely: 2, minutesHigh: 4, callsPerHour: 0 };

/** In minutes: the service ends a call after 3600 seconds. */
const callLength = { min: 0, max: 60 };

const minutesLow = decimal(
	'minutesLow',
	{
		displayName: 'Minutes per Call (Low)',
		name: 'minutesLow',
		default: forecastDefaults.minutesLow,
		description: 'Average length of a call in minutes if the calls turn out short',
	},
	callLength,
);

const minutesLikely = decimal(
	'minutesLikely',
	{
		displayName: 'Minutes per Call (Likely)',
		name: 'minutesLikely',
		default: forecastDefaults.minutesLikely,
		description: 'Expected average length of a call in minutes. Calls that nobody answers count as 0.',
	},
	callLength,
);

const minutesHigh = decimal(
	'minutesHigh',
	{
		displayName: 'Minutes per Call (High)',
		name: 'minutesHigh',
		default: forecastDefaults.minutesHigh,
		description: 'Average length of a call in minutes if the calls turn out long',
	},
	callLength,
);

const callsPerHour = decimal(
	'callsPerHour',
	{
		displayName: 'Calls per Hour',
		name: 'callsPerHour',
		default: forecastDefaults.callsPerHour,
		description: 'How many calls each agent or campaign places per hour. With 0, the end is not estimated.',
	},
	{ min: 0, max: 100_000 },
);

/** What to assume for a forecast; adding it asks for the forecast. */
export const forecast = local(
	defineField({
		key: 'forecast',
		properties: [
			{
				displayName: 'Forecast',
				name: 'forecast',
				type: 'fixedCollection',
				default: { values: {} },
				placeholder: 'Add Forecast',
				description:
					'Adds one item after all others, with the result forecast: how many numbers are ready, why the others are not, the estimated cost, when all are called, and the assumption behind each figure',
				options: [
					{
						displayName: 'Forecast',
						name: 'values',
						values: [
							minutesLow.properties[0],
							minutesLikely.properties[0],
							minutesHigh.properties[0],
							callsPerHour.properties[0],
						],
					},
				],
			},
		],
		read: ({ get }) => {
			const entered = get('forecast');
			return { ...forecastDefaults, ...(isRecord(entered) && isRecord(entered.values) ? entered.values : {}) };
		},
		check: (zod) =>
			zod
				.object({
					minutesLow: minutesLow.check(zod),
					minutesLikely: minutesLikely.check(zod),
					minutesHigh: minutesHigh.check(zod),
					callsPerHour: callsPerHour.check(zod),
				})
				.refine(
					({ minutesLow: low, minutesLikely: likely, minutesHigh: high }) => low <= likely && likely <= high,
					issueOf('Enter Minutes per Call so that Low is at most Likely, and Likely at most High', {
						ofField: 'has minutes per call in the wrong order',
					}),
				),
	}),
);
