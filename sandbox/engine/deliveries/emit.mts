import { iso, isoMillis } from '../../time/time.mts';
import type { Call, CampaignCall } from '../../world/call.mts';
import type { Campaign } from '../../world/campaign.mts';
import { newId } from '../../world/ids.mts';
import type { Webhook } from '../../world/webhook.mts';
import type { World } from '../../world/world.mts';
import { deliverLater } from './copies.mts';
import { deliverWithRetries } from './deliverer.mts';
import { type AgentEvent, type CampaignEvent, type EventFields, fieldsOfType } from './eventTypes.mts';
import { fill } from './template.mts';

/** An event of a campaign itself, not of one of its calls. */
export type AboutCampaign = Extract<CampaignEvent, `campaign.${string}`>;

/** Sends an event of a campaign to its webhooks. */
export function emitCampaign(world: World, campaign: Campaign, event: AboutCampaign): void {
	const fields = { ...campaignFields(campaign), status: campaign.status };
	world.changes.publish({ type: 'campaign', id: campaign.id, status: campaign.status });
	publish(world, event, fields, (webhook) => webhook.campaign_id === campaign.id && webhook.events.includes(event));
}

/** Returns the fields of a call in its events. @param call_id the id that placing or queueing the call returned */
function callFields(
	{ to, status, duration, isTesting: is_testing, context }: Call | CampaignCall,
	call_id: string,
	retries: number,
): EventFields {
	return { call_id, to, status, retries, duration, is_testing, context };
}

/**
 * Sends an event of a queued call to the campaign's webhooks.
 * @param reason why an attempt ended, for the event types that state it
 * @param more replaces fields that the event type adds
 */
export function emitCampaignCall(
	world: World,
	campaign: Campaign,
	call: CampaignCall,
	event: Exclude<CampaignEvent, AboutCampaign>,
	reason?: string,
	more: EventFields = {},
): void {
	call.events.push({ event, at: world.clock.now() });
	world.changes.publish({ type: 'campaign_call', id: call.id, status: call.status, campaign_id: campaign.id });
	const fields = {
		...campaignFields(campaign),
		...agentFields(world, campaign.agent_id),
		...callFields(call, call.id, call.retries),
		...fieldsOfType(event, {
			origin: world.origin,
			callId: call.id,
			outcome: 'completed',
			reason,
			scheduledAt: call.scheduledAt === null ? null : iso(call.scheduledAt),
		}),
		...more,
	};
	publish(world, event, fields, (webhook) => webhook.campaign_id === campaign.id && webhook.events.includes(event));
}

/**
 * Sends an event of a call to the agent's webhooks, and to the campaign's webhooks if a campaign placed the call.
 * `call_id` is always the id that placing or queueing the call returned.
 * @param more returns the fields that the event type adds, given that id
 */
export function emitCall(world: World, call: Call, event: AgentEvent, more: (callId: string) => EventFields): void {
	const { campaignCall } = call;
	call.events.push({ event, at: world.clock.now() });
	const campaign = campaignCall ? world.campaigns.get(campaignCall.campaignId) : undefined;
	const call_id = campaignCall?.id ?? call.id;
	const fields = {
		...(campaign ? campaignFields(campaign) : {}),
		...agentFields(world, call.agentId),
		...callFields(call, call_id, campaignCall?.retries ?? 0),
		...more(call_id),
	};
	publish(world, event, fields, (webhook) => {
		const subscribed = webhook.events.includes(event);
		if (webhook.agent_id !== null) {
			return subscribed && webhook.agent_id === call.agentId;
		}
		return webhook.campaign_id === campaign?.id && (subscribed || webhook.include_call_events);
	});
}

function publish(world: World, event: string, fields: EventFields, wants: (webhook: Webhook) => boolean): void {
	const delay = world.delays.get(event);
	if (delay === null) {
		return;
	}
	for (const webhook of world.webhooks.values()) {
		if (!wants(webhook)) {
			continue;
		}
		const id = newId(world, 'delivery');
		const body = bodyFor(world, webhook, event, id, fields);
		const callId = typeof fields.call_id === 'string' ? fields.call_id : null;
		const delivery = { id, webhookId: webhook.id, event, body, callId };
		if (delay) {
			deliverLater(world, { delivery, due: world.clock.now() + delay * 1000, copies: null });
		} else {
			deliverWithRetries(world, delivery);
		}
	}
}

/** Returns the body of an event for one webhook: flat, or from the webhook's template for the event type. */
export function bodyFor(world: World, webhook: Webhook, event: string, id: string, fields: EventFields): string {
	const timestamp = isoMillis(world.clock.now());
	const flat = { event, id, timestamp, webhook_id: webhook.id, ...fields };
	const template = Object.hasOwn(webhook.payload_templates, event) && webhook.payload_templates[event];
	if (!template) {
		return JSON.stringify(flat);
	}
	const { call_id, to, status, retries, duration, campaign_id, campaign_name, agent_id, agent_name } =
		flat as EventFields;
	const nested = {
		call: { id: call_id, to, status, retries, duration },
		campaign: { id: campaign_id, name: campaign_name },
		agent: { id: agent_id, name: agent_name },
		webhook: { id: webhook.id, name: webhook.name },
	};
	return JSON.stringify(fill(template, { ...flat, ...nested }));
}

/** Returns the fields that identify the campaign in every event. */
export function campaignFields(campaign: Campaign): EventFields {
	return { campaign_id: campaign.id, campaign_name: campaign.name };
}

/** Returns the fields that identify the agent in every event of a call. */
export function agentFields(world: World, id: string): EventFields {
	return { agent_id: id, agent_name: world.agents.get(id)?.name ?? null };
}
