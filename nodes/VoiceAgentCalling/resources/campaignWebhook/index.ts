import type { Resource } from '../../../shared/operation';
import { webhookOperations } from '../webhook';
import { create } from './create';
import { kind } from './kind';
import { sendTest } from './sendTest';
import { update } from './update';

export const campaignWebhook: Resource = {
	name: 'Campaign Webhook',
	value: 'campaignWebhook',
	operations: [create, update, sendTest, ...webhookOperations(kind)],
};
