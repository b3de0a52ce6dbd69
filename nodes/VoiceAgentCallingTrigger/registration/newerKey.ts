import type { IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../shared/lib/boundedMap';
import { loadKeys } from '../../shared/nodeLink/keys';
import { adoptKey, type DeliveryKey, ownRegistration, type Registration, successors } from './deliveryKeys';
import { nodeKey } from './nodeKey';

/** How long the successors of a key are kept: the token that they are derived from can change. */
const KEPT_MS = 60_000;

/** The newest key of each node that this process knows the service to use. */
const inUse = new BoundedMap<DeliveryKey>();

interface Kept {
	/** The secret that they follow. */
	from: string | undefined;
	until: number;
	keys: Promise<DeliveryKey[]>;
}

/** The successors of each node's key, so that forged deliveries do not cause reading the credential each time. */
const kept = new BoundedMap<Kept>();

/** Remembers a key that the service uses. @param node from {@link nodeKey} */
export function noteInUse(node: string, key: DeliveryKey): void {
	inUse.set(node, key);
	kept.delete(node);
}

/** The {@link successors} of the stored key. @param node from {@link nodeKey} */
export async function successorsOf(
	caller: IWebhookFunctions,
	node: string,
	registration: Partial<Registration>,
): Promise<readonly DeliveryKey[]> {
	const from = registration.secret ?? registration.former?.[0]?.secret;
	const now = Date.now();
	const known = kept.get(node);
	if (known !== undefined && known.from === from && known.until > now) {
		return await known.keys;
	}
	const keys = loadKeys(caller).then(({ secrets: chain }) => successors(registration, chain));
	kept.set(node, { from, until: now + KEPT_MS, keys });
	keys.catch(() => kept.delete(node));
	return await keys;
}

/**
 * Puts the key that the service uses into the registration, if this process knows that it has an older one. A key that
 * is made from the older one would be the one that the service has.
 *
 * @param node from {@link nodeKey}
 * @param following the {@link successors} of the stored key
 * @returns whether the registration had an older key
 */
export function adoptKeyInUse(
	node: string,
	registration: Partial<Registration>,
	following: readonly DeliveryKey[],
): boolean {
	const newest = inUse.get(node);
	if (newest === undefined || !following.some(({ secret }) => secret === newest.secret)) {
		return false;
	}
	adoptKey(registration, newest);
	return true;
}

/**
 * Puts the key that the service uses into the static data, see {@link adoptKeyInUse}. n8n stores it only if the node's
 * response starts no execution.
 *
 * @param following from {@link successorsOf}
 * @returns whether the static data had an older key
 */
export function putBackNewerKey(caller: IWebhookFunctions, following: readonly DeliveryKey[]): boolean {
	const registration = ownRegistration(caller);
	if (registration.secret === undefined || !adoptKeyInUse(nodeKey(caller), registration, following)) {
		return false;
	}
	caller.logger.warn(
		`"${caller.getNode().name}" had an older signing secret: another node of its workflow has written it back`,
		{ workflowId: caller.getWorkflow().id },
	);
	return true;
}
