import { defineField, FILL_IN_OR_REMOVE, groupOf, issueOf, local, numeric } from '../../shared/fields/field';

/** The units of a time limit, in milliseconds. */
const UNITS = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 };

type Unit = keyof typeof UNITS;
const units = Object.keys(UNITS) as [Unit, ...Unit[]];

type Limit = { amount: number; unit: Unit };

const msOf = ({ amount, unit }: Limit) => amount * UNITS[unit];

/** The default time limits by caller. The retries of a campaign are hours or days apart. */
const STANDARD = {
	agentId: { amount: 60, unit: 'minutes' },
	campaignId: { amount: 7, unit: 'days' },
} satisfies Record<string, Limit>;

/** The default time limits in milliseconds. */
export const DEFAULT_TIME_LIMITS_MS = { agentId: msOf(STANDARD.agentId), campaignId: msOf(STANDARD.campaignId) };

/** How long a wait may take. n8n keeps the waiting execution that long, and the service keeps its data. */
const LONGEST = { ms: 365 * UNITS.days, inWords: '365 days' };

/**
 * Makes the field for how long the node waits, in milliseconds. The default amount is invalid, because n8n uses the
 * default for a misspelled name, for example.
 *
 * @param standard the limit that the editor shows when the user adds the field
 */
function timeLimit(standard: Limit, what: string) {
	const { unit } = standard;
	return local(
		defineField({
			key: 'timeLimit',
			empty: FILL_IN_OR_REMOVE,
			properties: [
				{
					displayName: 'Time Limit',
					name: 'timeLimit',
					type: 'fixedCollection',
					default: { values: standard },
					placeholder: 'Add Time Limit',
					description: `How long to wait. Then the node polls the service once more and the workflow continues: ${what}.`,
					options: [
						{
							displayName: 'Time Limit',
							name: 'values',
							values: [
								{
									displayName: 'Amount',
									name: 'amount',
									type: 'number',
									typeOptions: { minValue: 0 },
									default: 0,
									description: 'How long to wait, in the unit below',
								},
								{
									displayName: 'Unit',
									name: 'unit',
									type: 'options',
									options: units.map((value) => ({ name: `${value[0].toUpperCase()}${value.slice(1)}`, value })),
									default: unit,
									description: 'The unit of the amount',
								},
							],
						},
					],
				},
			],
			read: ({ get }) => groupOf(get('timeLimit')),
			check: (zod) =>
				zod
					.object({
						amount: numeric(zod, zod.number().positive('Enter an amount above 0')),
						unit: zod.enum(units),
					})
					.strict()
					.transform(msOf)
					.refine(
						(ms) => ms <= LONGEST.ms,
						issueOf(`Enter at most ${LONGEST.inWords}`, { ofField: `is longer than ${LONGEST.inWords}` }),
					),
		}),
	);
}

const CALLS = 'calls that have not ended have the outcome timedOut. The calls themselves continue';

/** How long to wait for the calls of an agent. */
export const agentCallTimeLimit = timeLimit(STANDARD.agentId, `${CALLS}. The limit counts from the end of Delay`);

/** How long to wait for the calls of a campaign, with their retries. */
export const campaignCallTimeLimit = timeLimit(
	STANDARD.campaignId,
	`${CALLS}. The limit counts from the campaign's next calling time`,
);

/** How long to wait for a campaign. */
export const campaignTimeLimit = timeLimit(
	STANDARD.campaignId,
	'a campaign that has not ended has the outcome timedOut. The campaign itself continues',
);
