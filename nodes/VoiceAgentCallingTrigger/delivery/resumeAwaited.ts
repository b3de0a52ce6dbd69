import { type IDataObject, type IWebhookFunctions, sleep } from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import type { Keys } from '../../shared/keys';
import { BoundedMap } from '../../shared/lib/collections';
import { isRecord } from '../../shared/lib/json';
import { sha256 } from '../../shared/lib/text';
import { type Reply, sendMessage } from '../../shared/triggerClient/messages';
import { isSettled } from '../../shared/triggerClient/n8nResponses';
import { resumesHere } from '../../shared/triggerClient/ownAddress';
import { type ResumeToken, unseal } from '../../shared/triggerSecrets/resumeToken';
import type { Arrival } from './deliveryOnce';
import { knownKeys } from './knownKeys';

/** The pauses between tries, in milliseconds. */
const PAUSES_MS = [250, 500, 1000, 2000];

/** The result of handing an event over to a waiting execution. An event that is not awaited starts the workflow. */
export type Resumption = 'not awaited' | 'resumed' | 'try again';

/** An event that is being handed over, or was. */
interface HandOver {
	/** The names by which each trigger knows it: several triggers can receive the events of a call. */
	namesByNode: Map<string, readonly string[]>;
	result: Promise<Resumption>;
}

/** What the triggers of this process hand over, by the resume token with what the event says of itself. */
const handOvers = new BoundedMap<HandOver[]>();

/**
 * Hands an event of a call over to the execution that waits for it. It is sent only to the URL of a resume token that
 * was sealed with this node's credential, and only on this n8n.
 *
 * @param node from `Incoming`
 * @param arrival of an authentic event
 * @returns `not awaited` also if the execution no longer waits, or waits for another call; `try again` if it cannot be
 * reached now, or is not waiting yet
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
	// To another trigger, the same event comes with other bytes: those of its own webhook. So the next event that says the
	// same of itself is taken for the next one that another trigger has handed over.
	const key = sha256(JSON.stringify([resumeToken, type, callId, at ?? body]));
	const begun = handOvers.get(key) ?? [];
	const known =
		begun.find(({ namesByNode }) => namesByNode.get(node)?.some((name) => names.includes(name))) ??
		begun.find(({ namesByNode }) => !namesByNode.has(node));
	if (known !== undefined) {
		known.namesByNode.set(node, names);
		const result = await known.result;
		return result === 'resumed' ? result : await resumeAwaited(caller, node, arrival);
	}
	const result = send(caller, keys, resumeToken, { event: body, type });
	const handOver = { namesByNode: new Map([[node, names]]), result };
	handOvers.set(key, [...begun, handOver]);
	let end: Resumption | undefined;
	try {
		end = await result;
		return end;
	} finally {
		// Only what has been handed over is remembered. A repeated delivery tries everything else again.
		if (end !== 'resumed') {
			handOvers.set(
				key,
				(handOvers.get(key) ?? []).filter((one) => one !== handOver),
			);
		}
	}
}

/** Sends an event to the execution of a resume token, until it is known what became of it, or for almost four seconds. */
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
