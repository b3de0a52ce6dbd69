import { z } from 'zod';

import { AGENT_EVENTS, CAMPAIGN_EVENTS } from '../engine/deliveries/eventTypes.mts';
import { flatError, notFound } from '../http/httpErrors.mts';
import { anyObject } from '../http/schemas.mts';
import type { DeliveryAttempt } from '../world/webhook.mts';
import type { World } from '../world/world.mts';
import { type ControlRoute, control } from './controlRoute.mts';
import { deliverCopies, deliverNow } from './deliverNow.mts';
import { attemptDetails, attemptSummary, deliveryRecord, isFinished } from './deliveryRecord.mts';
import { hasText, listQuery, newestOf } from './pages.mts';
import { verify } from './verify.mts';

const deliveriesQuery = z
	.object({
		...listQuery,
		webhookId: z.string().optional(),
		callId: z.string().optional(),
		event: z.string().optional(),
		status: z.enum(['pending', 'success', 'failed', 'retrying']).optional(),
	})
	.strict();

const EVENT_TYPES = [...new Set<string>([...CAMPAIGN_EVENTS, ...AGENT_EVENTS])] as [string, ...string[]];

/** A year. */
const LONGEST_DELAY_SECONDS = 31_536_000;

const howSchema = z
	.object({
		times: z.number().int().min(1).max(100).default(1),
		tamper: z.enum(['body', 'signature', 'secret']).optional(),
		delaySeconds: z.number().min(0).max(LONGEST_DELAY_SECONDS).default(0),
	})
	.strict();

const deliverSchema = howSchema
	.extend({
		webhookId: z.string(),
		event: z.string().min(1),
		data: anyObject.default({}),
		retries: z.boolean().default(false),
	})
	.refine(({ tamper, retries }) => !(tamper && retries), {
		path: ['retries'],
		message: 'A falsified delivery is sent without retries.',
	});

const delaySchema = z
	.object({
		event: z.enum(EVENT_TYPES),
		seconds: z.number().min(0).max(LONGEST_DELAY_SECONDS).nullable(),
	})
	.strict();

/** Controls of deliveries: read them, check them, send them again, and send samples. */
export const deliveryControls: ControlRoute[] = [
	control({
		method: 'GET',
		path: 'deliveries',
		query: deliveriesQuery,
		handle({ world, query, plain }) {
			const { entries, dropped } = world.attempts;
			if (plain) {
				return entries.filter(isFinished).map(deliveryRecord);
			}
			const page = newestOf(
				entries,
				query,
				({ id, status, delivery }, text) =>
					(!query.webhookId || delivery.webhookId === query.webhookId) &&
					(!query.callId || delivery.callId === query.callId) &&
					(!query.event || delivery.event === query.event) &&
					(!query.status || status === query.status) &&
					hasText(text, id, delivery.id, delivery.event, delivery.body),
				attemptSummary,
			);
			return { ...page, dropped };
		},
	}),
	control({
		method: 'GET',
		path: 'deliveries/:id',
		handle: ({ world, params }) => attemptDetails(findAttempt(world, params.id)),
	}),
	control({
		method: 'GET',
		path: 'deliveries/:id/verify',
		handle: ({ world, params }) => verify(world, findAttempt(world, params.id)),
	}),
	control({
		method: 'POST',
		path: 'deliveries/:id/resend',
		body: howSchema,
		async handle({ world, params, body }) {
			const { delivery } = findAttempt(world, params.id);
			const webhook = world.webhooks.get(delivery.webhookId);
			if (!webhook) {
				throw flatError(409, 'The webhook of the delivery is deleted.');
			}
			return deliverCopies(world, webhook, delivery, body);
		},
	}),
	control({
		method: 'POST',
		path: 'deliver',
		body: deliverSchema,
		handle: ({ world, body }) => deliverNow(world, body),
	}),
	control({
		method: 'GET',
		path: 'delays',
		handle: ({ world }) => [...world.delays].map(([event, seconds]) => ({ event, seconds })),
	}),
	control({
		method: 'POST',
		path: 'delays',
		body: delaySchema,
		handle({ world, body: { event, seconds } }) {
			if (seconds === 0) {
				world.delays.delete(event);
			} else {
				world.delays.set(event, seconds);
			}
			world.changes.publish({ type: 'delays' });
			return { success: true };
		},
	}),
];

/** @throws 404 for an attempt that is unknown or was dropped */
function findAttempt(world: World, id: string | undefined): DeliveryAttempt {
	const attempt = world.attempts.entries.findLast((known) => known.id === id);
	if (!attempt) {
		throw notFound('Delivery attempt');
	}
	return attempt;
}
