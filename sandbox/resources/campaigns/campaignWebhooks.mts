import { z } from 'zod';

import { CAMPAIGN_EVENTS } from '../../engine/deliveries/eventKinds.mts';
import { queueTestEvent } from '../../engine/deliveries/sampleEvents.mts';
import { created, done, ok } from '../../http/answer.mts';
import { dataOf, doneBody, identifier } from '../../http/answerSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { Webhook } from '../../world/webhook.mts';
import { shortLogSchema } from '../webhooks/webhookLogSchemas.mts';
import { logRoutes, shortLogEntry } from '../webhooks/webhookLogs.mts';
import {
	addWebhook,
	changeWebhook,
	commonRoutes,
	findWebhook,
	type WebhookOwner,
	webhookSchema,
	webhooksOf,
} from '../webhooks/webhooks.mts';
import { campaignWebhookSchema, createdHookSchema, listedHookSchema, updatedHookSchema } from './campaignSchemas.mts';
import { findCampaign } from './campaigns.mts';

const webhookBody = z.object({
	...webhookSchema(CAMPAIGN_EVENTS),
	include_call_events: z.boolean().default(false),
});

/** A missing field has no default here: an update does not change it. */
const updateBody = webhookBody.partial();

const refusal = 'unauthorized';
const owner: WebhookOwner = {
	key: 'campaign_id',
	called: 'a campaign',
	path: '/api/v1/campaigns/:campaign_id/webhooks',
	refusal,
	find: findCampaign,
	toggled: ({ id, enabled }) => ({ id, enabled }),
	toggledSchema: z.object({ id: identifier, enabled: z.boolean() }),
};
const ONE = `${owner.path}/:webhook_id`;

/** A campaign's webhooks: create, list, get, update, delete, toggle, test, and their log. */
export const campaignWebhookRoutes: Route[] = [
	route({
		method: 'POST',
		path: owner.path,
		summary: 'Create a campaign webhook',
		refusal,
		body: webhookBody,
		answers: { 201: dataOf(createdHookSchema) },
		handle({ world, params, body }) {
			const campaign = findCampaign(world, params.campaign_id);
			const webhook = addWebhook(world, owner, campaign.id, body());
			const { id, campaign_id, name, events, enabled, include_call_events } = webhook;
			const created_at = iso(webhook.created);
			return created({ id, campaign_id, name, events, enabled, include_call_events, created_at });
		},
	}),
	route({
		method: 'GET',
		path: owner.path,
		summary: "List a campaign's webhooks",
		refusal,
		answers: {
			200: dataOf(
				z.object({ webhooks: z.array(listedHookSchema), available_events: z.array(z.enum(CAMPAIGN_EVENTS)) }),
			),
		},
		handle({ world, params }) {
			const { id } = findCampaign(world, params.campaign_id);
			return ok({ webhooks: webhooksOf(world, id).map(listed), available_events: CAMPAIGN_EVENTS });
		},
	}),
	route({
		method: 'GET',
		path: ONE,
		summary: 'Get a campaign webhook',
		refusal,
		answers: { 200: dataOf(campaignWebhookSchema) },
		handle({ world, params }) {
			const webhook = findWebhook(world, owner, params);
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
		answers: { 200: dataOf(updatedHookSchema) },
		handle({ world, params, body }) {
			const webhook = findWebhook(world, owner, params);
			changeWebhook(world, webhook, body());
			const { id, events, include_call_events, updated } = webhook;
			return ok({ id, events, include_call_events, updated_at: iso(updated) });
		},
	}),
	...commonRoutes(owner),
	route({
		method: 'POST',
		path: `${ONE}/test`,
		summary: 'Send a test event to a campaign webhook',
		refusal,
		answers: { 200: doneBody },
		handle({ world, params }) {
			queueTestEvent(world, findWebhook(world, owner, params));
			return done('Test event dispatched.');
		},
	}),
	...logRoutes(owner, { item: shortLogEntry, itemSchema: shortLogSchema, lastPage: false, queuedAt: false }),
];

function listed(webhook: Webhook): Record<string, unknown> {
	const { id, campaign_id, name, webhook_url, events, enabled, include_call_events } = webhook;
	return { id, campaign_id, name, webhook_url, events, enabled, include_call_events };
}
