import type { IWebhookFunctions } from 'n8n-workflow';

import type { ServiceEvent } from '../../shared/events/event';
import { agentEvents, campaignEvents } from '../../shared/events/eventTypes';
import { BoundedMap } from '../../shared/lib/collections';
import { isRecord } from '../../shared/lib/json';
import { sha256 } from '../../shared/lib/text';
import { endsWithin } from '../../shared/lib/time';
import type { Owner } from '../../shared/owner';

/** An event as a delivery contains it. */
interface Delivered {
	event: ServiceEvent;
	/** The bytes as they were sent; text, if the event is one of several in a list. */
	bytes: string | Buffer;
	/** The IDs that headers give to this delivery or its event. Empty if the delivery has several events. */
	headerIds: readonly string[];
}

/** An event that has arrived, and the names by which a repetition is recognized. */
export interface Arrival {
	event: ServiceEvent;
	/** Two arrivals of one owner that share a name are the same event. */
	names: string[];
	/** Whether the event contains its time and its subject. If not, a different event can have the same bytes. */
	isUnmistakable: boolean;
}

/** Whether the service documents an event type. */
function isDocumented(type: string): boolean {
	return [...campaignEvents, ...agentEvents].some(({ value }) => value === type);
}

/** Counts how often a value is in an event, at any depth. */
function countIn(value: unknown, wanted: string): number {
	const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
	const isIt = (typeof value === 'string' || typeof value === 'number') && String(value) === wanted;
	return inner.reduce<number>((count, one) => count + countIn(one, wanted), isIt ? 1 : 0);
}

/** Whether JavaScript may have rounded a number in an event, at any depth: then two events can have the same text. */
function hasRounded(value: unknown): boolean {
	return typeof value === 'object' && value !== null
		? Object.values(value).some(hasRounded)
		: Number.isInteger(value) && !Number.isSafeInteger(value);
}

/**
 * Finds the names of an event. An event is identified by its bytes, because an ID in its body may be the ID of
 * anything. The one exception is an ID that a header gives to the delivery or event, if it is in the body exactly once:
 * the body is signed, so nobody can change it. Together with the type and the call, such an ID identifies the event.
 *
 * @param owner the owner of the event
 */
export function identify({ event, bytes, headerIds }: Delivered, { ownerId }: Owner): Arrival {
	const { type: named, namesType, id, isDated, callId, body } = event;
	const ownIds = headerIds.filter((one) => one !== ownerId && one !== callId && countIn(body, one) === 1);
	// No signature covers a type that only a header names. So an unknown type does not make another event of the same
	// bytes.
	const type = namesType || isDocumented(named) ? named : '';
	const isAboutCampaign = type.startsWith('campaign.');
	const isAbout = (one: string | undefined) => one !== undefined && one !== ownerId;
	const hasSubject = isAboutCampaign || isAbout(callId) || (isAbout(id) && countIn(body, String(id)) === 1);
	const isExact = typeof bytes !== 'string' || !hasRounded(body);
	return {
		event,
		names: [
			...(isExact ? [JSON.stringify(['bytes', type, sha256(bytes)])] : []),
			...ownIds.map((one) => JSON.stringify(['id', type, callId, one])),
		],
		isUnmistakable: ownIds.length > 0 || (isDated && hasSubject && isExact),
	};
}

/** How many events are remembered, and how many names each may have. */
const MAX_EVENTS = 10_000;
const MAX_NAMES = 2;

/** How long a repeated event waits for the response to the first: less than the service's timeout of 30 seconds. */
const REPEATED_WAITS_MS = 25_000;

/**
 * The events that this process has received, by name: a promise that ends when n8n has ended the response, or `stored`.
 * They are kept in memory, because n8n does not store what `webhook()` writes to the static data when it starts an
 * execution. After a crash a delivery can start a second execution, but no delivery is lost.
 */
const stateByName = new BoundedMap<Promise<void> | 'stored'>(MAX_NAMES * MAX_EVENTS);

/**
 * Finds the new events of an authentic delivery, and remembers them. An event is in flight until n8n has ended the
 * response to it, even if the sender has hung up. A repeated event waits for that. If n8n has stored the first event,
 * the repeated event is known; otherwise it is new. An event that is not unique is always new.
 *
 * @param node from `Incoming`
 * @param owner the owner of the events: events of two campaigns can be equal
 * @param response the response to the delivery
 * @returns `in flight` if an event is handled for longer than its repetition can wait
 */
export async function newEvents(
	node: string,
	owner: Owner,
	response: ReturnType<IWebhookFunctions['getResponseObject']>,
	arrivals: readonly Arrival[],
): Promise<Arrival[] | 'in flight'> {
	const identified = arrivals.map((arrival) => {
		const keys = arrival.names.map((name) => JSON.stringify([node, owner.ownerType, owner.ownerId, name]));
		return { arrival, keys, isUnique: arrival.isUnmistakable };
	});
	const allKeys = identified.flatMap(({ keys }) => keys);
	const inFlight = () => allKeys.map((key) => stateByName.get(key)).filter((state) => state instanceof Promise);
	const until = performance.now() + REPEATED_WAITS_MS;
	for (let ends = inFlight(); ends.length > 0; ends = inFlight()) {
		if (!(await endsWithin(until - performance.now(), Promise.all(ends)))) {
			return 'in flight';
		}
	}

	const inDelivery = new Set<string>();
	const fresh = identified.filter(({ keys, isUnique }) => {
		const isStored = keys.some((key) => stateByName.has(key));
		const isKnown = isStored || keys.some((key) => inDelivery.has(key));
		if (isStored) {
			// Its bytes can differ from before. They identify the event if the header with its ID is missing the next
			// time.
			stateByName.set(keys[0], 'stored');
		}
		for (const key of isUnique ? keys : []) {
			inDelivery.add(key);
		}
		return !isKnown;
	});
	const keys = fresh.flatMap((one) => (one.isUnique ? one.keys : []));
	if (keys.length > 0) {
		remember(keys, whenEnded(response));
	}
	return fresh.map(({ arrival }) => arrival);
}

/** Remembers events while they are in flight, and afterwards if n8n has stored them. */
function remember(keys: readonly string[], whetherStored: Promise<boolean>): void {
	const ended = whetherStored.then((isStored) => {
		for (const key of keys.filter((one) => stateByName.get(one) === ended)) {
			if (isStored) {
				stateByName.set(key, 'stored');
			} else {
				stateByName.delete(key);
			}
		}
	});
	for (const key of keys) {
		stateByName.set(key, ended);
	}
}

/**
 * Waits until n8n has ended a response. If the sender has hung up, the response emits no event then, but n8n still
 * calls `end`; so this wraps the method.
 *
 * @returns whether the status shows that n8n has stored the execution
 */
async function whenEnded(response: ReturnType<IWebhookFunctions['getResponseObject']>): Promise<boolean> {
	return await new Promise((resolve) => {
		const { end } = response;
		response.end = ((...given: Parameters<typeof end>) => {
			resolve(response.statusCode >= 200 && response.statusCode < 300);
			return end.apply(response, given);
		}) as typeof end;
	});
}
