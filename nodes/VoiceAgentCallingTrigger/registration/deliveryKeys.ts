import { createHmac, randomBytes } from 'node:crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import type { Owner } from '../../shared/nodeLink/owner';

/** How long a replaced key is still accepted: deliveries signed with it may be in flight. */
const FORMER_ACCEPTED_MS = 60 * 60_000;

/** Caps the keys checked per delivery. */
const MAX_FORMER = 8;

const KEY_BYTES = 32;

/** How many keys after the stored one are accepted. */
const MAX_SUCCESSORS = 2;

/** What the service proves its deliveries with: that of the trigger, from which {@link keyFor} derives each webhook's. */
export interface DeliveryKey {
	/** In hex. That of the trigger stays in n8n; that of a webhook signs, and the service never returns it. */
	secret: string;
}

/** A replaced key. */
interface FormerKey extends DeliveryKey {
	/** Until when it is accepted, in milliseconds since 1970. Absent: it is unknown if the service still uses it. */
	until?: number;
}

/** A webhook that the trigger has registered. */
export interface OwnWebhook extends Owner {
	webhookId: string;
	/** Hash of the registered settings: the service does not return all of them. */
	digest: string;
}

/** What the node's static data holds while webhooks are registered. */
export interface Registration extends DeliveryKey {
	/** Those of the chosen campaigns or agents. */
	webhooks: OwnWebhook[];
	/** The owners whose connections were taken down: a hint for restoring them, and no more. */
	connected?: readonly Owner[];
	/** ID of the n8n that registered the webhook. */
	instanceId: string;
	/** ID of the workflow that registered it. */
	workflowId: string;
	former?: FormerKey[];
	/** The response to the request that set the key was lost: the service has this key or a former one. */
	unsettled?: true;
}

function deleteKeys(registration: Partial<Registration>, ...keys: Array<keyof Registration>): void {
	for (const key of keys) {
		delete registration[key];
	}
}

/** The node's static data, also if another n8n has written it. */
export function staticData(caller: IHookFunctions | IWebhookFunctions): Partial<Registration> {
	return caller.getWorkflowStaticData('node') as Partial<Registration>;
}

/**
 * What this workflow has registered. An exported workflow contains its static data: a registration of another n8n or
 * another workflow is discarded, because the copy would take over or delete the original's webhook.
 */
export function ownRegistration(caller: IHookFunctions | IWebhookFunctions): Partial<Registration> {
	const registration = staticData(caller);
	const isOwn =
		registration.instanceId === caller.getInstanceId() && registration.workflowId === (caller.getWorkflow().id ?? '');
	if (!isOwn) {
		deleteKeys(registration, 'webhooks', 'secret', 'instanceId', 'workflowId', 'former', 'unsettled', 'connected');
	}
	return registration;
}

/** The stored webhooks; none if something else has written the static data. */
export function storedWebhooks({ webhooks }: Partial<Registration>): OwnWebhook[] {
	return Array.isArray(webhooks) ? webhooks : [];
}

/** Clears a registration whose webhooks are deleted. Its key is still accepted for an hour. */
export function clearRegistration(registration: Partial<Registration>): void {
	const key = currentKey(registration);
	if (key !== undefined) {
		setFormer(registration, [key, ...(registration.former ?? [])]);
	}
	deleteKeys(registration, 'webhooks', 'secret', 'unsettled');
	settle(registration);
}

/** The key that the webhooks have, unless another node has written an older one back. */
export function currentKey({ secret }: Partial<Registration>): DeliveryKey | undefined {
	return secret === undefined ? undefined : { secret };
}

/**
 * The key of the webhook of one owner. So a delivery proves whose event it is: with the name of another owner in its URL
 * it would have another signature. And no stored list is needed to accept one.
 *
 * @param key of the trigger
 */
export function keyFor({ secret }: DeliveryKey, { source, ownerId }: Owner): DeliveryKey {
	return { secret: createHmac('sha256', secret).update(`${source} ${ownerId}`).digest('hex') };
}

/** The keys of the trigger that a delivery may be derived from, the current one first. @param now in milliseconds since 1970 */
export function acceptedKeys(registration: Partial<Registration>, now: number): DeliveryKey[] {
	const key = currentKey(registration);
	const former = (registration.former ?? []).filter(({ until = Infinity }) => until > now);
	return key === undefined ? former : [key, ...former];
}

