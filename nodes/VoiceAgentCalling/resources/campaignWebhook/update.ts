import { newCampaignEvents } from '../../../shared/fields/events';
import { includeCallEvents, webhookName, webhookSettings, webhookUrl } from '../../../shared/fields/webhooks';
import { defineOperation } from '../../operation/defineOperation';
import { webhookPath } from '../webhookOperations/kind';
import { kind } from './kind';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update campaign webhook',
	description:
		'Change settings of a campaign webhook. New events and extra headers replace the current ones. Do not change the webhook of a Voice Agent Calling Trigger: with another signing secret, the trigger rejects all events.',
	fields: [kind.owner, kind.webhook],
	updates: [webhookName, webhookUrl, newCampaignEvents, includeCallEvents, ...webhookSettings],
	request: ({ ownerId, webhookId, ...body }) => ({
		method: 'PUT',
		path: webhookPath(kind, { ownerId, webhookId }),
		body,
	}),
	output: (response) => response.data,
	// An old signing secret cannot be read back or restored.
	forTools: false,
});
