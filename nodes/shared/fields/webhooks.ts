import { isRecord } from '../lib/json';
import { MAX_URL_LENGTH } from '../owner';
import { choice, defineField, jsonObject, rowsOf, textual } from './field';
import { integer, secret, text, toggle, webAddress } from './kinds';

/** The maximum length of a webhook name and a signing secret. */
const MAX_TEXT_LENGTH = 255;

/** The characters that HTTP allows in a header name. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The name of a webhook. */
export const webhookName = text(
	'name',
	{
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder: 'e.g. Calls to CRM',
		description: 'Name of the webhook in the service, up to 255 characters',
	},
	{ max: MAX_TEXT_LENGTH },
);

/** The URL to which a webhook delivers. */
export const webhookUrl = webAddress(
	'webhook_url',
	{
		displayName: 'Webhook URL',
		name: 'webhookUrl',
		required: true,
		placeholder: 'e.g. https://example.com/events',
		description: 'URL that the events are sent to, up to 500 characters',
	},
	{ max: MAX_URL_LENGTH },
);

/** Whether a campaign webhook also delivers the events inside each call. */
export const includeCallEvents = toggle('include_call_events', {
	displayName: 'Include Call Events',
	name: 'includeCallEvents',
	description:
		"Whether to also deliver what happens inside each call of the campaign, such as 'event_phone_call_started': several more events for each call",
});

/** The HTTP method of deliveries. */
export const deliveryMethod = choice('http_method', {
	displayName: 'Delivery Method',
	name: 'deliveryMethod',
	options: [
		{ name: 'PATCH', value: 'PATCH' },
		{ name: 'POST', value: 'POST' },
		{ name: 'PUT', value: 'PUT' },
	],
	default: 'POST',
	description: 'The HTTP method of the deliveries',
});

/** How long the service waits for a response to a delivery, in seconds. */
export const deliveryTimeout = integer(
	'timeout',
	{
		displayName: 'Delivery Timeout (Seconds)',
		name: 'deliveryTimeout',
		default: 30,
		description: 'How many seconds the service waits for the response to a delivery, 5 to 120',
	},
	{ min: 5, max: 120 },
);

/** How often the service repeats a failed delivery. */
export const deliveryRetries = integer(
	'max_retries',
	{
		displayName: 'Delivery Retries',
		name: 'deliveryRetries',
		default: 3,
		description: 'How often the service retries a failed delivery, 0 to 10',
	},
	{ min: 0, max: 10 },
);

/** Additional headers of deliveries, sent as a list of `key` and `value`. The values are secrets. */
export const extraHeaders = defineField({
	key: 'custom_headers',
	properties: [
		{
			displayName: 'Extra Headers',
			name: 'extraHeaders',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Header',
			default: {},
			description: 'Headers that the service sends with each delivery',
			options: [
				{
					displayName: 'Header',
					name: 'values',
					values: [
						{ displayName: 'Name', name: 'name', type: 'string', default: '' },
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							typeOptions: { password: true },
							default: '',
						},
					],
				},
			],
		},
	],
	read: ({ get }) => rowsOf(get('extraHeaders')),
	check: (zod) =>
		zod.array(
			zod
				.object({
					name: zod.string().regex(HEADER_NAME, 'A header name can have only letters, digits and hyphens'),
					value: textual(zod, zod.string().regex(/^[^\r\n]*$/, 'A header value must be one line')),
				})
				.strict()
				.transform(({ name: key, value }) => ({ key, value })),
		),
});

/** The key with which the service signs deliveries. */
export const signingSecret = secret(
	'webhook_secret',
	{
		displayName: 'Signing Secret',
		name: 'signingSecret',
		description:
			'Key with which the service signs each delivery (HMAC-SHA256), up to 255 characters. It cannot be read back. Do not change that of a Voice Agent Calling Trigger, which would reject all events.',
	},
	{ max: MAX_TEXT_LENGTH },
);

/** Whether the webhook delivers events. */
export const enabled = toggle('enabled', {
	displayName: 'Enabled',
	name: 'enabled',
	default: true,
	description: 'Whether the service delivers events to this webhook',
});

/** The authorization scheme of deliveries. */
export const authorizationScheme = choice('authorization_scheme', {
	displayName: 'Authorization Scheme',
	name: 'authorizationScheme',
	options: [
		{ name: 'API Key', value: 'api_key' },
		{ name: 'Basic', value: 'basic' },
		{ name: 'Bearer', value: 'bearer' },
		{ name: 'Custom', value: 'custom' },
		{ name: 'None', value: 'none' },
	],
	default: 'none',
	description: 'How the service authenticates to the webhook URL. Enter the value itself as an extra header.',
});

/** The custom bodies of deliveries, by event type. */
export const payloadTemplates = defineField({
	key: 'payload_templates',
	properties: [
		{
			displayName: 'Payload Templates',
			name: 'payloadTemplates',
			type: 'json',
			default: '{}',
			description:
				'Custom bodies: a JSON object with one body for each event type. They can contain placeholders in double braces. The only documented placeholder is the ID of the call. A trigger needs the original body.',
		},
	],
	check: (zod) =>
		jsonObject(zod).refine(
			(templates) => Object.values(templates).every(isRecord),
			'Enter a JSON object for each event type, like {"campaign_call.completed": {"call": "{{call.id}}"}}',
		),
});

/** The settings of any webhook other than its name, URL and events. */
export const webhookSettings = [
	authorizationScheme,
	deliveryMethod,
	deliveryRetries,
	deliveryTimeout,
	enabled,
	extraHeaders,
	payloadTemplates,
	signingSecret,
] as const;