/** The newest stored key, also if it is no longer accepted. */
function newestKey(registration: Partial<Registration>): DeliveryKey | undefined {
	return currentKey(registration) ?? registration.former?.[0];
}

/**
 * The secret that follows a secret. Without the chain's key it is as random as the first one, so that an old secret
 * that became known says nothing about the present one.
 */
function secretAfter(chain: Buffer, secret: string): string {
	return createHmac('sha256', chain).update(secret).digest('hex');
}

/**
 * The keys that follow the newest stored one. The service can have one of them: n8n stores the static data of all nodes
 * of a workflow as one object, so an execution that began before a change of the key can write the older one back, and
 * n8n can be killed before it has stored a new key.
 *
 * @param chain from `loadKeys`
 */
export function successors(registration: Partial<Registration>, chain: Buffer): DeliveryKey[] {
	const keys: DeliveryKey[] = [];
	for (let { secret } = newestKey(registration) ?? {}; secret !== undefined && keys.length < MAX_SUCCESSORS; ) {
		secret = secretAfter(chain, secret);
		keys.push({ secret });
	}
	return keys;
}

/** Stores a key that the service uses, one of the {@link successors}. The older ones are accepted for another hour. */
export function adoptKey(registration: Partial<Registration>, key: DeliveryKey): void {
	storeKey(registration, key);
	settle(registration);
}

/** Replaces the current key, which becomes a former one. */
function storeKey(registration: Partial<Registration>, { secret }: DeliveryKey): void {
	const current = currentKey(registration);
	if (current !== undefined) {
		setFormer(registration, [current, ...(registration.former ?? [])]);
	}
	registration.secret = secret;
}

/** Replaces the array: n8n notices when a property of the static data is set, but not a change inside its value. */
function setFormer(registration: Partial<Registration>, keys: FormerKey[]): void {
	const accepted = keys.filter(({ until = Infinity }) => until > Date.now()).slice(0, MAX_FORMER);
	if (accepted.length > 0) {
		registration.former = accepted;
	} else {
		delete registration.former;
	}
}

/** Lets all former keys expire in an hour. @returns when, in milliseconds since 1970 */
function settle(registration: Partial<Registration>): number {
	const until = Date.now() + FORMER_ACCEPTED_MS;
	if (registration.former) {
		setFormer(
			registration,
			registration.former.map((key) => ({ until, ...key })),
		);
	}
	delete registration.unsettled;
	return until;
}

/** Sets the next key, or keeps the current one if the service may have it already because its response was lost. */
function renew(registration: Partial<Registration>, chain: Buffer): DeliveryKey {
	const current = currentKey(registration);
	if (current !== undefined && registration.unsettled) {
		return current;
	}
	const newest = newestKey(registration);
	const key = { secret: newest ? secretAfter(chain, newest.secret) : randomBytes(KEY_BYTES).toString('hex') };
	storeKey(registration, key);
	return key;
}

/**
 * Gives the service a new key. The former one is accepted for another hour. If a response is lost, or only some of the
 * webhooks have got the key, both are accepted until a later change succeeds.
 *
 * @param chain from `loadKeys`
 * @param send sends the key to the service, derived for each webhook; calls `taken` when one has it
 * @returns what `send` returns, and until when the former key is accepted, in milliseconds since 1970
 * @throws what `send` throws; the registration is as before if the service refused the first key
 */
export async function changeKey<Result>(
	registration: Partial<Registration>,
	chain: Buffer,
	send: (key: DeliveryKey, taken: () => void) => Promise<Result>,
): Promise<{ result: Result; until: number }> {
	const { secret, former, unsettled } = registration;
	const key = renew(registration, chain);
	registration.unsettled = true;
	let isTaken = false;
	const taken = () => {
		isTaken = true;
	};
	const { value, error } = await toResult(send(key, taken));
	if (error === undefined) {
		return { result: value, until: settle(registration) };
	}
	if (error.accepted === 'no' && !isTaken) {
		Object.assign(registration, { secret, former, unsettled });
	}
	throw error;
}
