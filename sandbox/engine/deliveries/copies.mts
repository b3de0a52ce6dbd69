import type { DelayedDelivery, Delivery, DeliveryAttempt, Tamper, Webhook } from '../../world/webhook.mts';
import type { World } from '../../world/world.mts';
import { deliverWithRetries, nextNumber, sendOnce, type Tampering } from './deliverer.mts';
import { sign } from './signature.mts';

/**
 * Sends copies of a delivery in parallel, without retries.
 * @returns the attempts in the order of their numbers
 */
export function sendCopies(
	world: World,
	webhook: Webhook,
	delivery: Delivery,
	times: number,
	tamper: Tamper | null,
): Promise<DeliveryAttempt[]> {
	const altered = alter(world, webhook, delivery.body, tamper);
	const first = nextNumber(world, delivery);
	const numbers = Array.from({ length: times }, (_, index) => first + index);
	return Promise.all(numbers.map((number) => sendOnce(world, webhook, delivery, number, altered)));
}

/** Delivers once a delivery is due: with retries, or as copies. Also after its world was loaded. */
export function deliverLater(world: World, delayed: DelayedDelivery): void {
	const { delivery, due, copies } = delayed;
	world.delayed.add(delayed);
	world.clock.at(due, async () => {
		world.delayed.delete(delayed);
		if (!copies) {
			return deliverWithRetries(world, delivery);
		}
		const webhook = world.webhooks.get(delivery.webhookId);
		if (webhook) {
			await sendCopies(world, webhook, delivery, copies.times, copies.tamper);
		}
	});
}

function alter(world: World, webhook: Webhook, body: string, tamper: Tamper | null): Tampering {
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
