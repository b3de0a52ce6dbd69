import type { INodeProperties } from 'n8n-workflow';

import { isRecord } from './errors';
import { defineField, jsonObject, numeric, textual, type FieldSource } from './field';
import { toE164 } from './phoneNumber';
import { DEFAULT_TIMEOUT_SECONDS } from './transport';

/** A picker that searches the service page by page, or takes an ID. */
function locator(property: {
	displayName: string;
	name: string;
	description: string;
	searchListMethod: string;
}): INodeProperties {
	return {
		displayName: property.displayName,
		name: property.name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: property.description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: property.searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c',
			},
		],
	};
}

/** A field whose value is the ID that a locator holds. */
function locatorField<const Key extends string>(key: Key, property: INodeProperties) {
	return defineField({
		key,
		properties: [property],
		read: ({ get }) => {
			const chosen = get(property.name);
			return isRecord(chosen) ? chosen.value : chosen;
		},
		check: (zod) =>
			textual(zod, zod.string().trim().min(1)),
	});
}

export const campaign = locatorField(
	'campaignId',
	locator({
		displayName: 'Campaign',
		name: 'campaign',
		description: 'The campaign to work with',
		searchListMethod: 'searchCampaigns',
	}),
);

export const agent = locatorField(
	'agentId',
	locator({
		displayName: 'Agent',
		name: 'agent',
		description: 'The voice agent to work with',
		searchListMethod: 'searchAgents',
	}),
);

/** An agent that a call can be placed through. */
export const callingAgent = locatorField(
	'agentId',
	locator({
		displayName: 'Agent',
		name: 'agent',
		description: 'The voice agent that makes the call. The list shows published outbound agents.',
		searchListMethod: 'searchCallingAgents',
	}),
);

export const campaignWebhook = locatorField(
	'webhookId',
	locator({
		displayName: 'Webhook',
		name: 'campaignWebhook',
		description: 'The webhook of the campaign to work with',
		searchListMethod: 'searchCampaignWebhooks',
	}),
);

export const phoneNumber = defineField({
	key: 'to',
	properties: [
		{
			displayName: 'Phone Number',
			name: 'phoneNumber',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. +4915112345678',
			description:
				'Number to call, with + and the country code. Blanks and punctuation are removed. It is checked before anything is sent.',
		},
	],
	check: (zod) =>
		zod.unknown().transform((value, context) => {
			const number = toE164(value);
			if (number !== undefined) return number;
			context.addIssue({
				code: 'custom',
				message: 'Write the number with + and the country code, for example +4915112345678',
			});
			return zod.NEVER;
		}),
});

/** An object that is given as a list of keys and values or as JSON. */
function keyValues<const Key extends string>(
	key: Key,
	{ displayName, description }: { displayName: string; description: string },
) {
	const specify = `specify${displayName}`;
	const usingFields = `${key}Fields`;
	const usingJson = `${key}Json`;
	const specifyDescription = `Whether to enter the ${key} value by value or as one JSON object`;
	return defineField({
		key,
		properties: [
			{
				displayName: `Specify ${displayName}`,
				name: specify,
				type: 'options',
				options: [
					{ name: 'Using Fields Below', value: 'keypair' },
					{ name: 'Using JSON', value: 'json' },
				],
				default: 'keypair',
				description: specifyDescription,
			},
			{
				displayName,
				name: usingFields,
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Value',
				default: {},
				description,
				displayOptions: { show: { [specify]: ['keypair'] } },
				options: [
					{
						displayName: 'Value',
						name: 'values',
						values: [
							{ displayName: 'Name', name: 'name', type: 'string', default: '' },
							{ displayName: 'Value', name: 'value', type: 'string', default: '' },
						],
					},
				],
			},
			{
				displayName: `${displayName} (JSON)`,
				name: usingJson,
				type: 'json',
				default: '{}',
				description,
				displayOptions: { show: { [specify]: ['json'] } },
			},
		],
		read: ({ get }: FieldSource) => {
			if (get(specify) === 'json') return get(usingJson);
			const list = get(usingFields);
			const pairs = isRecord(list) && Array.isArray(list.values) ? list.values.filter(isRecord) : [];
			const named = pairs.filter(({ name }) => String(name ?? '') !== '');
			return Object.fromEntries(named.map(({ name, value }) => [String(name), value]));
		},
		check: (zod) =>
			jsonObject(zod)
				.optional()
				// An empty object says nothing: it is left out of the request.
				.transform((value) => (value && Object.keys(value).length > 0 ? value : undefined)),
	});
}

export const payload = keyValues('payload', {
	displayName: 'Payload',
	description: "Values for the placeholders in the agent's prompt, by the placeholder's name",
});

export const context = keyValues('context', {
	displayName: 'Context',
	description:
		'Your own data about this call, such as a contact ID. It comes back in every event of the call and is not used in the conversation.',
});

export const testCall = defineField({
	key: 'is_testing',
	properties: [
		{
			displayName: 'Test Call',
			name: 'testCall',
			type: 'options',
			options: [
				{
					name: 'Automatic',
					value: 'automatic',
					description: 'A test call when you run the workflow by hand in the editor, else a real one',
				},
				{ name: 'Always', value: 'always', description: 'Every call is a test call' },
				{ name: 'Never', value: 'never', description: 'Every call is a real one and costs credits' },
			],
			default: 'automatic',
			description:
				'Whether the call is marked as a test. A test call uses no credits and is left out of the statistics, but the phone may still ring. A sub-workflow always counts as running by itself: choose Always while you test one.',
		},
	],
	read: ({ get, startedByHand }) => {
		const choice = get('testCall');
		return choice === 'automatic' ? startedByHand : { always: true, never: false }[String(choice)];
	},
	check: (zod) =>
		zod.custom<boolean>((value) => typeof value === 'boolean', 'Choose Automatic, Always or Never'),
});

export const requestTimeout = defineField({
	key: 'requestTimeout',
	properties: [
		{
			displayName: 'Request Timeout',
			name: 'requestTimeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 600 },
			default: DEFAULT_TIMEOUT_SECONDS,
			description:
				'How many seconds to wait for the service to answer. A call whose request timed out counts as unknown and is not sent again.',
		},
	],
	check: (zod) => numeric(zod, zod.number().min(1).max(600)),
});

/** All of a listing, or up to a limit. */
export const returnAll = defineField({
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
	read: ({ get }) => (get('returnAll') === true ? Number.POSITIVE_INFINITY : get('limit')),
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
});

export const search = defineField({
	key: 'search',
	properties: [
		{
			displayName: 'Search',
			name: 'search',
			type: 'string',
			default: '',
			description: 'Text that the results contain',
		},
	],
	check: (zod) => textual(zod, zod.string()),
});
