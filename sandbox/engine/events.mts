import { newId, type Campaign, type CampaignCall, type Webhook, type World } from '../world.mts';
import { deliver } from './deliverer.mts';
import { fill } from './template.mts';
import { isoMillis } from './time.mts';

/** The kinds that a campaign webhook can subscribe to (Events). */
export const CAMPAIGN_EVENTS = [
	'campaign.created',
	'campaign.started',
	'campaign.paused',
	'campaign.completed',
	'campaign.updated',
	'campaign_call.queued',
	'campaign_call.started',
	'campaign_call.completed',
	'campaign_call.retry_scheduled',
	'campaign_call.failed',
	'event_recording',
	'event_call_transcript',
	'event_call_report',
] as const;

/** The per-call kinds that the sandbox's calls come to; delivered where `include_call_events` is true. */
export type CallEvent =
	| 'event_phone_call_started'
	| 'event_phone_call_connected'
	| 'event_phone_call_ended'
	| 'event_phone_call_did_not_connect'
	| 'event_phone_call_error'
	| 'event_voicemail_detected'
	| 'event_conversation_started'
	| 'event_conversation_ended'
	| 'event_recording';

export type CampaignEvent = (typeof CAMPAIGN_EVENTS)[number];
type Fields = Record<string, unknown>;

/** Tells the campaign's webhooks of something that happened to the campaign. */
export function emitCampaign(world: World, campaign: Campaign, event: CampaignEvent): void {
	const fields = { ...campaignFields(campaign), status: campaign.status };
	publish(world, campaign, event, fields, (webhook) => webhook.events.includes(event));
}

/** Tells the campaign's webhooks of something that happened to one of its calls; `more` is what the kind adds. */
export function emitCampaignCall(
	world: World,
	campaign: Campaign,
	call: CampaignCall,
	event: CampaignEvent | CallEvent,
	more: Fields = {},
): void {
	const fields = { ...campaignFields(campaign), ...callFields(call), ...more };
	const perCall = event.startsWith('event_phone_') || /^event_(voicemail|conversation|recording)/.test(event);
	publish(
		world,
		campaign,
		event,
		fields,
		(webhook) => webhook.events.includes(event) || (perCall && webhook.include_call_events),
	);
}

/** Sends one synthetic event of the first kind that the webhook subscribes to. */
export function emitTest(world: World, webhook: Webhook): void {
	const event = webhook.events[0] as string;
	const id = newId();
	deliver(world, {
		id,
		webhookId: webhook.id,
		event,
		body: sampleBody(world, webhook, event, id, { test: true }),
	});
}

const SAMPLE_STATUS: Record<string, string> = {
	'campaign_call.queued': 'queued',
	'campaign_call.started': 'initiated',
	'campaign_call.retry_scheduled': 'scheduled',
	'campaign_call.failed': 'failed',
};

/** The body of an event that did not happen, with made-up call fields for a kind that has them. */
export function sampleBody(world: World, webhook: Webhook, event: string, id: string, data: Fields): string {
	const campaign = world.campaigns.get(webhook.campaign_id);
	const sample = { call_id: newId(), to: '+12025550100', retries: 0, duration: 0, is_testing: true, context: {} };
	const fields = {
		...(campaign ? campaignFields(campaign) : { campaign_id: webhook.campaign_id }),
		...(event.startsWith('campaign.')
			? { status: campaign?.status }
			: { ...sample, status: SAMPLE_STATUS[event] ?? 'completed' }),
		...data,
	};
	return bodyFor(world, webhook, event, id, fields);
}

function publish(
	world: World,
	campaign: Campaign,
	event: string,
	fields: Fields,
	wants: (webhook: Webhook) => boolean,
): void {
	for (const webhook of world.webhooks.values()) {
		if (webhook.campaign_id !== campaign.id || !wants(webhook)) continue;
		const id = newId();
		deliver(world, { id, webhookId: webhook.id, event, body: bodyFor(world, webhook, event, id, fields) });
	}
}

function bodyFor(world: World, webhook: Webhook, event: string, id: string, fields: Fields): string {
	const timestamp = isoMillis(world.clock.now());
	const flat = { event, id, timestamp, webhook_id: webhook.id, ...fields };
	const template = webhook.payload_templates[event];
	if (!template) return JSON.stringify(flat);
	const { call_id, to, status, retries, duration, campaign_id, campaign_name } = flat as Fields;
	const nested = {
		call: { id: call_id, to, status, retries, duration },
		campaign: { id: campaign_id, name: campaign_name },
		webhook: { id: webhook.id, name: webhook.name },
	};
	return JSON.stringify(fill(template, { ...flat, ...nested }));
}

function campaignFields(campaign: Campaign): Fields {
	return { campaign_id: campaign.id, campaign_name: campaign.name };
}

function callFields(call: CampaignCall): Fields {
	return {
		call_id: call.id,
		to: call.to,
		status: call.status,
		retries: call.retries,
		duration: call.duration,
		is_testing: call.isTesting,
		context: call.context,
	};
}
