import type { Resource } from '../../../shared/operation';
import { webhookOperations } from '../webhook';
import { create } from './create';
import { kind } from './kind';
import { sendTest } from './sendTest';
import { update } from './update';

export const agentWebhook: Resource = {
	name: 'Agent Webhook',
	value: 'agentWebhook',
	operations: [create, update, sendTest, ...webhookOperations(kind)],
};
