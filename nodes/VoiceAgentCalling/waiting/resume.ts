import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import { loadKeys } from '../../shared/keys';
import { showHintsAfterWait } from '../../shared/n8nInternals';
import { MESSAGE_HEADER, proofFor, readMessage, sendMessage } from '../../shared/triggerClient/messages';
import { isSettled } from '../../shared/triggerClient/n8nResponses';
import { readRawBody, respond } from '../../shared/webhookResponse';
import { isCallOver } from '../operation/items';
import { outcomesInWords } from './callOutcome';
import { callTarget } from './callTarget';
import { campaignTarget } from './campaignTarget';
import { watchDeadline } from './deadline';
import { ACKNOWLEDGED, memoryOf, type RunningWait, type WaitTarget } from './memory';
import { AFTER_DEADLINE_MS, lastRequestEnd, serviceRequests } from './serviceRequests';
import { type AwaitedCampaign, isFor, leftInWords, nodeResumeAddress, readState, waitIdOf } from './wait';

/** The tooltip of the node while its execution sleeps. */
export const WAITING_TOOLTIP =
	'Waiting for the outcome: the workflow continues when all calls or campaigns have ended, or when the time limit has passed';

/** The webhook that resumes a waiting execution. Its path is the node's ID: several nodes of a workflow may wait. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseData: 'noData',
		path: '={{ $nodeId }}',
		restartWebhook: true,
	},
];

/**
 * How long a request waits for a service that does not work, in seconds. An event is delivered again, a poll repeated.
 */
const MAX_WAIT_SECONDS = { event: 2, timeUp: 15 };

/** The message that asks whether an execution still waits. */
const STILL_WAITING = 'still waiting?';

/** How long, in milliseconds, the data that n8n has loaded for a request are considered up to date. */
const LOADED_MS = 500;

/** How long n8n may take to report whether an execution still waits, in milliseconds. */
const STILL_WAITING_TIMEOUT_MS = 5000;

/**
 * Handles an event of an awaited call or campaign, or the message that the time is up. Unless this process knows
 * everything, the node then polls the service, because a waiting node cannot store anything. Resumes the execution when
 * everything is known, or the time is up. Never throws.
 */
export async function resumeWaiting(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(caller);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		caller.logger.warn(`"${caller.getNode().name}" could not handle an event of its wait: ${reason}`);
		return respond(caller, 503, 'Try again');
	}
}

async function handle(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	const begunAt = Date.now();
	const keys = await loadKeys(caller);
	const signature = caller.getRequestObject().headers[MESSAGE_HEADER];
	const message =
		signature === undefined ? undefined : readMessage(keys.messages, await readRawBody(caller), signature);
	if (message !== undefined) {
		// Proves that the response comes from a node with the same credential.
		caller.getResponseObject().setHeader(MESSAGE_HEADER, proofFor(keys.messages, String(signature)));
	} else if (signature !== undefined) {
		return respond(caller, 401, 'Unauthorized');
	}
	const state = readState(caller);
	if (state === undefined || (message !== undefined && !isFor(waitIdOf(caller, state.run), message))) {
		return respond(caller, 409, 'Nothing waits for this');
	}
	const memory = memoryOf(waitIdOf(caller, state.run));
	if (message?.command === STILL_WAITING) {
		return memory.resumed ? respond(caller, 409, 'Nothing waits for this') : respond(caller, 200, ACKNOWLEDGED);
	}
	const timeIsUp = message?.timeUp === true;
	const maxWaitSeconds = MAX_WAIT_SECONDS[timeIsUp ? 'timeUp' : 'event'];
	const sendRequest = serviceRequests(caller, { maxWaitSeconds, endsAt: lastRequestEnd(state.until) });
	const wait = { caller, keys, memory, sendRequest };
	const target = 'calls' in state ? callTarget({ ...wait, state }) : campaignTarget({ ...wait, state });
	if (!timeIsUp) {
		const response = (await target.take(message)) ?? (await pollMissing({ ...wait, state }, target));
		if (response !== undefined) {
			return response;
		}
	} else if (!memory.resumed) {
		await target.poll(true, message.isLastTime === true);
	}
	// Another request may have resumed the execution in the meantime, in this process or in another.
	const isOld = Math.abs(Date.now() - begunAt) > LOADED_MS;
	if (!memory.resumed && isOld && !(await isStillWaiting({ ...wait, state })) && !memory.resumed) {
		return respond(caller, 503, 'Try again');
	}
	if (memory.resumed) {
		return respond(caller, 200, ACKNOWLEDGED);
	}
	const items = target.items();
	const outcomes =
		'calls' in state
			? outcomesInWords(state.calls.map(({ item }) => items[item]?.json.outcome))
			: state.campaigns.flatMap(({ items: [first] }) => leftInWords(items[first]?.json as AwaitedCampaign));
	const hints = items.every(isCallOver) ? state.hintsAtEnd : state.hints;
	showHintsAfterWait(caller, [...outcomes, ...hints]);
	memory.resumed = true;
	onResponseClosed(caller, (status) => {
		if (status >= 500) {
			// The sender repeats its message.
			memory.resumed = false;
		} else {
			memory.end();
			target.ended?.();
		}
	});
	return { workflowData: [items] };
}

/**
 * Checks with n8n whether the execution still waits. It may have continued since n8n loaded it for this request, placed
 * more calls, and be waiting again: n8n would continue it from the old data, without those calls, and place them again.
 * If n8n does not respond, it still waits as far as this process knows, unless n8n or another process may have resumed
 * it: a slow n8n must not lose an outcome.
 */
async function isStillWaiting({ caller, keys, memory, state }: RunningWait): Promise<boolean> {
	const message = { ...waitIdOf(caller, state.run), command: STILL_WAITING };
	const { value: reply, error } = await toResult(
		sendMessage(caller.helpers, keys.messages, nodeResumeAddress(caller), message, STILL_WAITING_TIMEOUT_MS),
	);
	if (reply?.proven === true && reply.status < 300) {
		return true;
	}
	// n8n responds with 409 while an execution is running.
	const isOver = reply !== undefined && (isSettled(reply) || reply.status === 409);
	if (!isOver && memory.receivesAll && Date.now() < state.until + AFTER_DEADLINE_MS) {
		return true;
	}
	const what = isOver ? 'that no longer waits' : 'that may no longer wait';
	const why = error?.message ?? `HTTP status ${reply?.status}`;
	caller.logger.info(`"${caller.getNode().name}" does not continue an execution ${what}: ${why}`);
	return false;
}

/**
 * Polls the service for what this process does not know.
 *
 * @returns the response, if the execution does not continue now
 */
async function pollMissing(
	{ caller, keys, state, memory }: RunningWait,
	target: WaitTarget,
): Promise<IWebhookResponseData | undefined> {
	if (memory.resumed || target.isComplete()) {
		return undefined;
	}
	watchDeadline(caller, keys.messages, state);
	if (target.needsPoll()) {
		const found = await memory.pollOnce(target.lateEventsMs, async () => await target.poll(false));
		if (found === 'overloaded' || found === false) {
			return respond(caller, 503, 'Try again');
		}
	}
	return target.isComplete() ? undefined : respond(caller, 200, ACKNOWLEDGED);
}

/** Calls back when n8n has responded, or the sender has hung up. */
function onResponseClosed(caller: IWebhookFunctions, closed: (status: number) => void): void {
	const response = caller.getResponseObject();
	// If the sender has hung up already, the response emits no `close` event any more.
	if (response.destroyed) {
		closed(response.statusCode);
	} else {
		response.once('close', () => closed(response.statusCode));
	}
}
