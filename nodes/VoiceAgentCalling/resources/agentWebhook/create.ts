import { additionalEvents, agentEventsField, withAdditionalEvents } from '../../../shared/fields/events';
import { webhookName, webhookSettings, webhookUrl } from '../../../shared/fields/webhooks';
import { defineOperation } from '../../operation/defineOperation';
import { listPath } from '../webhookOperations/kind';
import { kind } from './kind';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create agent webhook',
	description:
		"Register a URL that the service sends the events of an agent's calls to. It takes effect immediately, and the agent stays published. To start a workflow, use the Voice Agent Calling Trigger instead, which registers itself.",
	fields: [kind.owner, webhookName, webhookUrl, agentEventsField],
	options: [additionalEvents, ...webhookSettings],
	request: ({ ownerId, ...body }) => ({
		method: 'POST',
		path: listPath(kind, ownerId),
		body: withAdditionalEvents(body),
		codes: { 404: kind.noOwner },
	}),
	output: (response) => response.data,
	outputs: kind.outputs,
	// A person decides where events are sent, and with which credentials, not an AI agent.
	forTools: false,
});
