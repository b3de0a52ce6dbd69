import { createHash } from 'node:crypto';

import type { IWebhookFunctions } from 'n8n-workflow';

/** How many deliveries a process keeps in mind; the oldest are forgotten first. */
const MOST_REMEMBERED = 10_000;

type State = 'in flight' | 'seen';

/**
 * What this process has received. It has to be the process's memory: what `webhook()` writes to the
 * static data is lost when it starts an execution. So after a crash a delivery can come twice, but
 * none is lost.
 */
const deliveries = new Map<string, State>();

function remember(key: string, state: State): void {
	deliveries.delete(key);
	deliveries.set(key, state);
	if (deliveries.size > MOST_REMEMBERED) {
		const [oldest] = deliveries.keys();
		deliveries.delete(oldest);
	}
}

/**
 * Tells whether a verified delivery is new here, and keeps it in mind: as seen once the sender has got
 * a 2xx, so that one which n8n could not store comes again.
 *
 * A delivery is told by its bytes. What an event's `id` stands for is not published: if it were the
 * call's, all events of a call but the first would be lost.
 *
 * @returns `seen`: it has started the workflow; `in flight`: its twin is being handled right now
 */
export function deliveryOnce(caller: IWebhookFunctions, rawBody: Buffer): State | 'new' {
	const id = createHash('sha256').update(rawBody).digest('base64url');
	// A test run and the published workflow each get their own.
	const key = JSON.stringify([caller.getWorkflow().id, caller.getNode().id, caller.getMode(), id]);
	const state = deliveries.get(key);
	if (state !== undefined) return state;

	remember(key, 'in flight');
	const response = caller.getResponseObject();
	const settle = () => {
		const acknowledged =
			response.writableFinished && response.statusCode >= 200 && response.statusCode < 300;
		if (acknowledged) remember(key, 'seen');
		else if (deliveries.get(key) === 'in flight') deliveries.delete(key);
	};
	// `finish` comes first when the answer went out, `close` always comes.
	response.once('finish', settle);
	response.once('close', settle);
	return 'new';
}
