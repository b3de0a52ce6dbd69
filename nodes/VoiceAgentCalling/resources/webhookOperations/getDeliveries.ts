import { loggedAgentEvents, loggedCampaignEvents } from '../../../shared/fields/eventKinds';
import { eventsField } from '../../../shared/fields/events';
import { choice } from '../../../shared/fields/field';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { type WebhookKind, webhookPath } from './kind';

const status = choice('status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{ name: 'Failed', value: 'failed', description: 'There was no response, or not a successful one' },
		{ name: 'Pending', value: 'pending', description: 'The delivery is in progress' },
		{ name: 'Retrying', value: 'retrying', description: 'It failed, and the service will retry it' },
		{ name: 'Success', value: 'success', description: 'It arrived' },
	],
	default: 'failed',
	description: 'Only deliveries with this status',
});

/** Event types in the log of a webhook. */
export function loggedEvents({ collection }: WebhookKind) {
	return eventsField({
		displayName: 'Events',
		options: collection === 'agents' ? loggedAgentEvents : loggedCampaignEvents,
		default: [],
		description: 'Only deliveries of these event types',
	});
}

/** Defines Get Deliveries for the webhooks of agents or campaigns. */
export function getDeliveries(kind: WebhookKind) {
	return defineOperation({
		name: 'Get Deliveries',
		value: 'getDeliveries',
		action: `Get ${kind.name} deliveries`,
		description: `List what was sent to ${kind.one} in the last 30 days: one item for each attempt. The service cannot filter, so with filters the node reads the whole log. Limit counts what passes the filters.`,
		fields: [kind.owner, kind.webhook, returnAll],
		filters: [loggedEvents(kind), status],
		request: (input) => ({ method: 'GET', path: [...webhookPath(kind, input), 'logs'] }),
		items: (response) => response.data,
		keep: ({ events: types, status: only }) =>
			types || only
				? (delivery) => (!types || types.includes(String(delivery.event))) && (!only || delivery.status === only)
				: undefined,
		outputs: kind.deliveryOutputs,
	});
}
