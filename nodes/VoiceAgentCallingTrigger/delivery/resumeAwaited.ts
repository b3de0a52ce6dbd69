import { type IDataObject, type IWebhookFunctions, sleep } from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import type { Keys } from '../../shared/keys';
import { BoundedMap } from '../../shared/lib/collections';
import { isRecord } from '../../shared/lib/json';
import { sha256 } from '../../shared/lib/text';
import { type Reply, sendMessage } from '../../shared/triggerClient/messages';
import { isSettled, isStillRunning } from '../../shared/triggerClient/n8nResponses';
import { resumesHere } from '../../shared/triggerClient/ownAddress';
import { type ResumeToken, unseal } from '../../shared/triggerSecrets/resumeToken';
import type { Arrival } from './deliveryOnce';
import { knownKeys } from './knownKeys';

/**
 * The pauses between attempts, in milliseconds, while an execution is still running: it may be about to fall asleep. Any
 * other failure is left to the service, which delivers again later: n8n may be busy.
 */
const PAUSES_MS = [1000, 2500];

/** The result of sending an event to a waiting execution. An event that is not awaited starts the workflow. */
export type Resumption = 'not awaited' | 'resumed' | 'try again';

/** An event that is being sent to a waiting execution, or has been. */
interface Sending {
	/** The names of the event by trigger: several triggers can receive the events of a call. */
	namesByNode: Map<string, readonly string[]>;
	result: Promise<Resumption>;
}

/** What the triggers of this process send, by the resume token and the content of the event. */
const sendings = new BoundedMap<Sending[]>();

/**
 * Sends an event of a call to the execution that waits for it. It is sent only to the URL of a resume token that was
 * sealed with this node's credential, and only on this n8n.
 *
 * @param node from `Incoming`
 * @param arrival an authentic event
 * @returns `not awaited` also if the execution no longer waits, or waits for another call; `try again` if it cannot be
 *   reached now, or is not waiting yet
 */
export async function resumeAwaited(caller: IWebhookFunctions, node: string, arrival: Arrival): Promise<Resumption> {
	const { event, names } = arrival;
	const { resumeTokens, type, namesType, callId, at, body } = event;
	if (resumeTokens.length === 0) {
		return 'not awaited';
	}
	const keys = await knownKeys(caller);
	const resumeToken = resumeTokens.map((sealed) => unseal(keys.resumeTokens, sealed)).find((one) => one !== undefined);
	if (
		resumeToken === undefined ||
		!namesType ||
		!resumeToken.eventTypes.includes(type) ||
		!resumesHere(caller, resumeToken.url)
	) {
		return 'not awaited';
	}
	// Another trigger receives the same event with the different bytes of its own webhook. So an event with the same
	// content is taken for the next event that another trigger has sent.
	const key = sha256(JSON.stringify([resumeToken, type, callId, at ?? body]));
	const begun = sendings.get(key) ?? [];
	const known =
		begun.find(({ namesByNode }) => namesByNode.get(node)?.some((name) => names.includes(name))) ??
		begun.find(({ namesByNode }) => !namesByNode.has(node));
	if (known !== undefined) {
		known.namesByNode.set(node, names);
		return await known.result;
	}
	const result = send(caller, keys, resumeToken, { event: body, type });
	const sending = { namesByNode: new Map([[node, names]]), result };
	sendings.set(key, [...begun, sending]);
	let end: Resumption | undefined;
	try {
		end = await result;
		return end;
	} finally {
		// Only events that have resumed an execution are remembered. A repeated delivery sends everything else again.
		if (end !== 'resumed') {
			sendings.set(
				key,
				(sendings.get(key) ?? []).filter((one) => one !== sending),
			);
		}
	}
}

/** Sends an event to the execution of a resume token, again while the execution is still running. */
async function send(
	caller: IWebhookFunctions,
	{ messages }: Keys,
	{ url, execution, node, run, item }: ResumeToken,
	event: IDataObject,
): Promise<Resumption> {
	const message = { execution, node, run, item, ...event };
	for (const pause of [...PAUSES_MS, undefined]) {
		const { value: reply, error } = await toResult(sendMessage(caller.helpers, messages, url, message));
		if (reply && isFinal(reply)) {
			if (reply.proven && reply.status < 300) {
				return 'resumed';
			}
			caller.logger.info(`No execution waits for the call of this event any more: HTTP status ${reply.status}`);
			return 'not awaited';
		}
		if (pause === undefined || !reply || !isStillRunning(reply)) {
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
