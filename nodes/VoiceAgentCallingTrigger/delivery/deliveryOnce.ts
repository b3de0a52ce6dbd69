import type { IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../shared/lib/collections';
import { endsWithin } from '../../shared/lib/time';
import type { Owner } from '../../shared/owner';
import type { Arrival } from './identity';

/** How many events are remembered, and how many names each may have. */
const MOST_EVENTS = 10_000;
const MOST_NAMES = 2;

/** How long a repeated event waits for the first one's response: less than the 30 seconds of the service's time-out. */
const REPEATED_WAITS_MS = 25_000;

/**
 * What this process has received, by the names of each event: a promise that ends when n8n has ended the response, or
 * `stored`. It is kept in memory, because n8n does not store what `webhook()` writes to the static data when it starts an
 * execution. After a crash a delivery can start a second execution, but none is lost.
 */
const stateByName = new BoundedMap<Promise<void> | 'stored'>(MOST_NAMES * MOST_EVENTS);

/**
 * Finds the authentic events of a delivery that are new, and remembers them. An event is in flight until n8n has ended the
 * response to it, whether or not its sender still listens. A repeated event waits for that. If n8n has stored the first
 * one, the repeated one is known; if not, it is new. An event that nothing tells from another is always new.
 *
 * @param node from `Incoming`
 * @param owner whose events they are: two campaigns can have the same
 * @param response to the delivery
 * @returns `in flight` if one of them is being handled for longer than a repeated one can wait
 */
export async function newEvents(
	node: string,
	owner: Owner,
	response: ReturnType<IWebhookFunctions['getResponseObject']>,
	arrivals: readonly Arrival[],
): Promise<Arrival[] | 'in flight'> {
	const identified = arrivals.map((arrival) => {
		const keys = arrival.names.map((name) => JSON.stringify([node, owner.ownerType, owner.ownerId, name]));
		return { arrival, keys, isUnmistakable: arrival.isUnmistakable };
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
	const fresh = identified.filter(({ keys, isUnmistakable }) => {
		const isStored = keys.some((key) => stateByName.has(key));
		const isKnown = isStored || keys.some((key) => inDelivery.has(key));
		if (isStored) {
			// Its bytes can be others than before. Without the header that has told its ID, they tell it, too.
			stateByName.set(keys[0], 'stored');
		}
		for (const key of isUnmistakable ? keys : []) {
			inDelivery.add(key);
		}
		return !isKnown;
	});
	const keys = fresh.flatMap((one) => (one.isUnmistakable ? one.keys : []));
	if (keys.length > 0) {
		remember(keys, whenEnded(response));
	}
	return fresh.map(({ arrival }) => arrival);
}

/** Keeps events in flight until their response is ended, and then for good if n8n has stored them. */
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
 * Waits until n8n has ended a response. If the sender has hung up, no event of the response tells that: n8n ends it all
 * the same, so the method is watched.
 *
 * @returns whether the response says that n8n has stored the execution
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
