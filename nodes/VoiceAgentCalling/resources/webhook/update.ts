import { deliveredEvents, eventsField } from '../../../shared/fields/events';
import { onlyFor } from '../../../shared/fields/field';
import { includeCallEvents, webhookName, webhookSettings, webhookUrl } from '../../../shared/fields/webhooks';
import { webhooksPath } from '../../../shared/nodeLink/owner';
import { defineOperation } from '../../operation/defineOperation';
import { webhook, webhookOutputs } from './fields';

const events = eventsField({
	displayName: 'Events',
	options: deliveredEvents,
	description: 'The event types to deliver, instead of the current ones',
});

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update webhook',
	description:
		'Change settings of a webhook, or disable it. New events and extra headers replace the current ones. It takes effect immediately, and an agent stays published. Do not change the webhook of a Voice Agent Calling Trigger: with another signing secret, the trigger rejects all events.',
	fields: webhook,
	updates: [webhookName, webhookUrl, events, onlyFor('source', ['campaign'], includeCallEvents), ...webhookSettings],
	// The service's toggle route is not used: it is not idempotent, so a retry would undo the change of `enabled`.
	request: ({ source, ownerId, webhookId, ...body }) => ({
		method: 'PUT',
		path: webhooksPath({ source, ownerId }, webhookId),
		body,
	}),
	output: (response) => response.data,
	outputs: webhookOutputs,
	// An old signing secret cannot be read back or restored.
	forTools: false,
});
