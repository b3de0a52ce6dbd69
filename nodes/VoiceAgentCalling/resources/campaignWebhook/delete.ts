import { campaign, campaignWebhook } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';

export const deleteWebhook = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a campaign webhook',
	description: 'Remove a webhook from a campaign. It gets no events any more.',
	fields: [campaign, campaignWebhook],
	request: ({ campaignId, webhookId }) => ({
		method: 'DELETE',
		path: ['campaigns', campaignId, 'webhooks', webhookId],
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
