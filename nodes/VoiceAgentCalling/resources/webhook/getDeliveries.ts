import { deliveryStatus } from '../../../shared/client/statuses';
import { loggedAgentEvents, loggedCampaignEvents } from '../../../shared/events/eventTypes';
import { eventsField } from '../../../shared/fields/events';
import { choice } from '../../../shared/fields/field';
import { webhooksPath } from '../../../shared/owner';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { deliveryOutputs, webhook } from './fields';

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
export const loggedEvents = eventsField({
	displayName: 'Events',
	options: { agent: loggedAgentEvents, campaign: loggedCampaignEvents },
	description: 'Only deliveries of these event types',
});

export const getDeliveries = defineOperation({
	name: 'Get Deliveries',
	value: 'getDeliveries',
	action: 'Get webhook deliveries',
	description: 'List what was sent to a webhook in the last 30 days, one item for each attempt',
	fields: [...webhook, returnAll],
	filters: [loggedEvents, status],
	request: ({ webhookId, ...owner }) => ({ method: 'GET', path: [...webhooksPath(owner, webhookId), 'logs'] }),
	items: (response) => response.data,
	keep: ({ events: types, status: only }) =>
		types || only
			? (entry) => (!types || types.includes(String(entry.event))) && (!only || deliveryStatus(entry) === only)
			: undefined,
	outputs: deliveryOutputs,
});
