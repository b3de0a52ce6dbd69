import type { IWebhookFunctions } from 'n8n-workflow';

import { type Keys, loadKeys } from '../../shared/keys';
import { BoundedMap } from '../../shared/lib/collections';

/** How long the keys of a credential are kept in memory: n8n reads its database and decrypts for each look at it. */
const KEPT_MS = 10_000;

/** How often they are read anew because something does not fit them. */
const RETRY_KEYS_MS = 2000;

interface KnownKeys {
	keys: Promise<Keys>;
	readAt: number;
	/** When they were last read because something did not fit. */
	againAt?: number;
}

/** Each workflow has its own, so that what does not fit at one URL makes no other one wait. */
const knownByCredential = new BoundedMap<KnownKeys>();

/** Reads the keys, or takes those that are known. @param again whether something did not fit them */
function readKeys(caller: IWebhookFunctions, again = false): Promise<Keys> {
	const { id } = caller.getNode().credentials?.voiceAgentCallingApi ?? {};
	const name = JSON.stringify([caller.getInstanceId(), caller.getWorkflow().id, id]);
	const known = knownByCredential.get(name);
	const now = Date.now();
	const isWithin = (time: number | undefined, ms: number) => time !== undefined && Math.abs(now - time) < ms;
	if (id && known !== undefined && (again ? isWithin(known.againAt, RETRY_KEYS_MS) : isWithin(known.readAt, KEPT_MS))) {
		return known.keys;
	}
	const keys = loadKeys(caller);
	knownByCredential.set(name, { keys, readAt: now, againAt: again ? now : known?.againAt });
	keys.catch(() => knownByCredential.delete(name));
	return keys;
}

/** The keys of the node's credential, which may be those of ten seconds ago: so long, a deleted credential counts. */
export async function knownKeys(caller: IWebhookFunctions): Promise<Keys> {
	return await readKeys(caller);
}

/**
 * Tries the keys of the node's credential. What does not fit them is tried again with what the credential has now: its
 * token may have changed.
 *
 * @param attempt returns undefined if something does not fit the keys
 */
export async function tryKeys<Value>(
	caller: IWebhookFunctions,
	attempt: (keys: Keys) => Promise<Value | undefined> | Value | undefined,
): Promise<Value | undefined> {
	const keys = await knownKeys(caller);
	const value = await attempt(keys);
	if (value !== undefined) {
		return value;
	}
	const present = await readKeys(caller, true);
	return present.secrets.equals(keys.secrets) ? undefined : await attempt(present);
}
