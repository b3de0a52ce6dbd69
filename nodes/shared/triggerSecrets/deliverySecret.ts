import { createHmac } from 'node:crypto';

import type { Keys } from '../keys';
import { type Owner, ownerUrl, type SecretVersions, type VerifyBy } from '../owner';
import { triggerPathOf } from './triggerUrl';

/** The trigger for which a webhook is registered. */
interface DeliveryTarget {
	/** The production or test URL of the trigger. Only the end of its path is used. */
	url: string;
	/** Whether the webhook is for a test run in the editor. */
	isTest: boolean;
}

/** A header of a webhook's deliveries. */
export interface CustomHeader {
	key: string;
	value: string;
}

/** The header with the secret, if the trigger verifies deliveries by a header. */
export const SECRET_HEADER = 'X-Voice-Agent-Calling-Secret';

/** The purposes of secrets: nobody can compute the secret of one purpose from that of another. */
const LABELS: Record<VerifyBy, string> = { signature: 'delivery', header: 'delivery header' };

/**
 * Derives the secret with which the service signs the deliveries of one owner to one trigger, or which it sends in
 * {@link SECRET_HEADER}. Both nodes can compute it, so n8n stores it nowhere. Each owner and each trigger has a
 * different secret.
 *
 * @param version the time at which the secret was made, from the URL of the webhook
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
 * Returns what the webhook of a trigger needs so that the trigger accepts its deliveries: the URL, which names the
 * version of the secret and its token, the secret, and all headers, if the trigger verifies by a header.
 *
 * @param headers the other headers of the webhook
 */
export function acceptedAddress(
	keys: Pick<Keys, 'secrets' | 'fingerprint'>,
	target: DeliveryTarget,
	owner: Owner,
	versions: SecretVersions,
	verifyBy: VerifyBy,
	headers: readonly CustomHeader[],
): { webhook_url: string; webhook_secret: string; custom_headers?: CustomHeader[] } {
	const others = headers.filter(({ key }) => key.toLowerCase() !== SECRET_HEADER.toLowerCase());
	const value = deliverySecret(keys, target, owner, versions.current, 'header');
	return {
		webhook_url: ownerUrl(target.url, owner, versions, verifyBy, keys.fingerprint),
		webhook_secret: deliverySecret(keys, target, owner, versions.current),
		...(verifyBy === 'header' && { custom_headers: [...others, { key: SECRET_HEADER, value }] }),
	};
}
