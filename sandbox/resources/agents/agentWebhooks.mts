import { z } from 'zod';

import { AGENT_EVENT_DESCRIPTIONS, AGENT_EVENTS } from '../../engine/deliveries/eventKinds.mts';
import { sendTestEvent } from '../../engine/deliveries/sampleEvents.mts';
import { created, done, ok } from '../../http/answer.mts';
import { dataOf, failedResult, messageAndData, messageText } from '../../http/answerSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { isoMicros } from '../../time/time.mts';
import type { DeliveryAttempt, Webhook } from '../../world/webhook.mts';
import { logSchema } from '../webhooks/webhookLogSchemas.mts';
import { logEntry, logRoutes } from '../webhooks/webhookLogs.mts';
import {
	addWebhook,
	changeWebhook,
	commonRoutes,
	findWebhook,
	type WebhookOwner,
	webhookSchema,
	webhooksOf,
} from '../webhooks/webhooks.mts';
import { agentWebhookSchema, testResultSchema } from './agentSchemas.mts';
import { findAgent } from './agents.mts';

const webhookBody = z.object(webhookSchema(AGENT_EVENTS));

/** A missing field has no default here: an update does not change it. */
const updateBody = webhookBody.partial();

const refusal = 'bare';
const owner: WebhookOwner = {
	key: 'agent_id',
	called: 'an agent',
	path: '/api/v1/agents/:agent_id/webhooks',
	refusal,
	find: findAgent,
	toggled: webhookObject,
	toggledSchema: agentWebhookSchema,
};
const ONE = `${owner.path}/:webhook_id`;

/** An agent's webhooks: list, create, get, update, delete, toggle, test, log. None of these makes the agent a draft. */
export const agentWebhookRoutes: Route[] = [
	route({
		method: 'GET',
		path: owner.path,
		summary: "List an agent's webhooks",
		refusal,
		answers: {
			200: dataOf(z.object({ webhooks: z.array(agentWebhookSchema), available_events: z.record(z.string()) })),
		},
		handle({ world, params }) {
			const { id } = findAgent(world, params.agent_id);
			return ok({ webhooks: webhooksOf(world, id).map(webhookObject), available_events: AGENT_EVENT_DESCRIPTIONS });
		},
	}),
	route({
		method: 'POST',
		path: owner.path,
		summary: 'Create an agent webhook',
		refusal,
		body: webhookBody,
		answers: { 201: messageAndData(agentWebhookSchema) },
		handle({ world, params, body }) {
			const { id } = findAgent(world, params.agent_id);
			const webhook = addWebhook(world, owner, id, body());
			return created(webhookObject(webhook), 'Webhook created successfully.');
		},
	}),
	route({
		method: 'GET',
		path: ONE,
		summary: 'Get an agent webhook',
		refusal,
		answers: { 200: dataOf(agentWebhookSchema) },
		handle: ({ world, params }) => ok(webhookObject(findWebhook(world, owner, params))),
	}),
	route({
		method: 'PUT',
		path: ONE,
		summary: 'Update an agent webhook',
		refusal,
		body: updateBody,
		answers: { 200: messageAndData(agentWebhookSchema) },
		handle({ world, params, body }) {
			const webhook = findWebhook(world, owner, params);
			changeWebhook(world, webhook, body());
			return done('Webhook updated successfully.', webhookObject(webhook));
		},
	}),
	...commonRoutes(owner),
	route({
		method: 'POST',
		path: `${ONE}/test`,
		summary: 'Test an agent webhook and wait for the result',
		refusal,
		answers: { 200: z.union([messageAndData(testResultSchema), failedResult({ message: messageText })]) },
		async handle({ world, params }) {
			const last = await sendTestEvent(world, findWebhook(world, owner, params));
			const { status, httpStatus, durationMs } = last;
			if (status !== 'success') {
				return { status: 200, body: { success: false, message: whyFailed(last) } };
			}
			return done('Webhook test successful.', { status_code: httpStatus, response_time: durationMs });
		},
	}),
	...logRoutes(owner, { item: logEntry, itemSchema: logSchema, lastPage: true, queuedAt: true }),
];

function whyFailed({ httpStatus, error }: DeliveryAttempt): string {
	return `Webhook test failed: ${httpStatus === null ? error : `the receiver answered ${httpStatus}`}.`;
}

/** The webhook as the service shows it; method, headers, templates and secret are never shown. */
function webhookObject(webhook: Webhook): Record<string, unknown> {
	const { id, agent_id, name, webhook_url, events, timeout, max_retries, enabled } = webhook;
	return {
		...{ id, agent_id, name, webhook_url, events, timeout, max_retries, enabled },
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
