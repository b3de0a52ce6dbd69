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
 * Sends an event to a webhook, subscribed or not, enabled or not, without retries. `times` copies with the same body
 * and id are sent in parallel. With `retries` each copy is delivered like the event of a call, in the background.
 * @returns the delivery's id and the result of each attempt in the order of their numbers; no results with `retries`
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

/** Changes one character before the padding at the end; length and alphabet stay the same. */
function swapOne(signature: string): string {
	const index = signature.length - 5;
	return `${signature.slice(0, index)}${signature[index] === '0' ? '1' : '0'}${signature.slice(index + 1)}`;
}
