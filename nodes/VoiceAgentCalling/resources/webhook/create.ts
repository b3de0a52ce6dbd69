import { additionalEvents, newWebhookEvents, withAdditionalEvents } from '../../../shared/fields/events';
import { onlyFor } from '../../../shared/fields/field';
import { includeCallEvents, webhookName, webhookSettings, webhookUrl } from '../../../shared/fields/webhooks';
import { ownerTypes, webhooksPath } from '../../../shared/owner';
import { defineOperation } from '../../operation/defineOperation';
import { owner, webhookOutputs } from './fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create webhook',
	description: 'Send the events of an agent or a campaign to a URL. To start a workflow, use the trigger instead.',
	fields: [...owner, webhookName, webhookUrl, newWebhookEvents],
	options: [additionalEvents, onlyFor('source', ['campaign'], includeCallEvents), ...webhookSettings],
	request: ({ ownerType, ownerId, ...body }) => ({
		method: 'POST',
		path: webhooksPath({ ownerType, ownerId }),
		body: withAdditionalEvents(body),
		codes: { 404: ownerTypes[ownerType].noOwner },
	}),
	output: (response) => response.data,
	outputs: webhookOutputs,
	// A person decides where events are sent, and with which credentials, not an AI agent.
	forTools: false,
});
