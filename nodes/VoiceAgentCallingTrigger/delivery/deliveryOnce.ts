import { createHash } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../shared/lib/boundedMap';
import type { Owner } from '../../shared/nodeLink/owner';

type DeliveryState = 'in flight' | 'seen';

/**
 * What this process has received. It is kept in memory, because n8n does not store what `webhook()` writes to the
 * static data when it starts an execution. After a crash a delivery can start a second execution, but none is lost.
 */
const stateByDelivery = new BoundedMap<DeliveryState>();

/**
 * Whether the same bytes are the same event: they name a time and an object. The service does not publish what an event
 * has, and a payload template that somebody gave the webhook can leave these out: each event of a kind would then have
 * the same bytes.
 */
function isUnmistakable({ id, call_id: callId, timestamp }: IDataObject): boolean {
	const isGiven = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && value !== '');
	return isGiven(timestamp) && (isGiven(id) || isGiven(callId));
}

/**
 * Checks if an authentic event is new, and remembers it. It counts as seen when the sender has received a 2xx response,
 * so an event that n8n could not store is new when it is sent again.
 *
 * Events are told apart by all of their bytes, which are the same at each attempt: the service does not publish what
 * their `id` identifies, and where it is the ID of a campaign, two calls can end in the same second. So two bodies are
 * never one event. A body without a time or an ID is new each time, except while it is in flight.
 *
 * @param node from `Incoming`
 * @param owner whose event it is: two campaigns can have the same bytes
 * @param response to the delivery
 * @returns `seen` if it has started the workflow, `in flight` if the same event is being handled now
 */
export function deliveryOnce(
	node: string,
	{ source, ownerId }: Owner,
	response: ReturnType<IWebhookFunctions['getResponseObject']>,
	event: IDataObject,
	rawBody: Buffer,
): DeliveryState | 'new' {
	const key = JSON.stringify([node, source, ownerId, createHash('sha256').update(rawBody).digest('base64url')]);
	const state = stateByDelivery.get(key);
	if (state !== undefined) {
		return state;
	}
	// The sender can hang up while its delivery is checked. Then nothing would end the state that is set here.
	if (response.destroyed) {
		return 'new';
	}

	stateByDelivery.set(key, 'in flight');
	const onResponseClosed = () => {
		const acknowledged = response.writableFinished && response.statusCode >= 200 && response.statusCode < 300;
		if (acknowledged && isUnmistakable(event)) {
			stateByDelivery.set(key, 'seen');
		} else if (stateByDelivery.get(key) === 'in flight') {
			stateByDelivery.delete(key);
		}
	};
	// `finish` comes first if the response was sent, `close` always comes.
	response.once('finish', onResponseClosed);
	response.once('close', onResponseClosed);
	return 'new';
}
