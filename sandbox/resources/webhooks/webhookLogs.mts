import { z } from 'zod';

import { deliverAgain } from '../../engine/deliveries/deliverer.mts';
import { codedError } from '../../http/errorSchemas.mts';
import { flatError, notFound } from '../../http/httpErrors.mts';
import { logPagination, meta, pageOf } from '../../http/paging.mts';
import type { Refusal } from '../../http/refusal.mts';
import { done, ok } from '../../http/response.mts';
import { dataOf, logPosition, messageAndData, pageMeta } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { pagesOf } from '../../http/schemas.mts';
import { iso } from '../../time/time.mts';
import type { DeliveryAttempt, Webhook } from '../../world/webhook.mts';
import type { World } from '../../world/world.mts';
import { queuedRedeliverySchema, redeliverySchema } from './webhookLogSchemas.mts';
import { findWebhook, type WebhookOwner } from './webhooks.mts';

/** The webhook of a log. */
interface Logged extends WebhookOwner {
	/** With its article, for the summaries. */
	called: string;
	/** The path of the webhook. */
	path: string;
	refusal: Refusal;
}

const listQuery = z.object(pagesOf(25));

/** How long an attempt is listed and can be sent again. */
const KEPT_MS = 30 * 86_400_000;

/** The differences between the logs of agents' webhooks and of campaigns' webhooks. */
export interface LogStyle {
	item(attempt: DeliveryAttempt): Record<string, unknown>;
	/** The schema of an item. */
	itemSchema: z.ZodTypeAny;
	/** Whether the pagination has `last_page`. */
	lastPage: boolean;
	/** Whether the response to a redelivery has `queued_at`. */
	queuedAt: boolean;
}

/** A webhook's log with an entry per attempt, newest first, and the redelivery of an entry. */
export function logRoutes(owner: Logged, style: LogStyle): Route[] {
	const path = `${owner.path}/logs`;
	return [
		route({
			method: 'GET',
			path,
			summary: `List the deliveries of ${owner.called} webhook`,
			description: 'A page of the attempts of the last 30 days, the newest first.',
			refusal: owner.refusal,
			query: listQuery,
			responses: {
				200: dataOf(z.array(style.itemSchema), { pagination: style.lastPage ? pageMeta : logPosition }),
			},
			handle({ world, params, query }) {
				const webhook = findWebhook(world, owner, params);
				const log = attemptsOf(world, webhook).filter((attempt) => !isOld(world, attempt));
				const page = pageOf(log.reverse(), query());
				return ok(page.items.map(style.item), { pagination: style.lastPage ? meta(page) : logPagination(page) });
			},
		}),
		route({
			method: 'POST',
			path: `${path}/:log_id/retry`,
			summary: `Send a delivery of ${owner.called} webhook again`,
			description:
				'Makes another attempt with the same body, as a new entry of the log. Only a failed delivery can be sent again.',
			refusal: owner.refusal,
			responses: { 200: messageAndData(style.queuedAt ? queuedRedeliverySchema : redeliverySchema) },
			errors: {
				422: {
					when: 'The delivery has succeeded, is under way or too old, or the webhook is disabled',
					body: codedError('LOG_NOT_RETRIABLE'),
				},
			},
			handle({ world, params }) {
				const webhook = findWebhook(world, owner, params);
				const original = attemptsOf(world, webhook).find(({ id }) => id === params.log_id);
				if (!original) {
					throw notFound('Webhook log');
				}
				const reason = whyNotAgain(world, webhook, original);
				if (reason) {
					throw flatError(422, reason, { code: 'LOG_NOT_RETRIABLE' });
				}
				const { id, created } = deliverAgain(world, webhook, original.delivery);
				return done('The delivery was queued again.', {
					log_id: id,
					original_log_id: original.id,
					...(style.queuedAt ? { queued_at: iso(created) } : {}),
				});
			},
		}),
	];
}

/** Returns the complete entry, for an agent's webhook. */
export function logEntry(attempt: DeliveryAttempt): Record<string, unknown> {
	const { delivery, sent, responseBody, responseHeaders, error } = attempt;
	const { id, ...common } = shortLogEntry(attempt);
	return {
		id,
		webhook_id: delivery.webhookId,
		...common,
		request_payload: JSON.parse(sent?.alteredBody ?? delivery.body) as unknown,
		response_body: responseBody,
		response_headers: responseHeaders,
		error,
	};
}

/** Returns the entry without request and response, for a campaign's webhook. */
export function shortLogEntry(attempt: DeliveryAttempt): Record<string, unknown> {
	const { id, delivery, number, status, httpStatus, durationMs, delivered, created } = attempt;
	return {
		id,
		event: delivery.event,
		attempt: number,
		status,
		http_status: httpStatus,
		duration_ms: durationMs,
		delivered_at: delivered === null ? null : iso(delivered),
		created_at: iso(created),
	};
}

function attemptsOf(world: World, webhook: Webhook): DeliveryAttempt[] {
	return world.attempts.entries.filter(({ delivery }) => delivery.webhookId === webhook.id);
}

function isOld(world: World, attempt: DeliveryAttempt): boolean {
	return world.clock.now() - attempt.created > KEPT_MS;
}

function whyNotAgain(world: World, webhook: Webhook, attempt: DeliveryAttempt): string | undefined {
	if (!webhook.enabled) {
		return 'The webhook is disabled.';
	}
	if (attempt.status === 'success') {
		return 'The delivery succeeded already.';
	}
	if (attempt.status === 'pending') {
		return 'The delivery is under way.';
	}
	if (isOld(world, attempt)) {
		return 'The delivery is older than 30 days.';
	}
	return undefined;
}
