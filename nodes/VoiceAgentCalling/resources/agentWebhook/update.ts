import { newAgentEvents } from '../../../shared/fields/events';
import { webhookName, webhookSettings, webhookUrl } from '../../../shared/fields/webhooks';
import { defineOperation } from '../../operation/defineOperation';
import { webhookPath } from '../webhookOperations/kind';
import { kind } from './kind';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update an agent webhook',
	description:
		'Change some settings of an agent webhook; the events and the extra headers replace the present ones. It takes effect at once, and the agent stays published. Leave those of a Voice Agent Calling Trigger to the trigger: another signing secret, and it refuses all events.',
	fields: [kind.owner, kind.webhook],
	updates: [webhookName, webhookUrl, newAgentEvents, ...webhookSettings],
	request: ({ ownerId, webhookId, ...body }) => ({
		method: 'PUT',
		path: webhookPath(kind, { ownerId, webhookId }),
		body,
	}),
	output: (response) => response.data,
	simplified: kind.simplified,
	// An old signing secret cannot be read back or restored.
	forTools: false,
});
