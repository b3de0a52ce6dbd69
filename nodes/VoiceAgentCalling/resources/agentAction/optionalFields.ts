import { choice, onlyFor } from '../../../shared/fields/field';
import { e164, integer, text, webAddress } from '../../../shared/fields/kinds';
import { locator } from '../../../shared/pickers/locators';

export const authorizationUrl = onlyFor(
	'type',
	['webhook'],
	webAddress('authorization_url', {
		displayName: 'Authorization URL',
		name: 'authorizationUrl',
		description: 'URL at which the service is authorized to call the webhook URL',
	}),
);

export const executionMode = onlyFor(
	'type',
	['external'],
	choice('execution_mode', {
		displayName: 'Execution Mode',
		name: 'executionMode',
		options: [
			{ name: 'During Call', value: 'during_call' },
			{ name: 'Post Call', value: 'post_call', description: 'After the call has ended' },
		],
		default: 'during_call',
		description: 'When the action is performed',
	}),
);

export const integration = locator(
	'integration',
	{
		displayName: 'Integration',
		name: 'integration',
		description: "The integration that the action uses, from the service's catalog",
		list: 'searchActionIntegrations',
	},
	{ optional: true },
);

export const speakOnSend = text('speak_on_send', {
	displayName: 'Speak on Send',
	name: 'speakOnSend',
	placeholder: 'e.g. One moment, please.',
	description: 'What the agent says before the request is sent',
});

export const speakOnReceive = text('speak_on_receive', {
	displayName: 'Speak on Receive',
	name: 'speakOnReceive',
	placeholder: 'e.g. You are booked for {{ day }}.',
	description:
		'What the agent says after a successful response. It can use variables of the response; their format is not documented (probably double braces).',
});

export const actionStatus = choice('current_status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{ name: 'Active', value: 'active' },
		{ name: 'Inactive', value: 'inactive', description: 'The agent does not use the action' },
	],
	default: 'active',
	description: 'Whether the agent uses the action',
});

export const url = onlyFor(
	'type',
	['webhook'],
	webAddress('url', {
		displayName: 'URL',
		name: 'url',
		required: true,
		placeholder: 'e.g. https://example.com/book',
		description: 'The URL that the service calls when the agent uses the action',
	}),
);

export const transferTo = onlyFor(
	'type',
	['transfer'],
	e164('transfer_to', {
		displayName: 'Transfer To',
		name: 'transferTo',
		required: true,
		description: 'Number that the call is transferred to, with + and the country code',
	}),
);

export const holdDuration = onlyFor(
	'type',
	['hold'],
	integer(
		'hold_duration',
		{
			displayName: 'Hold Duration (Seconds)',
			name: 'holdDuration',
			default: 30,
			description: 'How long the call is on hold',
		},
		{ min: 0 },
	),
);
