import { createHash } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { ServiceEvent } from '../../shared/deliveries/event';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { isRecord } from '../../shared/lib/isRecord';
import type { Owner } from '../../shared/nodeLink/owner';

type DeliveryState = 'in flight' | 'seen';

/** How many events are remembered, and how many names each may have. */
const MOST_EVENTS = 10_000;
const MOST_NAMES = 2;

/**
 * What this process has received, by the names of each event. It is kept in memory, because n8n does not store what
 * `webhook()` writes to the static data when it starts an execution. After a crash a delivery can start a second
 * execution, but none is lost.
 */
const stateByName = new BoundedMap<DeliveryState>(MOST_NAMES * MOST_EVENTS);

/** An event as it arrived. */
export interface Arrival {
	event: ServiceEvent;
	/** The event as text. */
	bytes: string | Buffer;
	/** Whether a header says that the ID of the event is its own. */
	isOwnId: boolean;
}

/** How often a value is in an event, at any depth. */
function countIn(value: unknown, wanted: string): number {
	const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
	const isIt = (typeof value === 'string' || typeof value === 'number') && String(value) === wanted;
	return inner.reduce<number>((count, one) => count + countIn(one, wanted), isIt ? 1 : 0);
}

/**
 * Whether the ID of an event can only be its own. Where the service has the ID of the campaign or call in that place, two
 * events can have it.
 */
function hasOwnId({ kind, id, callId, body }: ServiceEvent, { ownerId }: Owner): boolean {
	const isAboutKnown = callId !== undefined || kind.startsWith('campaign.');
	return isAboutKnown && id !== undefined && id !== ownerId && countIn(body, id) === 1;
}

/**
 * What an event is known by. Where its ID is certainly its own, by that, with kind, call and time: something else that
 * has the ID could have several events, and a call is created once. Otherwise by all of its bytes, if they name a time and an object: a payload
 * template can leave these out, and each event of a kind then has the same bytes.
 *
 * If a header says that the ID is the event's own, it is known by that without the time as well. Another one could have
 * changed the header, so that does not replace the other name.
 */
function namesOf({ event, bytes, isOwnId }: Arrival, owner: Owner): string[] {
	const { id, at, callId } = event;
	const kind = event.namesKind ? event.kind : '';
	const isOwn = hasOwnId(event, owner);
	const isDated = at !== undefined && (id !== undefined || callId !== undefined);
	return [
		...(isOwn && isOwnId ? [['id', kind, id, callId]] : []),
		...(isDated
			? [isOwn && !event.isDatedByCreation ? ['event', kind, id, callId, at] : ['bytes', digestOf(bytes)]]
			: []),
	].map((name) => JSON.stringify([owner.source, owner.ownerId, ...name]));
}

/** What many events are remembered by: an event can be large. */
export function digestOf(bytes: string | Buffer): string {
	return createHash('sha256').update(bytes).digest('base64url');
}

/**
 * Finds the authentic events of a delivery that are new, and remembers them. An event counts as seen when the sender has
 * received a 2xx response, so one that n8n could not store is new when it is sent again. One that nothing tells from
 * another is new each time, except while it is in flight.
 *
 * @param node from `Incoming`
 * @param owner whose events they are: two campaigns can have the same
 * @param response to the delivery
 * @returns `in flight` if one of them is being handled now: then the delivery has to come again
 */
export function newEvents(
	node: string,
	owner: Owner,
	response: ReturnType<IWebhookFunctions['getResponseObject']>,
	arrivals: readonly Arrival[],
): IDataObject[] | 'in flight' {
	const fresh: Array<{ keys: string[]; isKnown: boolean; body: IDataObject }> = [];
	const inDelivery = new Set<string>();
	for (const [index, arrival] of arrivals.entries()) {
		const names = namesOf(arrival, owner);
		const isKnown = names.length > 0;
		const keys = (isKnown ? names : [`${index} ${digestOf(arrival.bytes)}`]).map((name) => `${node} ${name}`);
		if (keys.some((key) => stateByName.get(key) === 'in flight')) {
			return 'in flight';
		}
		if (!keys.some((key) => inDelivery.has(key) || stateByName.get(key) === 'seen')) {
			fresh.push({ keys, isKnown, body: arrival.event.body });
		}
		for (const key of keys) {
			inDelivery.add(key);
		}
	}
	const bodies = fresh.map(({ body }) => body);
	// The sender can hang up while its delivery is checked. Then nothing would end the state that is set here.
	if (response.destroyed) {
		return bodies;
	}

	for (const key of fresh.flatMap(({ keys }) => keys)) {
		stateByName.set(key, 'in flight');
	}
	const onResponseClosed = () => {
		const acknowledged = response.writableFinished && response.statusCode >= 200 && response.statusCode < 300;
		for (const [key, isKnown] of fresh.flatMap(({ keys, isKnown }) => keys.map((key) => [key, isKnown] as const))) {
			if (acknowledged && isKnown) {
				stateByName.set(key, 'seen');
			} else if (stateByName.get(key) === 'in flight') {
				stateByName.delete(key);
			}
		}
	};
	// `finish` comes first if the response was sent, `close` always comes.
	response.once('finish', onResponseClosed);
	response.once('close', onResponseClosed);
	return bodies;
}
