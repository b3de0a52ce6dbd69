import type { Resource } from '../../operation/operation';
import { webhookOperations } from '../webhookOperations';
import { create } from './create';
import { kind } from './kind';
import { sendTest } from './sendTest';
import { update } from './update';

export const agentWebhookResource: Resource = {
	name: 'Agent Webhook',
	value: 'agentWebhook',
	operations: [create, update, sendTest, ...webhookOperations(kind)],
};
