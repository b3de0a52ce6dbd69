import type { IWebhookFunctions } from 'n8n-workflow';

import { verifySignature, WRONG_SIGNATURE } from '../../shared/deliveries/signature';
import type { Owner } from '../../shared/nodeLink/owner';
import { acceptedKeys, type DeliveryKey, keyFor, staticData } from '../registration/deliveryKeys';
import { noteInUse, successorsOf } from '../registration/newerKey';
import { unknownForm } from './unknownForm';

/**
 * Checks that a delivery comes from the service: it has a signature by an accepted key. Only a delivery with another
 * signature is compared with the keys that follow the stored one.
 *
 * @param node from `nodeKey`
 * @param owner that the URL of the delivery names: the key is derived from it
 * @param signatureHeader the only header to look at; empty: every header
 * @returns why it is not authentic; undefined if it is
 */
export async function whyNotAuthentic(
	caller: IWebhookFunctions,
	node: string,
	owner: Owner,
	rawBody: Buffer,
	signatureHeader: unknown,
): Promise<string | undefined> {
	const now = Date.now();
	const registration = staticData(caller);
	const { headers } = caller.getRequestObject();
	const delivery = {
		rawBody,
		headers,
		signatureHeader: String(signatureHeader ?? '').trim() || undefined,
		now,
	};
	const ofOwner = (base: DeliveryKey) => ({ ...keyFor(base, owner), base });
	const keys = acceptedKeys(registration, now);
	let check = verifySignature(delivery, keys.map(ofOwner));
	if (!check.authentic && check.reason === WRONG_SIGNATURE) {
		const following = await successorsOf(caller, node, registration);
		if (keys.length + following.length === 0) {
			return 'no signing secret is registered';
		}
		check = verifySignature(delivery, following.map(ofOwner));
		if (check.authentic) {
			noteInUse(node, check.key.base);
		}
	}
	if (check.authentic) {
		return undefined;
	}
	return (check.reason === 'outside the time window' ? undefined : unknownForm(delivery)) ?? check.reason;
}
