import { createHmac } from 'node:crypto';

import type { Keys } from '../keys';
import { type Owner, ownerUrl, type SecretVersions, type VerifyBy } from '../owner';
import { triggerPathOf } from './triggerUrl';

/** The trigger for which a webhook is registered. */
export interface DeliveryTarget {
	/** The production or test URL of the trigger. Only the end of its path counts. */
	url: string;
	/** Whether it is for a test run in the editor. */
	isTest: boolean;
}

/** A header of a webhook's deliveries. */
export interface CustomHeader {
	key: string;
	value: string;
}

/** The header with the secret, where the trigger verifies deliveries by it. */
export const SECRET_HEADER = 'X-Voice-Agent-Calling-Secret';

/** What a secret is derived for: one of them says nothing about another. */
const LABELS: Record<VerifyBy, string> = { signature: 'delivery', header: 'delivery header' };

/**
 * The secret with which the service signs the deliveries of one owner to one trigger, or the one that it sends with them
 * in {@link SECRET_HEADER}. Both nodes can compute it, so it is stored nowhere in n8n. A delivery with the name of another
 * owner, or to another trigger, would have another one.
 *
 * @param version when it was made, as the URL of the webhook says
 * @returns 64 hexadecimal digits
 */
export function deliverySecret(
	{ secrets }: Pick<Keys, 'secrets'>,
	{ url, isTest }: DeliveryTarget,
	{ ownerType, ownerId }: Owner,
	version: number,
	verifyBy: VerifyBy = 'signature',
): string {
	const run = isTest ? 'test' : 'production';
	const identity = JSON.stringify([LABELS[verifyBy], run, triggerPathOf(url), ownerType, ownerId, version]);
	return createHmac('sha256', secrets).update(identity).digest('hex');
}

/**
 * What a webhook of a trigger needs to be accepted by it: its URL, which names the secret, and the secret; also its
 * headers, if one of them is to have a secret.
 *
 * @param headers the others that it is to have
 */
export function acceptedAddress(
	keys: Pick<Keys, 'secrets'>,
	target: DeliveryTarget,
	owner: Owner,
	versions: SecretVersions,
	verifyBy: VerifyBy,
	headers: readonly CustomHeader[],
): { webhook_url: string; webhook_secret: string; custom_headers?: CustomHeader[] } {
	const others = headers.filter(({ key }) => key.toLowerCase() !== SECRET_HEADER.toLowerCase());
	const value = deliverySecret(keys, target, owner, versions.current, 'header');
	return {
		webhook_url: ownerUrl(target.url, owner, versions, verifyBy),
		webhook_secret: deliverySecret(keys, target, owner, versions.current),
		...(verifyBy === 'header' && { custom_headers: [...others, { key: SECRET_HEADER, value }] }),
	};
}
