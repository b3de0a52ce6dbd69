import { defineField, groupOf, local, numeric } from '../../shared/fields/field';

/** How many calls a person may get. */
export interface FrequencyCap {
	atMost: number;
	/** Days of 24 hours. */
	days: number;
}

/** The longest time in which calls are counted. */
const MAX_DAYS = 365;

/**
 * How often a person may be called: an option of all operations that place, queue or check a call. The defaults of its
 * fields are invalid, because n8n uses the defaults for a misspelled name, for example.
 */
export const frequencyCap = local(
	defineField({
		key: 'frequencyCap',
		ai: 'fixed',
		empty: { error: 'Fill it in, check the expression, or remove the option to call as often as you like.' },
		properties: [
			{
				displayName: 'Frequency Cap',
				name: 'frequencyCap',
				type: 'fixedCollection',
				placeholder: 'Add Cap',
				default: { values: { atMost: 3, days: 7 } },
				description:
					'How often a phone may be called, by all agents and with test calls. Beyond that, nothing is sent: the item gets the result tooOften, or not ready in a check, and nextAllowedAt says when it is allowed. If the last calls cannot be read, nothing is sent. A tool takes fixed values only.',
				options: [
					{
						displayName: 'Cap',
						name: 'values',
						values: [
							{
								displayName: 'At Most',
								name: 'atMost',
								type: 'number',
								typeOptions: { minValue: 1 },
								default: 0,
								description: 'How many calls. A queued one counts with all retries of its campaign.',
							},
							{
								displayName: 'Days',
								name: 'days',
								type: 'number',
								typeOptions: { minValue: 1, maxValue: MAX_DAYS },
								default: 0,
								description: `In how many days of 24 hours, up to ${MAX_DAYS}`,
							},
						],
					},
				],
			},
		],
		read: ({ get }) => groupOf(get('frequencyCap')),
		check: (zod) =>
			zod
				.object({
					atMost: numeric(zod, zod.number().int().min(1, "Use 1 or more in 'At Most'")),
					days: numeric(
						zod,
						zod.number().int().min(1, "Use 1 or more in 'Days'").max(MAX_DAYS, `Use ${MAX_DAYS} or less in 'Days'`),
					),
				})
				.strict(),
	}),
);
