import { choice, defineField } from '../../shared/fields/field';
import { toggle } from '../../shared/fields/kinds';

/** The characters of the name of an HTTP header. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Options that the node reads at each delivery. They are not sent to the service, except for the header of Verify By.
 */
export const deliveryOptions = [
	toggle('startForAwaited', {
		displayName: 'Also Start for Awaited Calls',
		name: 'startForAwaited',
		description:
			'Whether this workflow also starts when a Place and Wait or Queue Call and Wait node is waiting for the call. By default, such an event only continues the waiting workflow. Queue Call and Wait waits for events of its campaign: the end of its calls, as an event of the agent, always starts the workflow.',
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
		check: (zod) =>
			zod.string().trim().regex(HEADER_NAME, 'Enter the name of one header, like X-Webhook-Signature').optional(),
	}),
	choice('verifyBy', {
		displayName: 'Verify By',
		name: 'verifyBy',
		options: [
			{
				name: 'Secret Header',
				value: 'header',
				description: 'Each delivery has a secret as plain text. It does not prove that the body is unchanged or new.',
			},
			{
				name: 'Signature',
				value: 'signature',
				description: 'It proves that the service sent exactly this body',
			},
		],
		default: 'signature',
		description:
			"What proves that a delivery comes from the service. With a secret header, anybody who reads or logs headers on their way to n8n can forge events, and signatures do not count. Use it only if n8n's log says that the form of the signature is unknown.",
	}),
	choice('testDeliveries', {
		displayName: 'Test Deliveries',
		name: 'testDeliveries',
		options: [
			{
				name: 'Acknowledge Only',
				value: 'ignore',
				description: 'Test deliveries do not start the workflow',
			},
			{
				name: 'Start the Workflow',
				value: 'start',
				description: 'Test deliveries start the workflow like any other event',
			},
		],
		default: 'ignore',
		description:
			"What a test event of the service does. In a test event, 'event' is 'webhook.test' or 'test' is true. This is for published workflows; in the editor, a test event always starts a test run.",
	}),
] as const;
