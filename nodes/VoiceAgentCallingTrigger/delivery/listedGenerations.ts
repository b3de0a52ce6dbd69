import { connect } from '../../shared/client/transport';
import { toResult } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { FORMER_ACCEPTED_MS, isCurrent, isRecent } from '../../shared/nodeLink/generations';
import { type Generations, namedInUrl, type Owner } from '../../shared/nodeLink/owner';
import { isSameAddress, isSameTrigger } from '../../shared/nodeLink/triggerUrl';
import { webhooksOf } from '../registration/serviceClient';
import type { Incoming } from './incoming';

/** How often the list is read again because something is not in it, or could not be read, in milliseconds. */
const REREAD_LIST_MS = 60_000;

/** Less than the shortest time that the service waits for a response. */
const PATIENCE = { timeoutSeconds: 4, patienceSeconds: 0 };

interface GenerationList {
	/** The generations of each webhook; undefined as long as no list could be read that names any. */
	webhooks?: Generations[];
	/** When these were read, in milliseconds since 1970. */
	readAt?: number;
	/** When the node last tried to read them. */
	triedAt: number;
}

/** What the service's list said last: each node has one for each owner. */
const listByOwner = new BoundedMap<Promise<GenerationList>>();

/**
 * Reads the generations of the webhooks of an owner that deliver to the trigger. If there are none, those of webhooks
 * with its path at another address: before n8n moved, it was there.
 *
 * @returns undefined if their URLs name none: the service has dropped the query, or does not show it
 * @throws ServiceError
 */
async function readGenerations({ caller, url }: Incoming, owner: Owner): Promise<Generations[] | undefined> {
	const client = { caller, connection: await connect(caller), ...PATIENCE };
	const addresses = (await webhooksOf(client, owner)).map(({ webhook_url: address }) => String(address));
	const own = addresses.filter((address) => isSameAddress(address, url));
	const ofTrigger = own.length > 0 ? own : addresses.filter((address) => isSameTrigger(address, url));
	const named = ofTrigger.flatMap((address) => namedInUrl(address).generations ?? []);
	return ofTrigger.length > 0 && named.length === 0 ? undefined : named;
}

/**
 * Reads which generations the webhooks of an owner have by the service's list.
 *
 * @param maxAgeMs how old what is known may be
 * @returns what was known before, if the list cannot be read
 */
async function readListed(incoming: Incoming, owner: Owner, maxAgeMs: number): Promise<GenerationList> {
	const name = JSON.stringify([incoming.node, owner.source, owner.ownerId]);
	const latest = listByOwner.get(name);
	const known = await latest;
	if (listByOwner.get(name) !== latest) {
		// Meanwhile, another delivery has begun to read it.
		return await readListed(incoming, owner, maxAgeMs);
	}
	if (
		known !== undefined &&
		Math.abs(Date.now() - known.triedAt) < (known.webhooks === undefined ? REREAD_LIST_MS : maxAgeMs)
	) {
		return known;
	}
	const reading = toResult(readGenerations(incoming, owner)).then(({ value, error }) => {
		if (error !== undefined) {
			incoming.caller.logger.warn(
				`"${incoming.name}" could not read which signing secrets were replaced: ${error.message}`,
			);
		}
		const triedAt = Date.now();
		return value === undefined ? { ...known, triedAt } : { webhooks: value, readAt: triedAt, triedAt };
	});
	listByOwner.set(name, reading);
	return await reading;
}

/**
 * Asks the service's list whether a secret that signed a delivery was replaced more than an hour ago, or its webhook
 * deleted. What is younger than an hour cannot have been. Where the list was never readable, or does not say which
 * secrets are in use, nothing is known to be replaced: the event counts.
 */
export async function askWhetherReplaced(incoming: Incoming, owner: Owner, generation: number): Promise<boolean> {
	const now = Date.now();
	if (isRecent(generation, now)) {
		return false;
	}
	let list: GenerationList | undefined;
	for (const maxAgeMs of [FORMER_ACCEPTED_MS, REREAD_LIST_MS]) {
		list = await readListed(incoming, owner, maxAgeMs);
		if (list.webhooks === undefined || list.webhooks.some((one) => isCurrent(one, generation, now))) {
			return false;
		}
	}
	const { webhooks = [], readAt = now } = list ?? {};
	// A secret made well before the list was read, and not in it, was replaced, or belongs to a copy of this n8n. A newer
	// one may not be listed yet.
	const isOlderThanList = readAt - generation > FORMER_ACCEPTED_MS;
	return isOlderThanList || webhooks.length === 0 || webhooks.some(({ current }) => current > generation);
}

/** The generations that are accepted by the service's list; undefined if it cannot be read, or does not say. */
export async function acceptedGenerations(incoming: Incoming, owner: Owner): Promise<number[] | undefined> {
	const { webhooks } = await readListed(incoming, owner, REREAD_LIST_MS);
	const now = Date.now();
	return webhooks?.flatMap((one) =>
		[one.current, ...one.formers].filter((generation) => isCurrent(one, generation, now)),
	);
}
