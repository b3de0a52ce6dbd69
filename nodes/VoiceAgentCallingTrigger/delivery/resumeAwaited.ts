import { type IWebhookFunctions, sleep } from 'n8n-workflow';

import type { ServiceEvent } from '../../shared/deliveries/event';
import { toResult } from '../../shared/errors/serviceError';
import { BoundedMap } from '../../shared/lib/boundedMap';
import { isRecord } from '../../shared/lib/isRecord';
import { isSettled } from '../../shared/nodeLink/answersOfN8n';
import { type Reply, sendMessage } from '../../shared/nodeLink/messages';
import { resumesHere } from '../../shared/nodeLink/ownAddress';
import { unseal } from '../../shared/nodeLink/ticket';
import { digestOf } from './deliveryOnce';
import { knownKeys } from './knownKeys';

/** The pauses between tries, in milliseconds. Their sum is less than five seconds, the service's shortest timeout. */
const PAUSES_MS = [250, 500, 1000, 2000];

/** The events that were handed over, by ticket, kind, call and time: a campaign's call has an event for each try. */
const handedOver = new BoundedMap<true>();

/** The result of handing an event over to a waiting execution. An event that is not awaited starts the workflow. */
export type Resumption = 'not awaited' | 'resumed' | 'try again';

/**
 * Hands an event of a call over to the execution that waits for it. It is sent only to the URL of a ticket that
 * was sealed with this node's credential, and only on this n8n.
 *
 * @param event authentic
 * @returns `not awaited` also if the execution no longer waits, or waits for another call; `try again` if it cannot be
 * reached now, or is not waiting yet
 */
export async function resumeAwaited(
	caller: IWebhookFunctions,
	{ kind, namesKind, callId, at, tickets, body: event }: ServiceEvent,
): Promise<Resumption> {
	if (tickets.length === 0) {
		return 'not awaited';
	}
	// Another trigger in this process may have handed the event over before.
	// Without a time, two events of a kind differ in what they say.
	const key = digestOf(JSON.stringify([tickets, kind, callId, at ?? event]));
	if (handedOver.get(key)) {
		return 'resumed';
	}
	const keys = await knownKeys(caller);
	const ticket = tickets.map((sealed) => unseal(keys.tickets, sealed)).find((one) => one !== undefined);
	if (ticket === undefined || !namesKind || !ticket.kinds.includes(kind) || !resumesHere(caller, ticket.url)) {
		return 'not awaited';
	}
	const { url, execution, node, run, item } = ticket;
	const message = { execution, node, run, item, event, kind };
	for (const pause of [...PAUSES_MS, undefined]) {
		const { value: reply, error } = await toResult(sendMessage(caller.helpers, keys.messages, url, message));
		if (reply && isFinal(reply)) {
			if (reply.proven && reply.status < 300) {
				handedOver.set(key, true);
			}
			// In the meantime, another trigger may have handed the event over.
			if (handedOver.get(key)) {
				return 'resumed';
			}
			caller.logger.info(`No execution waits for the call of this event any more: HTTP status ${reply.status}`);
			return 'not awaited';
		}
		if (pause === undefined) {
			const why = error?.message ?? `HTTP status ${reply?.status}`;
			caller.logger.warn(`"${caller.getNode().name}" could not resume the execution that waits for a call: ${why}`);
			break;
		}
		await sleep(pause);
	}
	return 'try again';
}

/** Whether the execution has received the event, or no longer waits for it. */
function isFinal(reply: Reply): boolean {
	const { status, body } = reply;
	return isSettled(reply) || (status === 401 && isRecord(body) && body.error === 'Invalid token');
}
