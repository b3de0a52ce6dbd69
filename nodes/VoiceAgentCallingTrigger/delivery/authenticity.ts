import { createHash, timingSafeEqual } from 'node:crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import { DEFAULT_WINDOW_SECONDS } from '../parameters/options';
import { acceptedKeys, type DeliveryKey, KEY_HEADER, stored } from '../registration/deliveryKeys';
import { keyOnItsWay } from '../registration/rotation';
import { verify } from './signature';

/** `header` is the name of the header that proved it. */
type Proof = { authentic: true; header: string } | { authentic: false; reason: string };

/** Tells whether a delivery is the service's, by the keys that it has or had a short while ago. */
export function proven(
	caller: IWebhookFunctions,
	rawBody: Buffer,
	options: { signatureHeader?: unknown; timeWindow?: unknown },
): Proof {
	const now = Date.now();
	const known = stored(caller);
	const onItsWay = keyOnItsWay(caller, known);
	const keys = [...acceptedKeys(known, now), ...(onItsWay === undefined ? [] : [onItsWay])];
	const { headers } = caller.getRequestObject();
	const delivery = {
		rawBody,
		headers,
		signatureHeader: String(options.signatureHeader ?? '').trim() || undefined,
		windowSeconds: Number(options.timeWindow ?? DEFAULT_WINDOW_SECONDS),
		now,
	};
	let reason = 'no signing secret is registered';
	for (const key of keys) {
		const verdict = verify({ ...delivery, secret: key.secret });
		if (!verdict.authentic) {
			// What the present key, the first one, says tells most.
			if (key === keys[0]) {
				({ reason } = verdict);
			}
		} else if (hasHeader(headers[KEY_HEADER.toLowerCase()], key, keys)) {
			return verdict;
		} else {
			return { authentic: false, reason: `the header ${KEY_HEADER} is missing or wrong` };
		}
	}
	return { authentic: false, reason };
}

/**
 * Tells whether a delivery has the random header, where the key that signed it came with one. It may be the one of
 * another key: which signature and which headers a delivery has that is sent again is not published.
 */
function hasHeader(value: unknown, signedBy: DeliveryKey, keys: readonly DeliveryKey[]): boolean {
	if (signedBy.headerValue === undefined) {
		return true;
	}
	if (typeof value !== 'string') {
		return false;
	}
	return keys.some(({ headerValue }) => headerValue !== undefined && sameText(value, headerValue));
}

/** In constant time, whatever the lengths. */
function sameText(one: string, other: string): boolean {
	const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
	return timingSafeEqual(left, right);
}
