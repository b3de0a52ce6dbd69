import { randomBytes } from 'node:crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { attempt } from '../../shared/errors/serviceError';
import type { Source } from '../parameters/settings';

/** The header with the random value, where the node requires one. */
export const KEY_HEADER = 'X-Webhook-Key';

/** How long a key that was replaced is still accepted: what was sent before may be on its way. */
const FORMER_ACCEPTED_MS = 60 * 60_000;

/** Whoever replaces keys without end makes no delivery dearer to check. */
const MOST_FORMER = 8;

const KEY_BYTES = 32;

/** What proves that a delivery is the service's. */
export interface DeliveryKey {
	/** Key of the signatures, in hex. The service never gives it back. */
	secret: string;
	/** Value of {@link KEY_HEADER}, where the webhook has this header. */
	headerValue?: string;
}

/** A key that was replaced. */
export interface FormerKey extends DeliveryKey {
	/** Until when it is accepted, in milliseconds since 1970. Absent: nobody knows whether the service still has it. */
	until?: number;
}

/** What the node's static data holds while a webhook is registered. */
export interface Registered extends DeliveryKey {
	source: Source;
	/** The campaign or the agent. */
	ownerId: string;
	webhookId: string;
	/** Of the settings as registered: the service does not give all of them back. */
	digest: string;
	/** The n8n that registered it. */
	instanceId: string;
	former?: FormerKey[];
	/** The answer to the request that set the key was lost: the service has this one or a former one. */
	unsettled?: true;
}

/** Takes some values away. */
function drop(known: Partial<Registered>, ...names: Array<keyof Registered>): void {
	for (const name of names) {
		delete known[name];
	}
}

/** What the static data holds, whoever wrote it. */
export function stored(caller: IHookFunctions | IWebhookFunctions): Partial<Registered> {
	return caller.getWorkflowStaticData('node') as Partial<Registered>;
}

/**
 * What this n8n has registered. An exported workflow takes its static data along: what another n8n
 * registered stays that one's, or the copy would delete the original's webhook.
 */
export function registered(caller: IHookFunctions | IWebhookFunctions): Partial<Registered> {
	const known = stored(caller);
	if (known.instanceId !== caller.getInstanceId()) {
		drop(known, 'source', 'ownerId', 'webhookId', 'secret', 'headerValue');
		drop(known, 'digest', 'instanceId', 'former', 'unsettled');
	}
	return known;
}

/** Notes that nothing is registered any more. The key is still accepted for a while. */
export function forget(known: Partial<Registered>): void {
	const key = currentKey(known);
	if (key !== undefined) {
		setFormer(known, [key, ...(known.former ?? [])]);
	}
	drop(known, 'source', 'ownerId', 'webhookId', 'secret', 'headerValue', 'digest', 'unsettled');
	settle(known);
}

function currentKey({ secret, headerValue }: Partial<Registered>): DeliveryKey | undefined {
	return secret === undefined ? undefined : { secret, ...(headerValue !== undefined && { headerValue }) };
}

/** The keys that a delivery may be signed with, the present one first. */
export function acceptedKeys(known: Partial<Registered>, now: number): DeliveryKey[] {
	const key = currentKey(known);
	const former = (known.former ?? []).filter(({ until = Infinity }) => until > now);
	return key === undefined ? former : [key, ...former];
}

/** Static data notices a new value, and need not notice a change inside of one. */
function setFormer(known: Partial<Registered>, keys: FormerKey[]): void {
	const kept = keys.filter(({ until = Infinity }) => until > Date.now()).slice(0, MOST_FORMER);
	if (kept.length > 0) {
		known.former = kept;
	} else {
		delete known.former;
	}
}

/** Every key but the present one is accepted for a while, and then no more. */
function settle(known: Partial<Registered>): number {
	const until = Date.now() + FORMER_ACCEPTED_MS;
	if (known.former) {
		setFormer(
			known,
			known.former.map((key) => ({ until, ...key })),
		);
	}
	delete known.unsettled;
	return until;
}

/** Makes a new key the present one. One that the service may have already, since its answer was lost, is used again. */
function renew(known: Partial<Registered>, withHeader: boolean): DeliveryKey {
	const present = currentKey(known);
	const fits = (present?.headerValue !== undefined) === withHeader;
	if (present !== undefined && known.unsettled && fits) {
		return present;
	}
	if (present !== undefined) {
		setFormer(known, [present, ...(known.former ?? [])]);
	}
	known.secret = randomBytes(KEY_BYTES).toString('hex');
	// No hex: it would look like a signature.
	if (withHeader) {
		known.headerValue = randomBytes(KEY_BYTES).toString('base64url');
	} else {
		delete known.headerValue;
	}
	return { secret: known.secret, headerValue: known.headerValue };
}

/**
 * Gives the service a new key. The former one is accepted for an hour from then on, and as long as it takes where the
 * answer is lost and nobody knows which of them the service has.
 *
 * @param give sends the key
 * @returns the answer, and until when the former key is accepted
 * @throws what `give` throws; a key that the service refused counts for nothing
 */
export async function changeKey<Answer>(
	known: Partial<Registered>,
	withHeader: boolean,
	give: (key: DeliveryKey) => Promise<Answer>,
): Promise<{ answer: Answer; until: number }> {
	const { secret, headerValue, former, unsettled } = known;
	const key = renew(known, withHeader);
	known.unsettled = true;
	const { value, error } = await attempt(give(key));
	if (error === undefined) {
		return { answer: value, until: settle(known) };
	}
	if (error.taken === 'no') {
		Object.assign(known, { secret, headerValue, former, unsettled });
	}
	throw error;
}
