import { webhooksPath } from '../../../shared/owner';
import { defineOperation } from '../../operation/defineOperation';
import { webhook } from './fields';

export const deleteWebhook = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete webhook',
	description: 'Delete a webhook. It receives no more events.',
	fields: webhook,
	request: ({ webhookId, ...owner }) => ({ method: 'DELETE', path: webhooksPath(owner, webhookId) }),
	output: () => ({ deleted: true }),
	forTools: false,
});
