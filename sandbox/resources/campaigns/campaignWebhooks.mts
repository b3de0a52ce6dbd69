import { z } from 'zod';

import { CAMPAIGN_EVENTS } from '../../engine/deliveries/eventTypes.mts';
import { queueTestEvent } from '../../engine/deliveries/sampleEvents.mts';
import { done } from '../../http/response.mts';
import { doneBody, identifier } from '../../http/responseSchemas.mts';
import type { Route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { Webhook } from '../../world/webhook.mts';
import { shortLogSchema } from '../webhooks/webhookLogSchemas.mts';
import { shortLogEntry } from '../webhooks/webhookLogs.mts';
import { webhookRoutes } from '../webhooks/webhookRoutes.mts';
import { webhookSchema } from '../webhooks/webhooks.mts';
import { campaignWebhookSchema, createdHookSchema, listedHookSchema, updatedHookSchema } from './campaignSchemas.mts';
import { findCampaign } from './campaigns.mts';

/** The webhooks of campaigns, which receive the events of the campaign. */
export const campaignWebhookRoutes: Route[] = webhookRoutes({
	key: 'campaign_id',
	called: 'a campaign',
	path: '/api/v1/campaigns/:campaign_id/webhooks',
	refusal: 'unauthorized',
	find: findCampaign,
	body: z.object({ ...webhookSchema(CAMPAIGN_EVENTS), include_call_events: z.boolean().default(false) }),
	offered: { events: CAMPAIGN_EVENTS, schema: z.array(z.enum(CAMPAIGN_EVENTS)) },
	listed: { of: listed, schema: listedHookSchema },
	created: {
		of({ id, campaign_id, name, events, enabled, include_call_events, created }) {
			return { id, campaign_id, name, events, enabled, include_call_events, created_at: iso(created) };
		},
		schema: createdHookSchema,
	},
	read: {
		of(webhook) {
			const { timeout, max_retries, created } = webhook;
			return { ...listed(webhook), timeout, max_retries, created_at: iso(created) };
		},
		schema: campaignWebhookSchema,
	},
	updated: {
		of: ({ id, events, include_call_events, updated }) => ({
			id,
			events,
			include_call_events,
			updated_at: iso(updated),
		}),
		schema: updatedHookSchema,
	},
	toggled: {
		of: ({ id, enabled }) => ({ id, enabled }),
		schema: z.object({ id: identifier, enabled: z.boolean() }),
	},
	withMessages: false,
	test: {
		summary: 'Send a test event to a campaign webhook',
		description: 'Sends an event of the first type that it subscribes to, with `test: true`, in the background.',
		responses: { 200: doneBody },
		handle(world, webhook) {
			queueTestEvent(world, webhook);
			return done('Test event dispatched.');
		},
	},
	log: { item: shortLogEntry, itemSchema: shortLogSchema, lastPage: false, queuedAt: false },
});

function listed(webhook: Webhook): Record<string, unknown> {
	const { id, campaign_id, name, webhook_url, events, enabled, include_call_events } = webhook;
	return { id, campaign_id, name, webhook_url, events, enabled, include_call_events };
}
