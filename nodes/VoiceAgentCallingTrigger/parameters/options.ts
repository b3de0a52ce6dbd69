import type { INodeProperties } from 'n8n-workflow';

import { choice, defineField, numeric, reworded } from '../../shared/fields/field';
import { toggle } from '../../shared/fields/kinds';
import {
	authorizationScheme,
	deliveryMethod,
	deliveryRetries,
	deliveryTimeout,
	extraHeaders,
	payloadTemplates,
	webhookName,
} from '../../shared/fields/webhooks';

export const DEFAULT_WINDOW_SECONDS = 300;

/** The header with the random value, if the node requires one. */
export const KEY_HEADER = 'X-Webhook-Key';

const nameProperty: INodeProperties = {
	displayName: 'Webhook Name',
	name: 'webhookName',
	type: 'string',
	default: '',
	description: 'Name of the webhook in the service; by default the names of the workflow and the node',
};

/** Options that are registered with the service. */
export const registeredOptions = [
	defineField({ ...webhookName, properties: [nameProperty] }),
	authorizationScheme,
	deliveryMethod,
	deliveryRetries,
	deliveryTimeout,
	extraHeaders,
	reworded(payloadTemplates, {
		description:
			'Bodies of your own: a JSON object with one for each event type, with placeholders in double braces. The trigger needs the event type, the time and the IDs of an event at their usual places. Operations that wait do not accept a template for an event that ends the wait.',
	}),
];

export const requireHeader = toggle('requireHeader', {
	displayName: 'Require Random Header',
	name: 'requireHeader',
	description:
		"Whether to register a header with a random value besides the signature, 'X-Webhook-Key', and to refuse what comes without it",
});

/** Options that the node reads at each delivery; the service does not get them. */
export const deliveryOptions = [
	toggle('startForAwaited', {
		displayName: 'Also Start for Awaited Calls',
		name: 'startForAwaited',
		description: 'Whether an event that continues an execution which waits for its call starts this workflow as well',
	}),
	toggle('includeDeliveryDetails', {
		displayName: 'Include Delivery Details',
		name: 'includeDeliveryDetails',
		description:
			"Whether to add 'deliveryDetails' to each event: when and how it arrived, and its headers without secrets",
	}),
	choice('outputs', {
		displayName: 'Outputs',
		name: 'outputs',
		options: [
			{
				name: 'One for All Events',
				value: 'single',
			},
			{
				name: 'One for Each Family',
				value: 'families',
				description:
					'Of a campaign: campaign, campaign call, artifact, inside calls. Of an agent: call events, artifact.',
			},
		],
		default: 'single',
		description: 'The outputs that the events come out of. Recordings, reports and transcripts are artifacts.',
	}),
	defineField({
		key: 'signatureHeader',
		properties: [
			{
				displayName: 'Signature Header',
				name: 'signatureHeader',
				type: 'string',
				default: '',
				placeholder: 'e.g. X-Webhook-Signature',
				description: 'The header that carries the signature. Left empty, a valid signature counts in any header.',
			},
		],
		check: (zod) => zod.string().trim().optional(),
	}),
	choice('testDeliveries', {
		displayName: 'Test Deliveries',
		name: 'testDeliveries',
		options: [
			{
				name: 'Acknowledge Only',
				value: 'ignore',
				description: 'The service is told that they arrived, and nothing starts',
			},
			{
				name: 'Start the Workflow',
				value: 'start',
				description: 'They start the workflow like any other event',
			},
		],
		default: 'ignore',
		description:
			"What the published workflow does with events that the service made up to test the webhook: their 'event' is 'webhook.test' or their 'test' is true. In the editor they always start a test run.",
	}),
	defineField({
		key: 'timeWindow',
		properties: [
			{
				displayName: 'Time Window',
				name: 'timeWindow',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: DEFAULT_WINDOW_SECONDS,
				description:
					'How many seconds a signed timestamp may be away from now. Signatures without a timestamp have no window.',
			},
		],
		check: (zod) => numeric(zod, zod.number().min(1).finite()),
	}),
];
