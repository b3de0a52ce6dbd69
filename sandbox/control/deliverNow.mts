import { deliverWithRetries, sendOnce, type Tampering } from '../engine/deliveries/deliverer.mts';
import { sampleBody } from '../engine/deliveries/sampleEvents.mts';
import { sign } from '../engine/deliveries/signature.mts';
import { notFound } from '../http/httpErrors.mts';
import type { Delivery, Webhook } from '../world/webhook.mts';
import { newId, type World } from '../world/world.mts';
import { type AttemptOutcome, attemptOutcome } from './deliveryRecord.mts';

/** Body of `POST /_sandbox/deliver`. */
export interface DeliverRequest {
	webhookId: string;
	event: string;
	data: Record<string, unknown>;
	times: number;
	tamper?: 'body' | 'signature' | 'secret' | undefined;
	retries: boolean;
}

/**
 * Sends an event to a webhook now, subscribed or not, enabled or not, without retries. `times` sends the same body and
 * id that often at once. With `retries` each of them is delivered as the events of a call are, which is not waited for.
 * @returns the delivery's id and how each attempt ended, in the order of their numbers; none of those with retries
 * @throws 404 for an unknown webhook
 */
export async function deliverNow(
	world: World,
	request: DeliverRequest,
): Promise<{ id: string; event: string; attempts: AttemptOutcome[] }> {
	const webhook = world.webhooks.get(request.webhookId);
	if (!webhook) {
		throw notFound('Webhook');
	}
	const id = newId();
	const body = sampleBody(world, webhook, request.event, id, request.data);
	const delivery: Delivery = { id, webhookId: webhook.id, event: request.event, body };
	if (request.retries) {
		for (let copy = 0; copy < request.times; copy += 1) {
			deliverWithRetries(world, delivery);
		}
		return { id, event: request.event, attempts: [] };
	}
	const altered = alter(world, webhook, body, request.tamper);
	const numbers = Array.from({ length: request.times }, (_, index) => index + 1);
	const attempts = await Promise.all(numbers.map((number) => sendOnce(world, webhook, delivery, number, altered)));
	return { id, event: request.event, attempts: attempts.map(attemptOutcome) };
}

function alter(world: World, webhook: Webhook, body: string, tamper: DeliverRequest['tamper']): Tampering {
	const { signatureFormat } = world.options;
	switch (tamper) {
		case 'body':
			return { body: `${body.slice(0, -1)},"altered":true}` };
		case 'signature':
			return { signature: swapOne(sign(signatureFormat, webhook.webhook_secret ?? '', body)) };
		case 'secret':
			return { signature: sign(signatureFormat, `${webhook.webhook_secret ?? ''} but another`, body) };
		default:
			return {};
	}
}

/** The same length and alphabet with one character changed, away from the padding at the end. */
function swapOne(signature: string): string {
	const index = signature.length - 5;
	return `${signature.slice(0, index)}${signature[index] === '0' ? '1' : '0'}${signature.slice(index + 1)}`;
}
