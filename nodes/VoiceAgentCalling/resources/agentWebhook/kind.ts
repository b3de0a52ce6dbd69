import { sentAs } from '../../../shared/fields/field';
import { agent, agentWebhook, agentWebhookDelivery } from '../../../shared/pickers/locators';
import { outputsOf } from '../../operation/outputChoice';
import type { WebhookKind } from '../webhookOperations/kind';

const WEBHOOK = 'GET /agents/{agent_id}/webhooks/{webhook_id}';

/** The fields that the output has by default. */
const simplifiedWebhook = [
	'id',
	'agent_id',
	'name',
	'webhook_url',
	'events',
	'enabled',
	'status',
	'updated_at',
] as const;

/** Webhooks of agents, which receive the events of all calls of the agent. */
export const kind: WebhookKind = {
	name: 'agent webhook',
	one: 'an agent webhook',
	owner: sentAs('ownerId', agent),
	webhook: agentWebhook,
	delivery: agentWebhookDelivery,
	collection: 'agents',
	noOwner: 'AGENT_NOT_FOUND',
	outputs: outputsOf(WEBHOOK, simplifiedWebhook),
	changeOutputs: outputsOf(WEBHOOK, [...simplifiedWebhook, 'changed']),
	deliveryOutputs: outputsOf(`${WEBHOOK}/logs`, [
		'id',
		'webhook_id',
		'event',
		'attempt',
		'status',
		'http_status',
		'error',
		'duration_ms',
		'delivered_at',
		'created_at',
	]),
};
