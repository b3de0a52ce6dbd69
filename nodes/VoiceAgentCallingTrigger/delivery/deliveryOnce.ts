import { createHash } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { Memory } from '../../shared/lib/boundedMap';
import { placeOf } from '../registration/nodeKey';

type State = 'in flight' | 'seen';

/**
 * What this process has received. It has to be the process's memory: what `webhook()` writes to the
 * static data is lost when it starts an execution. So after a crash a delivery can come twice, but
 * none is lost.
 */
const deliveries = new Memory<State>();

/**
 * What an event is told by: its kind, `id` and moment. What `id` stands for is not published, and alone it might be
 * the same for several events; where it is the ID of something else that the event names, a call above all, the event
 * is told by its bytes, like one that lacks any of the three.
 */
export function identityOf(event: IDataObject, rawBody: Buffer): string[] {
	const { event: kind, id, timestamp, ...others } = event;
	const named = [kind, id, timestamp].filter((part) => typeof part === 'string' && part !== '') as string[];
	if (named.length === 3 && !Object.values(others).includes(id)) {
		return named;
	}
	return [createHash('sha256').update(rawBody).digest('base64url')];
}

/**
 * Tells whether a verified event is new here, and keeps it in mind: as seen once the sender has got
 * a 2xx, so that one which n8n could not store comes again.
 *
 * @returns `seen`: it has started the workflow; `in flight`: its twin is being handled right now
 */
export function deliveryOnce(caller: IWebhookFunctions, event: IDataObject, rawBody: Buffer): State | 'new' {
	// A test run and the published workflow each get their own.
	const key = JSON.stringify([placeOf(caller), ...identityOf(event, rawBody)]);
	const state = deliveries.get(key);
	if (state !== undefined) {
		return state;
	}

	deliveries.set(key, 'in flight');
	const response = caller.getResponseObject();
	const settle = () => {
		const acknowledged = response.writableFinished && response.statusCode >= 200 && response.statusCode < 300;
		if (acknowledged) {
			deliveries.set(key, 'seen');
		} else if (deliveries.get(key) === 'in flight') {
			deliveries.delete(key);
		}
	};
	// `finish` comes first when the answer went out, `close` always comes.
	response.once('finish', settle);
	response.once('close', settle);
	return 'new';
}
