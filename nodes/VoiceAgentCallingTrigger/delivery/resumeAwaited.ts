import { type IDataObject, type IWebhookFunctions, sleep } from 'n8n-workflow';

import { attempt } from '../../shared/errors/serviceError';
import { Memory } from '../../shared/lib/boundedMap';
import { isRecord } from '../../shared/lib/isRecord';
import { loadKeys } from '../../shared/nodeLink/keys';
import { type Reply, sendMessage } from '../../shared/nodeLink/messages';
import { resumesHere } from '../../shared/nodeLink/ownAddress';
import { findTicket, unseal, withoutTickets } from '../../shared/nodeLink/ticket';

/** The pauses before it is tried again, in milliseconds: the service waits five seconds for an answer at least. */
const PAUSES_MS = [250, 500, 1000, 2000];

/** The last events of calls that have found their executions. */
const taken = new Memory<true>();

/** What became of an event on its way to an execution that waits for it. */
export type Resumption = 'not awaited' | 'resumed' | 'try again';

/**
 * Hands the event that ends a call to the execution that waits for it, if one does. Only the address of a ticket that
 * was sealed with this node's credential is called, and only on this n8n.
 *
 * @param event a verified one
 * @returns `resumed` also where the execution does not wait any more; `try again` where it cannot be reached now, or
 * has not gone to sleep yet
 */
export async function resumeAwaited(caller: IWebhookFunctions, event: IDataObject): Promise<Resumption> {
	const sealed = findTicket(event);
	if (sealed === undefined) {
		return 'not awaited';
	}
	// Another trigger of this process may have been faster, and the execution goes on.
	const key = JSON.stringify([sealed, event.event]);
	if (taken.get(key)) {
		return 'resumed';
	}
	const keys = await loadKeys(caller);
	const ticket = unseal(keys.tickets, sealed);
	if (ticket === undefined || !ticket.kinds.includes(String(event.event)) || !resumesHere(caller, ticket.url)) {
		return 'not awaited';
	}
	const { url, execution, node, run, item } = ticket;
	const message = { execution, node, run, item, event: withoutTickets(event) };
	for (const pause of [...PAUSES_MS, undefined]) {
		const { value: reply, error } = await attempt(sendMessage(caller.helpers, keys.messages, url, message));
		if (reply && isTaken(reply)) {
			if (!reply.proven || reply.status >= 300) {
				caller.logger.info(
					`The execution that had to wait for a call does not wait any more: HTTP status ${reply.status}`,
				);
			}
			taken.set(key, true);
			return 'resumed';
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

/** Whether the event has arrived, or nobody waits for it any more. */
function isTaken({ status, body, proven }: Reply): boolean {
	if (proven) {
		return status < 500;
	}
	const said = isRecord(body) ? String(body.message) : '';
	// n8n's own words; a proxy's 404 says something else.
	if (status === 409) {
		return !said.includes('running');
	}
	if (status === 401) {
		return isRecord(body) && body.error === 'Invalid token';
	}
	return status === 404 && /execution/i.test(said);
}
