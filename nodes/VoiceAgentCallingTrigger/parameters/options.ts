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
	description: 'Name of the webhook in the service. By default: the names of the workflow and the node.',
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
			'Custom bodies: a JSON object with one body for each event type, with placeholders in double braces. The trigger needs the event type, the time and the IDs in their usual places. Operations that wait do not accept a template for an event that ends the wait.',
	}),
];

export const requireHeader = toggle('requireHeader', {
	displayName: 'Require Random Header',
	name: 'requireHeader',
	description:
		"Whether to register the header 'X-Webhook-Key' with a random value, and to reject deliveries without it. The signature is always checked.",
});

export const acceptConnections = toggle('acceptConnections', {
	displayName: 'Accept Connections',
	name: 'acceptConnections',
	description:
		"Whether 'Connect to Trigger' can add campaigns or agents without editing this node. To find them when you publish or unpublish, the trigger looks through up to 200 campaigns or agents.",
});

/** Options that the node reads at each delivery; the service does not get them. */
export const deliveryOptions = [
	toggle('startForAwaited', {
		displayName: 'Also Start for Awaited Calls',
		name: 'startForAwaited',
		description: 'Whether an event that resumes a waiting execution also starts this workflow',
	}),
	toggle('includeDeliveryDetails', {
		displayName: 'Include Delivery Details',
		name: 'includeDeliveryDetails',
		description:
			"Whether to add 'deliveryDetails' to each event: how and when it arrived, and its headers without secrets",
	}),
	choice('outputs', {
		displayName: 'Outputs',
		name: 'outputs',
		options: [
			{
				name: 'One for All Events',
				value: 'single',
				description: 'The trigger has one output',
			},
			{
				name: 'One for Each Family',
				value: 'families',
				description: 'Campaign: campaign, campaign call, artifact, inside calls. Agent: call events, artifact.',
			},
		],
		default: 'single',
		description: 'Which outputs the trigger has. Recordings, reports and transcripts are artifacts.',
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
				description: 'The header with the signature. If empty, a valid signature is accepted in any header.',
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
				description: 'They do not start the workflow',
			},
			{
				name: 'Start the Workflow',
				value: 'start',
				description: 'They start the workflow like any other event',
			},
		],
		default: 'ignore',
		description:
			"What the published workflow does with test events of the service, whose 'event' is 'webhook.test' or whose 'test' is true. In the editor they always start a test run.",
	}),
	defineField({
		key: 'timeWindow',
		properties: [
			{
				displayName: 'Time Window (Seconds)',
				name: 'timeWindow',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: DEFAULT_WINDOW_SECONDS,
				description:
					'How many seconds a signed timestamp may differ from the current time. Signatures without a timestamp have no window.',
			},
		],
		check: (zod) => numeric(zod, zod.number().min(1).finite()),
	}),
];
