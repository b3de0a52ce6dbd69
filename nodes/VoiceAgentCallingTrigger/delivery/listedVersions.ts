import { sleep } from 'n8n-workflow';

import { connect } from '../../shared/client/transport';
import { type ServiceError, toResult } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/collections';
import { isSameOwner, type Owner } from '../../shared/owner';
import { acceptedVersions, byAddress, isRecent, type ListedWebhook } from '../../shared/triggerSecrets/secretVersions';
import { hasSamePath } from '../../shared/triggerSecrets/triggerUrl';
import { webhooksOf } from '../registration/serviceClient';
import { lastWebhooks } from '../registration/storedState';
import type { Incoming } from './incoming';

/** How old the list may be before it is read again, in milliseconds. */
const FRESH_MS = 60_000;

/** How soon the list is read again if it could not be read, or lacks a version, in milliseconds. */
const REREAD_MS = 10_000;

/**
 * The least time between two readings that expect nothing new. So these readings use a tenth of a rate limit of 100
 * requests a minute, however many campaigns have events.
 */
const BETWEEN_REFRESHES_MS = 6000;

/** How far the list may lag behind the deliveries of the service. */
const LAG_MS = 500;

/** If the first reading took longer, the list is not read again for a delivery: its sender waits for the response. */
const QUICK_MS = 1000;

/** Less than the shortest timeout of the service. */
const TIME_LIMITS = { timeoutSeconds: 4, maxWaitSeconds: 0 };

/** The service's list of the webhooks of an owner. */
interface Listing {
	/** The webhooks that deliver to the trigger. */
	counting: ListedWebhook[];
	others: ListedWebhook[];
	readAt: number;
}

/** What this process knows about the webhooks of an owner. */
interface Known {
	listing?: Listing;
	/** Why the last reading failed. */
	error?: ServiceError;
	triedAt?: number;
	/** When the list was last read for a version that it lacks, by version. */
	soughtAt: Map<number, number>;
	reading?: Promise<void>;
}

/** By node and owner. */
const knownByOwner = new BoundedMap<Known>();

/** When a list was last read without expecting anything new. */
let refreshedAt: number | undefined;

/**
 * When a list was last read for a delivery that fits no known secret. Anybody who knows the URL can send such
 * deliveries.
 */
let misfitAt: number | undefined;

/** Which secrets of an owner are accepted. */
interface Accepted {
	versions: number[];
	/** Why other versions cannot be refused: the list could not be read. */
	error: ServiceError | undefined;
	/** Returns the address of another webhook with a version. */
	addressOf(version: number): string | undefined;
}

/**
 * Finds the accepted versions of an owner's secret.
 *
 * @param version the version that has signed a delivery; undefined if its URL names none
 * @param isMisfit whether no known version fits the delivery
 */
export async function findAcceptedVersions(
	incoming: Incoming,
	owner: Owner,
	version?: number,
	isMisfit = false,
): Promise<Accepted> {
	const name = nameOf(incoming, owner);
	const known = knownByOwner.get(name) ?? { soughtAt: new Map<number, number>() };
	while (!isEnough(known, incoming, owner, version, isMisfit)) {
		if (isMisfit) {
			misfitAt = Date.now();
		} else if (version === undefined || acceptedBy(known, incoming, owner, version).includes(version)) {
			refreshedAt = Date.now();
		}
		knownByOwner.set(name, known);
		known.reading ??= read(known, incoming, owner, version).finally(() => {
			known.reading = undefined;
		});
		await known.reading;
	}
	return {
		versions: acceptedBy(known, incoming, owner, version),
		error: known.error,
		addressOf: (other) => known.listing?.others.find((one) => hasVersion(one, other))?.address,
	};
}

function isWithin(ms: number, time: number | undefined): boolean {
	return time !== undefined && Math.abs(Date.now() - time) < ms;
}

