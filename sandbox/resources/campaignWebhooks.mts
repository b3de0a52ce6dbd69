import { z } from 'zod';
import { CAMPAIGN_EVENTS, emitTest } from '../engine/events.mts';
import { iso } from '../engine/time.mts';
import { created, done, notFound, ok } from '../http/answers.mts';
import { route, type Route } from '../http/route.mts';
import { anyObject } from '../http/validation.mts';
import { newId, type Webhook, type World } from '../world.mts';
import { findCampaign } from './campaigns.mts';

const header = z.object({
	key: z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/),
	value: z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/),
});

const webhookBody = z.object({
	name: z.string().min(1).max(255),
	webhook_url: z.string().max(500).refine(isHttpUrl, 'The webhook_url must be a valid URL.'),
	events: z.array(z.enum(CAMPAIGN_EVENTS)).min(1),
	include_call_events: z.boolean().default(false),
	enabled: z.boolean().default(true),
	webhook_secret: z.string().min(1).max(255).nullable().default(null),
	timeout: z.number().int().min(5).max(120).default(30),
	max_retries: z.number().int().min(0).max(10).default(3),
	http_method: z.enum(['POST', 'PUT', 'PATCH']).default('POST'),
	authorization_scheme: z.enum(['none', 'bearer', 'basic', 'api_key', 'custom']).default('none'),
	custom_headers: z.array(header).default([]),
	payload_templates: z.record(anyObject).default({}),
});

/** What is not sent does not change: an absent field stays absent and takes no default. */
const updateBody = webhookBody.partial();

const LIST = '/api/v1/campaigns/:campaign_id/webhooks';
const ONE = `${LIST}/:webhook_id`;
const refusal = 'unauthorized';

/** A campaign's webhooks: create, list, get, update, delete, toggle, test. */
export const campaignWebhookRoutes: Route[] = [
	route({
		method: 'POST',
		path: LIST,
		summary: 'Create a campaign webhook',
		refusal,
		body: webhookBody,
		handle({ world, params, body }) {
			const campaign = findCampaign(world, params.campaign_id);
			const settings = body();
			const now = world.clock.now();
			const webhook = { id: newId(), campaign_id: campaign.id, ...settings, created: now, updated: now };
			world.webhooks.set(webhook.id, webhook);
			const { id, campaign_id, name, events, enabled, include_call_events } = webhook;
			return created({ id, campaign_id, name, events, enabled, include_call_events, created_at: iso(now) });
		},
	}),
	route({
		method: 'GET',
		path: LIST,
		summary: "List a campaign's webhooks",
		refusal,
		handle({ world, params }) {
			const campaign = findCampaign(world, params.campaign_id);
			const own = [...world.webhooks.values()].filter(({ campaign_id }) => campaign_id === campaign.id);
			return ok({ webhooks: own.map(listed), available_events: CAMPAIGN_EVENTS });
		},
	}),
	route({
		method: 'GET',
		path: ONE,
		summary: 'Get a campaign webhook',
		refusal,
		handle({ world, params }) {
			const webhook = findWebhook(world, params);
			const { timeout, max_retries } = webhook;
			return ok({ ...listed(webhook), timeout, max_retries, created_at: iso(webhook.created) });
		},
	}),
	route({
		method: 'PUT',
		path: ONE,
		summary: 'Update a campaign webhook',
		refusal,
		body: updateBody,
		handle({ world, params, body }) {
			const webhook = findWebhook(world, params);
			Object.assign(webhook, body(), { updated: world.clock.now() });
			const { id, events, include_call_events, updated } = webhook;
			return ok({ id, events, include_call_events, updated_at: iso(updated) });
		},
	}),
	route({
		method: 'DELETE',
		path: ONE,
		summary: 'Delete a campaign webhook',
		refusal,
		handle({ world, params }) {
			world.webhooks.delete(findWebhook(world, params).id);
			return done('Webhook deleted successfully.');
		},
	}),
	route({
		method: 'PATCH',
		path: `${ONE}/toggle`,
		summary: 'Enable or disable a campaign webhook',
		refusal,
		handle({ world, params }) {
			const webhook = findWebhook(world, params);
			webhook.enabled = !webhook.enabled;
			webhook.updated = world.clock.now();
			const { id, enabled } = webhook;
			return done(`Webhook ${enabled ? 'enabled' : 'disabled'} successfully.`, { id, enabled });
		},
	}),
	route({
		method: 'POST',
		path: `${ONE}/test`,
		summary: 'Send a test event to a campaign webhook',
		refusal,
		handle({ world, params }) {
			emitTest(world, findWebhook(world, params));
			return done('Test event dispatched.');
		},
	}),
];

function findWebhook(world: World, params: Record<string, string>): Webhook {
	const campaign = findCampaign(world, params.campaign_id);
	const webhook = world.webhooks.get(params.webhook_id ?? '');
	if (webhook?.campaign_id !== campaign.id) throw notFound('Webhook');
	return webhook;
}

function listed(webhook: Webhook): Record<string, unknown> {
	const { id, campaign_id, name, webhook_url, events, enabled, include_call_events } = webhook;
	return { id, campaign_id, name, webhook_url, events, enabled, include_call_events };
}

function isHttpUrl(text: string): boolean {
	return /^https?:\/\//i.test(text) && URL.canParse(text);
}
