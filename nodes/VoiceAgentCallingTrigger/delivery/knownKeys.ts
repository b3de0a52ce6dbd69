import type { IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../shared/lib/boundedMap';
import { type Keys, loadKeys } from '../../shared/nodeLink/keys';

/** How long the keys of a credential are kept in memory: n8n reads its database and decrypts for each look at it. */
const KEPT_MS = 60_000;

/** How often they are read anew because something does not fit them. */
const READ_AGAIN_MS = 2000;

interface Known {
	keys: Promise<Keys>;
	readAt: number;
	/** When they were last read because something did not fit. */
	againAt?: number;
}

/** By workflow, so that what does not fit at one URL makes no other one wait. */
const knownByCredential = new BoundedMap<Known>();

/** @param again whether something did not fit what is known */
function read(caller: IWebhookFunctions, again = false): Promise<Keys> {
	const { id } = caller.getNode().credentials?.voiceAgentCallingApi ?? {};
	const name = JSON.stringify([caller.getInstanceId(), caller.getWorkflow().id, id]);
	const known = knownByCredential.get(name);
	const now = Date.now();
	const isWithin = (time: number | undefined, ms: number) => time !== undefined && Math.abs(now - time) < ms;
	if (id && known !== undefined && (again ? isWithin(known.againAt, READ_AGAIN_MS) : isWithin(known.readAt, KEPT_MS))) {
		return known.keys;
	}
	const keys = loadKeys(caller);
	knownByCredential.set(name, { keys, readAt: now, againAt: again ? now : known?.againAt });
	keys.catch(() => knownByCredential.delete(name));
	return keys;
}

/** The keys of the node's credential, which may be those of a minute ago. */
export async function knownKeys(caller: IWebhookFunctions): Promise<Keys> {
	return await read(caller);
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
	const present = await read(caller, true);
	return present.secrets.equals(keys.secrets) ? undefined : await attempt(present);
}
