import { sentAs } from '../../../shared/fields/field';
import { agent, agentWebhook, agentWebhookDelivery } from '../../../shared/pickers/locators';
import type { ResponseField } from '../../operation/responseFields';
import type { WebhookKind } from '../webhookOperations/kind';

/** Of the twelve fields of an agent's webhook, without the times and the count of its events. */
const simplifiedWebhook: readonly ResponseField[] = [
	'id',
	'agent_id',
	'name',
	'webhook_url',
	'events',
	'enabled',
	'status',
	'updated_at',
];

/** An agent's webhook, which is told of every call through the agent. */
export const kind: WebhookKind = {
	one: 'an agent webhook',
	many: 'agent webhooks',
	owner: sentAs('ownerId', agent),
	webhook: agentWebhook,
	delivery: agentWebhookDelivery,
	collection: 'agents',
	noOwner: 'AGENT_NOT_FOUND',
	simplified: simplifiedWebhook,
};
