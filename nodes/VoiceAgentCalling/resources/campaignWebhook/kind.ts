import { sentAs } from '../../../shared/fields/field';
import { campaign, campaignWebhook, campaignWebhookDelivery } from '../../../shared/pickers/locators';
import type { WebhookKind } from '../webhookOperations/kind';

/** Webhooks of campaigns, which receive the events of the campaign and its calls. */
export const kind: WebhookKind = {
	name: 'campaign webhook',
	one: 'a campaign webhook',
	owner: sentAs('ownerId', campaign),
	webhook: campaignWebhook,
	delivery: campaignWebhookDelivery,
	collection: 'campaigns',
	noOwner: 'CAMPAIGN_NOT_FOUND',
};
