import type { IHookFunctions, INodeProperties } from 'n8n-workflow';

import { sorted } from '../shared/description';
import { campaignEventsField } from '../shared/eventFields';
import { defineField, numeric } from '../shared/field';
import { campaign } from '../shared/locators';
import { loadZod, readFields } from '../shared/input';
import {
	deliveryMethod,
	deliveryRetries,
	deliveryTimeout,
	extraHeaders,
	includeCallEvents,
	webhookName,
} from '../shared/webhookFields';

export const DEFAULT_WINDOW_SECONDS = 300;

const nameProperty: INodeProperties = {
	displayName: 'Webhook Name',
	name: 'webhookName',
	type: 'string',
	default: '',
	description: 'Name of the webhook in the service; by default the names of the workflow and the node',
};

const fields = [campaign, campaignEventsField('Trigger On'), includeCallEvents] as const;

/** Options that are registered with the service. */
const registeredOptions = [
	defineField({ ...webhookName, properties: [nameProperty] }),
	deliveryMethod,
	deliveryRetries,
	deliveryTimeout,
	extraHeaders,
];

/** Options that only this node reads, at each delivery. */
const deliveryOptions = [
	defineField({
		key: 'includeDeliveryDetails',
		properties: [
			{
				displayName: 'Include Delivery Details',
				name: 'includeDeliveryDetails',
				type: 'boolean',
				default: false,
				description:
					"Whether to add 'deliveryDetails' to each event: when and how it arrived, and its headers without secrets",
			},
		],
		check: (zod) => zod.boolean(),
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
				description:
					'The header that carries the signature. Left empty, a valid signature counts in any header.',
			},
		],
		check: (zod) => zod.string().trim().optional(),
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

/** All that the trigger asks for. */
export const properties: INodeProperties[] = [
	...fields.flatMap((field) => field.properties),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: sorted([...registeredOptions, ...deliveryOptions].flatMap((field) => field.properties)),
	},
];

/** A webhook as the service is to have it; every setting is there, so that an update resets the rest. */
export interface Settings {
	name: string;
	webhook_url: string;
	events: string[];
	include_call_events: boolean;
	enabled: boolean;
	http_method: string;
	timeout: number;
	max_retries: number;
	authorization_scheme: string;
	custom_headers: Array<{ key: string; value: string }>;
}

/**
 * Reads what the webhook of this node is to be like.
 *
 * @param url the address that n8n serves for the node, test or production
 * @throws ServiceError `INVALID_INPUT`
 */
export async function readSettings(
	caller: IHookFunctions,
	url: string,
): Promise<{ campaignId: string; settings: Settings }> {
	const zod = await loadZod();
	const source = {
		get: (parameter: string) => caller.getNodeParameter(parameter),
		startedByHand: false,
		asTool: false,
		timezone: caller.getTimezone(),
	};
	const { campaignId, ...chosen } = readFields(zod, fields, { options: registeredOptions }, source);
	// Read at each delivery, but checked now: publishing is when somebody looks.
	readFields(zod, [], { options: deliveryOptions }, source);
	const name = `n8n: ${caller.getWorkflow().name ?? 'workflow'}, ${caller.getNode().name}`;
	const defaults = {
		name: name.slice(0, 255),
		webhook_url: url,
		enabled: true,
		http_method: 'POST',
		timeout: 30,
		max_retries: 3,
		authorization_scheme: 'none',
		custom_headers: [],
	};
	return { campaignId, settings: { ...defaults, ...chosen } };
}
