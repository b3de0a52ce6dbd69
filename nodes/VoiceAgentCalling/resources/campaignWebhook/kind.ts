import { sentAs } from '../../../shared/field';
import { campaign, campaignWebhook, campaignWebhookDelivery } from '../../../shared/locators';
import type { WebhookKind } from '../webhook/kind';

/** A campaign's webhook, which is told of the campaign and its calls. */
export const kind: WebhookKind = {
	one: 'a campaign webhook',
	many: 'campaign webhooks',
	owner: sentAs('ownerId', campaign),
	webhook: campaignWebhook,
	delivery: campaignWebhookDelivery,
	collection: 'campaigns',
	noOwner: 'CAMPAIGN_NOT_FOUND',
};
