import { createHmac } from 'node:crypto';

import { whatHappened } from '../engine/deliveries/eventTypes.mts';
import { ASSUMED } from '../http/named.mts';
import type { Delivered } from './examples.mts';
import { type Fields, jsonContent, refTo } from './jsonSchema.mts';

const text = (description: string, more: Fields = {}): Fields => ({ type: 'string', ...more, description });
const id = (of: string): Fields => text(`The ID of ${of}.`, { format: 'uuid' });
const nullable = (fields: Fields): Fields => ({ ...fields, type: [fields.type, 'null'] });

/** All fields of deliveries. */
const FIELDS: Fields = {
	event: text('The event type.'),
	id: text('Identifies the delivery: the same for each attempt.', { format: 'uuid' }),
	timestamp: text('When it happened.', { format: 'date-time' }),
	webhook_id: id('the webhook'),
	webhook_name: text('The name of the webhook.'),
	campaign_id: id('the campaign'),
	campaign_name: text('The name of the campaign.'),
	agent_id: id('the agent'),
	agent_name: nullable(text('The name of the agent; null if it is deleted.')),
	call_id: id('the call, as placing or queueing it returned'),
	to: text('The number of the call in E.164.'),
	status: text('The status of the call, or of the campaign for an event of a campaign.'),
	retries: { type: 'integer', description: 'The number of retries of the campaign so far.' },
	duration: { type: 'integer', description: 'Seconds of the call.' },
	is_testing: { type: 'boolean', description: 'Whether it is a test call.' },
	context: { type: 'object', description: 'The context with which the call was placed or queued.' },
	scheduled_at: nullable(text('When the next attempt is due; null if it is not scheduled.', { format: 'date-time' })),
	reason: text('Why the attempt ended.'),
	error: text('What failed.'),
	outcome: text('The result of the call.'),
	participant: text('Who joined or left.', { enum: ['agent', 'user'] }),
	message: text('What the agent said to the machine.'),
	recording_url: text('Where the recording is. The address needs no token.', { format: 'uri' }),
	transcript: {
		type: 'array',
		description: 'The spoken lines, in order.',
		items: { type: 'object', properties: { role: { type: 'string' }, content: { type: 'string' } } },
	},
	summary: text('The report in a sentence.'),
	action_name: text('The name of the action.'),
	input: { type: 'object', description: 'The values that the agent passed to the action.' },
	result: { description: 'What the action returned.' },
	test: { type: 'boolean', description: 'True for a test delivery.' },
};

const SECRET = 'a-long-random-text';
const BODY = '{"event":"webhook.test"}';
const SIGNATURE = createHmac('sha256', SECRET).update(BODY).digest('hex');

const header = (name: string, description: string, example: string): Fields => ({
	name,
	in: 'header',
	description,
	schema: { type: 'string' },
	example,
});

/** The headers of every delivery. */
export const DELIVERY_HEADERS: Record<string, Fields> = {
	DeliveryEvent: header('X-Webhook-Event', 'The event type.', 'campaign_call.completed'),
	DeliveryId: header('X-Webhook-Delivery', 'The `id` of the body.', '6b1f0c52-3d8e-4a97-b2c4-0f5e7d918a36'),
	DeliveryAttempt: header('X-Webhook-Attempt', 'The number of the attempt, from 1.', '1'),
	DeliverySignature: header(
		'X-Webhook-Signature',
		`HMAC-SHA256 of the body's bytes as they arrive, keyed by the UTF-8 bytes of the webhook's \`webhook_secret\`, in lower-case hex. Missing if the webhook has no secret. For example, the secret \`${SECRET}\` gives the body \`${BODY}\` this signature. The sandbox's \`--signature-header\` and \`--signature-format\` choose another name and form: \`sha256=hex\`, \`base64\`, or \`t,v1\`, which is \`t=<seconds since 1970>,v1=<hex>\` over \`<t>.<body>\`. ${ASSUMED}`,
		SIGNATURE,
	),
};

const DESCRIPTION =
	'A `payload_templates` entry of the webhook for this event type replaces the body. Any 2xx acknowledges the delivery; after any other response, or without a response within `timeout`, up to `max_retries` more attempts follow.';

/** The schema that all deliveries share. */
export const deliverySchema: Fields = {
	type: 'object',
	required: ['event', 'webhook_id', 'timestamp'],
	properties: FIELDS,
};

/** Returns the section `webhooks`: the deliveries by event type. @param delivered a body of each event type */
export function webhooksSection(delivered: readonly Delivered[]): Fields {
	return Object.fromEntries(delivered.map((body) => [body.event, { post: operation(body) }]));
}

function operation(body: Delivered): Fields {
	const { event } = body;
	const words = event.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
	const ofType = { required: Object.keys(body), properties: { event: { const: event } } };
	const schema = { allOf: [refTo('schemas', 'DeliveredEvent'), ofType] };
	return {
		operationId: `deliver${words.join('')}`,
		summary: whatHappened(event) ?? 'A test delivery to the webhook of an agent',
		description: DESCRIPTION,
		tags: ['deliveries'],
		security: [],
		parameters: Object.keys(DELIVERY_HEADERS).map((name) => refTo('parameters', name)),
		requestBody: { required: true, content: jsonContent(schema, { delivered: body }) },
		responses: { '2XX': { description: 'The delivery is acknowledged' } },
	};
}
