import { z } from 'zod';

import { AGENT_EVENT_DESCRIPTIONS, AGENT_EVENTS } from '../../engine/deliveries/eventTypes.mts';
import { sendTestEvent } from '../../engine/deliveries/sampleEvents.mts';
import { done } from '../../http/response.mts';
import { failedResult, messageAndData, messageText } from '../../http/responseSchemas.mts';
import type { Route } from '../../http/route.mts';
import { isoMicros } from '../../time/time.mts';
import type { DeliveryAttempt, Webhook } from '../../world/webhook.mts';
import { logSchema } from '../webhooks/webhookLogSchemas.mts';
import { logEntry } from '../webhooks/webhookLogs.mts';
import { webhookRoutes } from '../webhooks/webhookRoutes.mts';
import { webhookSchema } from '../webhooks/webhooks.mts';
import { agentWebhookSchema, testResultSchema } from './agentSchemas.mts';
import { findAgent } from './agents.mts';

const shown = { of: webhookObject, schema: agentWebhookSchema };

/** The webhooks of agents, which receive the events of each call. */
export const agentWebhookRoutes: Route[] = webhookRoutes({
	key: 'agent_id',
	called: 'an agent',
	path: '/api/v1/agents/:agent_id/webhooks',
	refusal: 'bare',
	find: findAgent,
	body: z.object(webhookSchema(AGENT_EVENTS)),
	offered: { events: AGENT_EVENT_DESCRIPTIONS, schema: z.record(z.string()) },
	listed: shown,
	created: shown,
	read: shown,
	updated: shown,
	toggled: shown,
	withMessages: true,
	test: {
		summary: 'Test an agent webhook and wait for the result',
		description:
			'If the receiver refuses, the response is 200 with `success: false`. A disabled webhook is tested as well.',
		responses: { 200: z.union([messageAndData(testResultSchema), failedResult({ message: messageText })]) },
		async handle(world, webhook) {
			const last = await sendTestEvent(world, webhook);
			const { status, httpStatus, durationMs } = last;
			if (status !== 'success') {
				return { status: 200, body: { success: false, message: whyFailed(last) } };
			}
			return done('Webhook test successful.', { status_code: httpStatus, response_time: durationMs });
		},
	},
	log: { item: logEntry, itemSchema: logSchema, lastPage: true, queuedAt: true },
});

function whyFailed({ httpStatus, error }: DeliveryAttempt): string {
	return `Webhook test failed: ${httpStatus === null ? error : `the receiver returned ${httpStatus}`}.`;
}

/** Returns a webhook for responses, which never show its method, headers, templates and secret. */
function webhookObject(webhook: Webhook): Record<string, unknown> {
	const { id, agent_id, name, webhook_url, events, timeout, max_retries, enabled } = webhook;
	return {
		id,
		agent_id,
		name,
		webhook_url,
		events,
		timeout,
		max_retries,
		enabled,
		created_at: isoMicros(webhook.created),
		updated_at: isoMicros(webhook.updated),
		events_count: events.length,
		status: statusOf(webhook),
	};
}

function statusOf({ enabled, failing }: Webhook): 'active' | 'disabled' | 'error' {
	if (!enabled) {
		return 'disabled';
	}
	return failing ? 'error' : 'active';
}
