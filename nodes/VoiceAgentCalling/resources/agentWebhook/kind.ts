import { sentAs } from '../../../shared/fields/field';
import { agent, agentWebhook, agentWebhookDelivery } from '../../../shared/pickers/locators';
import type { ResponseField } from '../../operation/responseFields';
import type { WebhookKind } from '../webhookOperations/kind';

/** The fields in the output while Simplify is on: without the timestamps and the event counter. */
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

/** Webhooks of agents, which receive the events of all calls of the agent. */
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
