import type { Resource } from '../../operation/operation';
import { webhookOperations } from '../webhookOperations';
import { create } from './create';
import { kind } from './kind';
import { sendTest } from './sendTest';
import { update } from './update';

export const campaignWebhookResource: Resource = {
	name: 'Campaign Webhook',
	value: 'campaignWebhook',
	operations: [create, update, sendTest, ...webhookOperations(kind)],
};
