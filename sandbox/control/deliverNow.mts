import { deliverLater, sendCopies } from '../engine/deliveries/copies.mts';
import { deliverWithRetries } from '../engine/deliveries/deliverer.mts';
import { sampleBody } from '../engine/deliveries/sampleEvents.mts';
import { flatError, notFound } from '../http/httpErrors.mts';
import { newId } from '../world/ids.mts';
import type { Delivery, Tamper, Webhook } from '../world/webhook.mts';
import type { World } from '../world/world.mts';
import { type AttemptOutcome, attemptOutcome } from './deliveryRecord.mts';

/** How often, when and how altered something is delivered. */
export interface HowToDeliver {
	times: number;
	tamper?: Tamper | undefined;
	/** Sandbox seconds before it is sent, in the background. */
	delaySeconds: number;
}

/** Body of `POST /_sandbox/deliver`. */
export interface DeliverRequest extends HowToDeliver {
	webhookId: string;
	event: string;
	data: Record<string, unknown>;
	retries: boolean;
}

/** What was delivered; without attempts if it is sent in the background. */
export interface Delivered {
	id: string;
	event: string;
	attempts: AttemptOutcome[];
}

/**
 * Sends an event to a webhook, subscribed or not, enabled or not, without retries. `times` copies with the same body
 * and id are sent in parallel. With `retries` each copy is delivered like the event of a call, in the background.
 * @returns the delivery's id and the result of each attempt in the order of their numbers; no results with `retries`
 * @throws 404 for an unknown webhook, 409 if it is disabled, which ends its retries
 */
export async function deliverNow(world: World, request: DeliverRequest): Promise<Delivered> {
	const webhook = world.webhooks.get(request.webhookId);
	if (!webhook) {
		throw notFound('Webhook');
	}
	if (request.retries && request.delaySeconds === 0 && !webhook.enabled) {
		throw flatError(409, 'The webhook is disabled. Enable it, or deliver without retries.');
	}
	const id = newId(world, 'delivery');
	const body = sampleBody(world, webhook, request.event, id, request.data);
	const delivery: Delivery = { id, webhookId: webhook.id, event: request.event, body, callId: null };
	if (!request.retries) {
		return deliverCopies(world, webhook, delivery, request);
	}
	for (let copy = 0; copy < request.times; copy += 1) {
		const own = { ...delivery, copy };
		if (request.delaySeconds > 0) {
			deliverLater(world, { delivery: own, due: world.clock.now() + request.delaySeconds * 1000, copies: null });
		} else {
			deliverWithRetries(world, own);
		}
	}
	return { id, event: request.event, attempts: [] };
}

/** Sends a delivery without retries: now, or in the background after a delay. */
export async function deliverCopies(
	world: World,
	webhook: Webhook,
	delivery: Delivery,
	{ times, tamper = undefined, delaySeconds }: HowToDeliver,
): Promise<Delivered> {
	const { id, event } = delivery;
	if (delaySeconds > 0) {
		const due = world.clock.now() + delaySeconds * 1000;
		deliverLater(world, { delivery, due, copies: { times, tamper: tamper ?? null } });
		return { id, event, attempts: [] };
	}
	const attempts = await sendCopies(world, webhook, delivery, times, tamper ?? null);
	return { id, event, attempts: attempts.map(attemptOutcome) };
}
