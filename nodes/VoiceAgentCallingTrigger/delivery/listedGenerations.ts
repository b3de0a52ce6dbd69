import { toResult } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { FORMER_ACCEPTED_MS, isCurrent, isRecent } from '../../shared/nodeLink/generations';
import { type Generations, namedInUrl, type Owner } from '../../shared/nodeLink/owner';
import { isSameAddress, isSameTrigger } from '../../shared/nodeLink/triggerUrl';
import { connect } from '../../shared/service/transport';
import { webhooksOf } from '../registration/serviceClient';
import type { Incoming } from './incoming';

/** How often the list is read again because something is not in it, or could not be read, in milliseconds. */
const REREAD_LIST_MS = 60_000;

/** Less than the shortest time that the service waits for a response. */
const PATIENCE = { timeoutSeconds: 4, patienceSeconds: 0 };

interface GenerationList {
	/** The generations of each webhook; undefined if the list could never be read. */
	webhooks: Generations[] | undefined;
	/** When it was read, or last tried to be, in milliseconds since 1970. */
	readAt: number;
}

/** What the service's list said last: each node has one for each owner. */
const listByOwner = new BoundedMap<Promise<GenerationList>>();

/**
 * Reads the generations of the webhooks of an owner that deliver to the trigger. If there are none, those of webhooks
 * with its path at another address: before n8n moved, it was there. @throws ServiceError
 */
async function readGenerations({ caller, url }: Incoming, owner: Owner): Promise<Generations[]> {
	const client = { caller, connection: await connect(caller), ...PATIENCE };
	const addresses = (await webhooksOf(client, owner)).map(({ webhook_url: address }) => String(address));
	const own = addresses.filter((address) => isSameAddress(address, url));
	const ofTrigger = own.length > 0 ? own : addresses.filter((address) => isSameTrigger(address, url));
	return ofTrigger.flatMap((address) => namedInUrl(address).generations ?? []);
}

/**
 * Reads which generations the webhooks of an owner have by the service's list.
 *
 * @param maxAgeMs how old what is known may be
 * @returns what was known before, if the list cannot be read; undefined if nothing is known
 */
async function readListed(incoming: Incoming, owner: Owner, maxAgeMs: number): Promise<Generations[] | undefined> {
	const name = JSON.stringify([incoming.node, owner.source, owner.ownerId]);
	const latest = listByOwner.get(name);
	const known = await latest;
	if (listByOwner.get(name) !== latest) {
		// Meanwhile, another delivery has begun to read it.
		return await readListed(incoming, owner, maxAgeMs);
	}
	const age = known === undefined ? Number.POSITIVE_INFINITY : Math.abs(Date.now() - known.readAt);
	if (age < (known?.webhooks === undefined ? REREAD_LIST_MS : maxAgeMs)) {
		return known?.webhooks;
	}
	const reading = toResult(readGenerations(incoming, owner)).then(({ value, error }) => {
		if (error !== undefined) {
			incoming.caller.logger.warn(
				`"${incoming.name}" could not read which signing secrets were replaced: ${error.message}`,
			);
		}
		return { webhooks: value ?? known?.webhooks, readAt: Date.now() };
	});
	listByOwner.set(name, reading);
	return (await reading).webhooks;
}

/**
 * Asks the service's list whether a secret that signed a delivery was replaced more than an hour ago, or its webhook
 * deleted. What is younger than an hour cannot have been. Where the list was never readable, nothing is known to
 * be replaced: the event counts.
 */
export async function askWhetherReplaced(incoming: Incoming, owner: Owner, generation: number): Promise<boolean> {
	const now = Date.now();
	if (isRecent(generation, now)) {
		return false;
	}
	for (const maxAgeMs of [FORMER_ACCEPTED_MS, REREAD_LIST_MS]) {
		const webhooks = await readListed(incoming, owner, maxAgeMs);
		if (webhooks === undefined || webhooks.some((one) => isCurrent(one, generation, now))) {
			return false;
		}
	}
	// What is newer than all that the list had last cannot be replaced: since then, the list could not be read.
	const latest = (await readListed(incoming, owner, FORMER_ACCEPTED_MS)) ?? [];
	return latest.length === 0 || latest.some(({ current }) => current > generation);
}

/** The generations that are accepted by the service's list; none if it cannot be read, or names none. */
export async function acceptedGenerations(incoming: Incoming, owner: Owner): Promise<number[]> {
	const webhooks = (await readListed(incoming, owner, REREAD_LIST_MS)) ?? [];
	const now = Date.now();
	return webhooks.flatMap((one) =>
		[one.current, ...one.formers].filter((generation) => isCurrent(one, generation, now)),
	);
}
