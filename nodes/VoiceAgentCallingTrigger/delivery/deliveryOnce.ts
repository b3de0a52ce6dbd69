import { createHash } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../../shared/lib/boundedMap';

type DeliveryState = 'in flight' | 'seen';

/**
 * What this process has received. It is kept in memory, because n8n does not store what `webhook()` writes to the
 * static data when it starts an execution. After a crash a delivery can start a second execution, but none is lost.
 */
const deliveries = new BoundedMap<DeliveryState>();

/**
 * Identifies an event by type, `id` and `timestamp`, otherwise by a hash of the body. The service does not publish what
 * `id` identifies: if another field has the same value, it is the ID of a call or another object, which several events
 * can share, so the hash is used.
 */
export function identityOf(event: IDataObject, rawBody: Buffer): string[] {
	const { event: kind, id, timestamp, ...others } = event;
	const identity = [kind, id, timestamp].filter((part) => typeof part === 'string' && part !== '') as string[];
	if (identity.length === 3 && !Object.values(others).includes(id)) {
		return identity;
	}
	return [createHash('sha256').update(rawBody).digest('base64url')];
}

/**
 * Checks if an authentic event is new, and remembers it. It counts as seen when the sender has received a 2xx response,
 * so an event that n8n could not store is new when it is sent again.
 *
 * @param node from `nodeKey`
 * @param response to the delivery
 * @returns `seen` if it has started the workflow, `in flight` if the same event is being handled now
 */
export function deliveryOnce(
	node: string,
	response: ReturnType<IWebhookFunctions['getResponseObject']>,
	event: IDataObject,
	rawBody: Buffer,
): DeliveryState | 'new' {
	const key = JSON.stringify([node, ...identityOf(event, rawBody)]);
	const state = deliveries.get(key);
	if (state !== undefined) {
		return state;
	}

	deliveries.set(key, 'in flight');
	const settle = () => {
		const acknowledged = response.writableFinished && response.statusCode >= 200 && response.statusCode < 300;
		if (acknowledged) {
			deliveries.set(key, 'seen');
		} else if (deliveries.get(key) === 'in flight') {
			deliveries.delete(key);
		}
	};
	// `finish` comes first if the response was sent, `close` always comes.
	response.once('finish', settle);
	response.once('close', settle);
	return 'new';
}
