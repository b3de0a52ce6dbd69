import type { INodeProperties } from 'n8n-workflow';

import { defineField, issueOf, local, numeric, type Zod } from '../../shared/fields/field';
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

/** The service ends a call after 3600 seconds. */
const MAX_MINUTES = 60;

const MAX_CALLS_PER_HOUR = 100_000;

/** What a forecast assumes unless the user says otherwise. */
export const forecastDefaults: ForecastSettings = { minutesLow: 1, minutesLikely: 2, minutesHigh: 4, callsPerHour: 0 };

function numberProperty(
	name: keyof ForecastSettings,
	displayName: string,
	maxValue: number,
	description: string,
): INodeProperties {
	const typeOptions = { minValue: 0, maxValue, numberPrecision: 2 };
	return { displayName, name, type: 'number', typeOptions, default: forecastDefaults[name], description };
}

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
							numberProperty(
								'minutesLow',
								'Minutes per Call (Low)',
								MAX_MINUTES,
								'Average length of a call in minutes if the calls turn out short',
							),
							numberProperty(
								'minutesLikely',
								'Minutes per Call (Likely)',
								MAX_MINUTES,
								'Expected average length of a call in minutes. Calls that nobody answers count as 0.',
							),
							numberProperty(
								'minutesHigh',
								'Minutes per Call (High)',
								MAX_MINUTES,
								'Average length of a call in minutes if the calls turn out long',
							),
							numberProperty(
								'callsPerHour',
								'Calls per Hour',
								MAX_CALLS_PER_HOUR,
								'How many calls each agent or campaign places per hour, to estimate when all are called. 0 estimates no end.',
							),
						],
					},
				],
			},
		],
		read: ({ get }) => {
			const entered = get('forecast');
			const values = isRecord(entered) && isRecord(entered.values) ? entered.values : {};
			return { ...forecastDefaults, ...values };
		},
		check: (zod: Zod) => {
			const upTo = (max: number) => numeric(zod, zod.number().min(0).max(max));
			return zod
				.object({
					minutesLow: upTo(MAX_MINUTES),
					minutesLikely: upTo(MAX_MINUTES),
					minutesHigh: upTo(MAX_MINUTES),
					callsPerHour: upTo(MAX_CALLS_PER_HOUR),
				})
				.refine(
					({ minutesLow, minutesLikely, minutesHigh }) => minutesLow <= minutesLikely && minutesLikely <= minutesHigh,
					issueOf('Enter Minutes per Call so that Low is at most Likely, and Likely at most High', {
						ofField: 'has minutes per call in the wrong order',
					}),
				);
		},
	}),
);
