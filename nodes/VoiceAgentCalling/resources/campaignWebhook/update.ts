import { newCampaignEvents } from '../../../shared/fields/events';
import { includeCallEvents, webhookName, webhookSettings, webhookUrl } from '../../../shared/fields/webhooks';
import { defineOperation } from '../../operation/defineOperation';
import { webhookPath } from '../webhookOperations/kind';
import { kind } from './kind';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update a campaign webhook',
	description:
		'Change some settings of a campaign webhook; the events and the extra headers replace the present ones. Leave those of a Voice Agent Calling Trigger to the trigger: another signing secret, and it refuses all events.',
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
