import { invalid } from '../../shared/errors/serviceError';
import { choice, defineField, local, numeric } from '../../shared/fields/field';
import { text } from '../../shared/fields/kinds';
import { day } from '../../shared/fields/timeKinds';
import { addedKeyValues, sentObject } from './keyValues';

/** The user's own data about a call, which every event of the call contains. */
export const callMetadata = {
	...addedKeyValues('context', {
		displayName: 'Metadata',
		name: 'metadata',
		description:
			'Your own data about this call, such as a contact ID. Every event of the call returns it as context. The agent does not use it.',
	}),
	check: sentObject,
};

/**
 * Which runs are tests, by how they began (see `rootOf`). Runs of chats and agents, and of modes that n8n adds, can
 * be either.
 */
const IS_TEST = new Map<string | undefined, boolean>([
	['manual', true],
	['evaluation', true],
	['testEvent', true],
	['trigger', false],
	['webhook', false],
	['cli', false],
]);

/** The choices that do not depend on the run. */
const CHOSEN_BY_PERSON = new Map<unknown, boolean>([
	['always', true],
	['never', false],
]);

/** Whether a call is a test call. By default, calls of manual executions and evaluations are. */
export const testCall = defineField({
	key: 'is_testing',
	properties: [
		{
			displayName: 'Test Call',
			name: 'testCall',
			type: 'options',
			options: [
				{ name: 'Always', value: 'always', description: 'Every call is a test call' },
				{
					name: 'Automatic',
					value: 'automatic',
					description:
						'A test call in manual executions (first five phones) and evaluations, a real call in production',
				},
				{ name: 'Never', value: 'never', description: 'Every call is a real call and costs credits' },
			],
			default: 'automatic',
			description:
				'Whether the call is a test call. A test call uses no credits and does not count in the statistics, but the phone may still ring, and a queued one holds its number in the campaign.',
			builderHint: {
				propertyHint:
					'automatic is a test call when somebody runs the workflow by hand, for the first five phones, or when the event of a test call starts it, and a real call when it is published. A real call that a person starts with a Manual Trigger needs never.',
			},
		},
	],
	read: ({ get, rootMode }) => {
		const chosen = get('testCall');
		if (chosen === 'automatic' && rootMode === 'someTestEvents') {
			throw invalid(
				"'Test Call' is Automatic, but only some of the events that began this execution are of test calls",
				"Set it to an expression, such as {{ $json.isTest === false ? 'never' : 'always' }}.",
			);
		}
		if (chosen === 'automatic' && !IS_TEST.has(rootMode)) {
			const why =
				rootMode === undefined
					? ', such as in a sub-workflow after a wait whose first execution is not stored, or in the error workflow of a sub-workflow'
					: ` (its mode is ${rootMode})`;
			throw invalid(
				`'Test Call' is Automatic, but n8n does not report whether this execution is a test${why}`,
				'Choose Always or Never.',
			);
		}
		return chosen === 'automatic' ? IS_TEST.get(rootMode) : CHOSEN_BY_PERSON.get(chosen);
	},
	check: (zod) => zod.custom<boolean>((value) => typeof value === 'boolean', 'Choose Automatic, Always or Never'),
});

/** What to do if several items have the same number. */
export const repeatedNumber = local(
	choice('repeatedNumber', {
		displayName: 'Repeated Number',
		name: 'repeatedNumber',
		options: [
			{ name: 'Call Each Time', value: 'callEachTime', description: 'Place or queue one call for each item' },
			{
				name: 'Call Once',
				value: 'callOnce',
				description: 'The other items return the same call, with the result sameNumber',
			},
		],
		default: 'callOnce',
		description:
			'What to do if several input items have the same number, for whichever agent or campaign. If the service rejects the first call, the next item is tried.',
	}),
);

/** Return All and Limit of a listing. The value is the limit: `Infinity` for all items. */
export const returnAll = local(
	defineField({
		key: 'limit',
		properties: [
			{
				displayName: 'Return All',
				name: 'returnAll',
				type: 'boolean',
				default: false,
				description: 'Whether to return all results or only up to a given limit',
			},
			{
				displayName: 'Limit',
				name: 'limit',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description: 'Max number of results to return',
				displayOptions: { show: { returnAll: [false] } },
			},
		],
		read: ({ get }) => {
			const all = get('returnAll');
			// An expression may give text.
			switch (String(all ?? false)) {
				case 'true':
					return Number.POSITIVE_INFINITY;
				case 'false':
					return get('limit');
				default:
					throw invalid(`'Return All' cannot be ${JSON.stringify(all)}`, 'Use true or false.');
			}
		},
		check: (zod) =>
			numeric(
				zod,
				zod
					.number()
					.min(1)
					.refine((limit) => Number.isInteger(limit) || limit === Number.POSITIVE_INFINITY, {
						message: 'Enter a whole number',
					}),
			),
	}),
);

/** The search text of a listing. */
export const search = text('search', {
	displayName: 'Search',
	name: 'search',
	description: 'Only return results that contain this text',
});

/** The first day of the results. */
export const dateFrom = day('date_from', {
	displayName: 'Date From',
	name: 'dateFrom',
	description: 'Only return results from this day on',
});

/** The last day of the results. */
export const dateTo = day('date_to', {
	displayName: 'Date To',
	name: 'dateTo',
	description: 'Only return results up to this day',
});

/** When to publish the agent after an edit, which makes it a draft. */
export const publishAfterwards = local(
	choice('publishAfterwards', {
		displayName: 'Publish Afterwards',
		name: 'publishAfterwards',
		options: [
			{ name: 'Always', value: 'always', description: 'Publish the agent' },
			{
				name: 'If It Was Published',
				value: 'ifPublished',
				description: 'Publish an agent again that was published before. A draft stays a draft.',
			},
			{ name: 'Never', value: 'never', description: 'The agent stays a draft, and its calls fail' },
		],
		default: 'ifPublished',
		description:
			'Whether to publish the agent after the change, which makes it a draft. If publishing fails, the change stays and the output says why.',
	}),
);