/** Whether the list need not be read now. For an unknown version it is read at once: the webhook can be new. */
function isEnough(
	known: Known,
	incoming: Incoming,
	owner: Owner,
	version: number | undefined,
	isMisfit: boolean,
): boolean {
	const { listing, error, triedAt, soughtAt } = known;
	if (error !== undefined && isWithin(REREAD_MS, triedAt)) {
		return true;
	}
	if (isMisfit) {
		return isWithin(REREAD_MS, misfitAt);
	}
	const isFresh = isWithin(FRESH_MS, listing?.readAt) || isWithin(BETWEEN_REFRESHES_MS, refreshedAt);
	if (version === undefined) {
		return listing !== undefined && isFresh;
	}
	const isKnown = acceptedBy(known, incoming, owner, version).includes(version);
	return isKnown ? isFresh : isWithin(REREAD_MS, soughtAt.get(version));
}

function nameOf({ node }: Incoming, { ownerType, ownerId }: Owner): string {
	return JSON.stringify([node, ownerType, ownerId]);
}

/**
 * Returns the accepted versions. The last list counts for an hour, because versions that were replaced since are
 * accepted for an hour anyway. The stored versions that the trigger has made within the last hour count while the list
 * cannot be read. Older stored versions prove nothing, so it does not matter who has copied or restored them. If the
 * service drops the queries of the URLs, the list names no version, and the stored versions are used.
 *
 * @param version accepted also if two changes at the same moment have replaced it without naming it
 */
function acceptedBy({ listing, error }: Known, { caller }: Incoming, owner: Owner, version?: number): number[] {
	const now = Date.now();
	const { counting, others } = listing && isRecent(listing.readAt, now) ? listing : { counting: [], others: [] };
	const named = counting.flatMap(({ versions }) => versions ?? []);
	const namesNone = counting.length > 0 && named.length === 0;
	const stored = (namesNone || error !== undefined ? lastWebhooks(caller) : []).filter(
		(one) => isSameOwner(one, owner) && (namesNone || isRecent(one.current, now)),
	);
	const lost = (version === undefined ? [] : [version]).filter(
		(one) => isRecent(one, now) && named.some(({ current }) => current > one),
	);
	// A version of another webhook was not replaced: its deliveries do not end after an hour.
	const isElsewhere = (one: number) =>
		others.some(({ versions }) => versions?.current === one) && !named.some(({ current }) => current === one);
	return [...[...named, ...stored].flatMap((one) => acceptedVersions(one, now)), ...lost].filter(
		(one) => !isElsewhere(one),
	);
}

function hasVersion({ versions }: ListedWebhook, version: number): boolean {
	return versions?.current === version || versions?.previous.includes(version) === true;
}

async function read(known: Known, incoming: Incoming, owner: Owner, version: number | undefined): Promise<void> {
	const begunAt = Date.now();
	let { value, error } = await toResult(readListing(incoming, owner));
	if (
		value &&
		isWithin(QUICK_MS, begunAt) &&
		version !== undefined &&
		![...value.counting, ...value.others].some((one) => hasVersion(one, version))
	) {
		await sleep(LAG_MS);
		({ value, error } = await toResult(readListing(incoming, owner)));
	}
	known.listing = value ?? known.listing;
	known.error = error;
	known.triedAt = Date.now();
	if (version !== undefined) {
		const recent = [...known.soughtAt].filter(([, at]) => isWithin(REREAD_MS, at));
		known.soughtAt = new Map(recent).set(version, known.triedAt);
	}
}

/**
 * Reads the list. The webhooks at the URL of the trigger count. Without any, the webhooks with its path at another
 * address count: n8n may have been there before it moved. They cannot be distinguished from a relay that keeps the
 * path.
 *
 * @throws ServiceError
 */
async function readListing({ caller, url, isTest }: Incoming, owner: Owner): Promise<Listing> {
	const client = { caller, connection: await connect(caller), ...TIME_LIMITS };
	const { own, samePath, others } = byAddress(await webhooksOf(client, owner), url);
	const all = [...own, ...samePath, ...others];
	// In a test run, only the path of the URL is known.
	const counting = isTest ? all.filter(({ address }) => hasSamePath(address, url)) : own.length > 0 ? own : samePath;
	return { counting, others: all.filter((one) => !counting.includes(one)), readAt: Date.now() };
}
