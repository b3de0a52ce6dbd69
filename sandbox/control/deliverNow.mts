import { deliverLater, sendCopies } from '../engine/deliveries/copies.mts';
import { deliverWithRetries } from '../engine/deliveries/deliverer.mts';
import { sampleBody } from '../engine/deliveries/sampleEvents.mts';
import { flatError, notFound } from '../http/httpErrors.mts';
import { newId } from '../world/ids.mts';
import type { Delivery, Tamper, Webhook } from '../world/webhook.mts';
import type { World } from '../world/world.mts';
import { type AttemptOutcome, attemptOutcome } from './deliveryRecord.mts';

/** How often and when a delivery is sent, and what is falsified in it. */
interface HowToDeliver {
	times: number;
	tamper?: Tamper | undefined;
	/** Sandbox seconds before it is sent, in the background. */
	delaySeconds: number;
}

/** Body of `POST /_sandbox/deliver`. */
interface DeliverRequest extends HowToDeliver {
	webhookId: string;
	event: string;
	data: Record<string, unknown>;
	retries: boolean;
}

/** The result of a delivery. `attempts` is empty if it is sent in the background. */
export interface Delivered {
	id: string;
	event: string;
	attempts: AttemptOutcome[];
}

/**
 * Sends an event to a webhook, even if the webhook is disabled or not subscribed, without retries. `times` copies with
 * the same body and id are sent in parallel. With `retries`, each copy is sent like a real event, in the background.
 * @returns the delivery's id and the results of its attempts, ordered by number; with `retries`, no results
 * @throws 404 for an unknown webhook; with `retries`, 409 for a disabled webhook, which receives no retries
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
