import { createHash, timingSafeEqual } from 'node:crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { verifySignature } from '../../shared/deliveries/signature';
import type { Owner } from '../../shared/nodeLink/owner';
import { DEFAULT_WINDOW_SECONDS, KEY_HEADER } from '../parameters/options';
import { acceptedKeys, type DeliveryKey, keyFor, staticData } from '../registration/deliveryKeys';
import { noteInUse, successorsOf } from '../registration/newerKey';

/** `header` is the name of the header with the signature. */
type Authenticity = { authentic: true; header: string } | { authentic: false; reason: string };

/**
 * Checks that a delivery comes from the service: it has a signature by an accepted key, and the random header if that
 * key has one. Only a delivery with another signature is compared with the keys that follow the stored one.
 *
 * @param node from `nodeKey`
 * @param owner that the URL of the delivery names: the key is derived from it
 */
export async function checkAuthenticity(
	caller: IWebhookFunctions,
	node: string,
	owner: Owner,
	rawBody: Buffer,
	options: { signatureHeader?: unknown; timeWindow?: unknown },
): Promise<Authenticity> {
	const now = Date.now();
	const registration = staticData(caller);
	const { headers } = caller.getRequestObject();
	const delivery = {
		rawBody,
		headers,
		signatureHeader: String(options.signatureHeader ?? '').trim() || undefined,
		windowSeconds: Number(options.timeWindow ?? DEFAULT_WINDOW_SECONDS),
		now,
	};
	const ofOwner = (base: DeliveryKey) => ({ ...keyFor(base, owner), base });
	let keys = acceptedKeys(registration, now);
	let check = verifySignature(delivery, keys.map(ofOwner));
	if (!check.authentic && check.reason === 'wrong signature') {
		const following = await successorsOf(caller, node, registration);
		if (keys.length + following.length === 0) {
			return { authentic: false, reason: 'no signing secret is registered' };
		}
		keys = [...keys, ...following];
		check = verifySignature(delivery, following.map(ofOwner));
		if (check.authentic) {
			noteInUse(node, check.key.base);
		}
	}
	if (check.authentic && !hasKeyHeader(headers[KEY_HEADER.toLowerCase()], check.key, keys)) {
		return { authentic: false, reason: `the header ${KEY_HEADER} is missing or wrong` };
	}
	return check;
}

/**
 * Whether a delivery has the random header, if the key that signed it has one. The value of any accepted key counts:
 * the service does not publish which headers a repeated delivery has after an update.
 */
function hasKeyHeader(value: unknown, signedBy: DeliveryKey, keys: readonly DeliveryKey[]): boolean {
	if (signedBy.headerValue === undefined) {
		return true;
	}
	if (typeof value !== 'string') {
		return false;
	}
	return keys.some(({ headerValue }) => headerValue !== undefined && isSameText(value, headerValue));
}

/** Compares in constant time, also texts of different lengths. */
function isSameText(one: string, other: string): boolean {
	const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
	return timingSafeEqual(left, right);
}
