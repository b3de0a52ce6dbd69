import { sentAs, withRules } from '../../../shared/fields/field';
import { bySource, sourceChoice } from '../../../shared/fields/source';
import {
	agent,
	agentWebhook,
	agentWebhookDelivery,
	campaign,
	campaignWebhook,
	campaignWebhookDelivery,
} from '../../../shared/pickers/locators';
import { outputsOf } from '../../operation/outputChoice';

/** The agent or campaign that owns the webhooks. */
export const owner = [
	...withRules(
		{ ai: 'fixed' },
		sourceChoice(
			{ displayName: 'Source', description: 'Whether the webhook is one of an agent or of a campaign' },
			{ agent: 'Agent', campaign: 'Campaign' },
		),
	),
	...bySource({ agent: sentAs('ownerId', agent), campaign: sentAs('ownerId', campaign) }),
] as const;

/** A webhook and its owner. */
export const webhook = [...owner, ...bySource({ agent: agentWebhook, campaign: campaignWebhook })] as const;

/** An entry in the log of a webhook, with the webhook and its owner. */
export const delivery = [
	...webhook,
	...bySource({ agent: agentWebhookDelivery, campaign: campaignWebhookDelivery }),
] as const;

const WEBHOOK = 'GET /agents/{agent_id}/webhooks/{webhook_id}';

/** The output fields of a webhook. */
export const webhookOutputs = outputsOf(
	WEBHOOK,
	[
		'name',
		'webhook_url',
		'events',
		'enabled',
		'status',
		'include_call_events',
		'updated_at',
		'agent_id',
		'campaign_id',
		'id',
	],
	['campaign_id', 'include_call_events'],
);

/** The output fields of a log entry. */
export const deliveryOutputs = outputsOf(`${WEBHOOK}/logs`, [
	'event',
	'status',
	'http_status',
	'error',
	'attempt',
	'delivered_at',
	'duration_ms',
	'created_at',
	'webhook_id',
	'id',
]);
