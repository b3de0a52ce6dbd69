import { newAgentEvents } from '../../../shared/fields/events';
import { webhookName, webhookSettings, webhookUrl } from '../../../shared/fields/webhooks';
import { defineOperation } from '../../operation/defineOperation';
import { webhookPath } from '../webhookOperations/kind';
import { kind } from './kind';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update agent webhook',
	description:
		'Change settings of an agent webhook. New events and extra headers replace the current ones. It takes effect immediately, and the agent stays published. Do not change the webhook of a Voice Agent Calling Trigger: with another signing secret, the trigger rejects all events.',
	fields: [kind.owner, kind.webhook],
	updates: [webhookName, webhookUrl, newAgentEvents, ...webhookSettings],
	request: ({ ownerId, webhookId, ...body }) => ({
		method: 'PUT',
		path: webhookPath(kind, { ownerId, webhookId }),
		body,
	}),
	output: (response) => response.data,
	outputs: kind.outputs,
	// An old signing secret cannot be read back or restored.
	forTools: false,
});
