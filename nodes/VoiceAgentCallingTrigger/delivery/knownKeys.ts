import type { IWebhookFunctions } from 'n8n-workflow';

import { type Keys, loadKeys } from '../../shared/keys';
import { BoundedMap } from '../../shared/lib/collections';

/** How long the keys of a credential are kept in memory: n8n reads its database and decrypts at each access. */
const KEPT_MS = 10_000;

/** The least time between two readings because a request did not fit the keys. */
const REREAD_MS = 2000;

interface KnownKeys {
	keys: Promise<Keys>;
	readAt: number;
	/** When they were last read because a request did not fit. */
	rereadAt?: number;
}

/** The keys by credential and workflow, so that misfits at one URL do not slow down the others. */
const knownByCredential = new BoundedMap<KnownKeys>();

/** Returns the known keys, or reads them. @param again whether a request did not fit the known keys */
function readKeys(caller: IWebhookFunctions, again = false): Promise<Keys> {
	const { id } = caller.getNode().credentials?.voiceAgentCallingApi ?? {};
	const name = JSON.stringify([caller.getInstanceId(), caller.getWorkflow().id, id]);
	const known = knownByCredential.get(name);
	const now = Date.now();
	const isWithin = (time: number | undefined, ms: number) => time !== undefined && Math.abs(now - time) < ms;
	if (id && known !== undefined && (again ? isWithin(known.rereadAt, REREAD_MS) : isWithin(known.readAt, KEPT_MS))) {
		return known.keys;
	}
	const keys = loadKeys(caller);
	knownByCredential.set(name, { keys, readAt: now, rereadAt: again ? now : known?.rereadAt });
	keys.catch(() => knownByCredential.delete(name));
	return keys;
}

/** Returns the keys of the node's credential. They may be ten seconds old: a deleted credential still works so long. */
export async function knownKeys(caller: IWebhookFunctions): Promise<Keys> {
	return await readKeys(caller);
}

/**
 * Tries the known keys of the node's credential. If they do not fit, tries the keys that the credential has now: its
 * token may have changed.
 *
 * @param attempt returns undefined if the keys do not fit
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
