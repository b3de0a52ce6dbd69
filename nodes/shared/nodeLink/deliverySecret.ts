import { createHmac } from 'node:crypto';

import type { Keys } from './keys';
import { type Generations, type Owner, ownerUrl } from './owner';
import { triggerPathOf } from './triggerUrl';

/** The trigger for which a webhook is registered. */
export interface DeliveryTarget {
	/** The production or test URL of the trigger. Only the end of its path counts. */
	url: string;
	/** Whether it is for a test run in the editor. */
	isTest: boolean;
}

/**
 * The secret with which the service signs the deliveries of one owner to one trigger. Both nodes can compute it, so it is
 * stored nowhere in n8n. A delivery with the name of another owner, or to another trigger, would have another signature.
 *
 * @param generation when it was made, as the URL of the webhook says
 * @returns 64 hexadecimal digits
 */
export function deliverySecret(
	{ secrets }: Pick<Keys, 'secrets'>,
	{ url, isTest }: DeliveryTarget,
	{ source, ownerId }: Owner,
	generation: number,
): string {
	const run = isTest ? 'test' : 'production';
	const identity = JSON.stringify(['delivery', run, triggerPathOf(url), source, ownerId, generation]);
	return createHmac('sha256', secrets).update(identity).digest('hex');
}

/** What a webhook of a trigger needs to be accepted by it: its URL, which names the secret, and the secret. */
export function signedAddress(
	keys: Pick<Keys, 'secrets'>,
	target: DeliveryTarget,
	owner: Owner,
	generations: Generations,
): { webhook_url: string; webhook_secret: string } {
	return {
		webhook_url: ownerUrl(target.url, owner, generations),
		webhook_secret: deliverySecret(keys, target, owner, generations.current),
	};
}
