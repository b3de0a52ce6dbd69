import type { DelayedDelivery, Delivery, DeliveryAttempt, Tamper, Webhook } from '../../world/webhook.mts';
import type { World } from '../../world/world.mts';
import { deliverWithRetries, nextNumber, sendOnce } from './deliverer.mts';

/**
 * Sends copies of a delivery in parallel, without retries.
 * @returns the attempts, ordered by number
 */
export function sendCopies(
	world: World,
	webhook: Webhook,
	delivery: Delivery,
	times: number,
	tamper: Tamper | null,
): Promise<DeliveryAttempt[]> {
	const first = nextNumber(world, delivery);
	const numbers = Array.from({ length: times }, (_, index) => first + index);
	return Promise.all(numbers.map((number) => sendOnce(world, webhook, delivery, number, tamper)));
}

/** Sends a delivery when it is due: with retries, or as copies. Also used after its world was loaded. */
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
