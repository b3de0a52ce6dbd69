import {
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type IWebhookFunctions,
	type Logger,
	type RequestHelperFunctions,
	sleep,
} from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import { fromJson } from '../../shared/lib/json';
import { sendMessage } from '../../shared/triggerClient/messages';
import { isSettled } from '../../shared/triggerClient/n8nResponses';
import { memoryOf, type WaitMemory } from './memory';
import { AFTER_DEADLINE_MS, LAST_ATTEMPTS } from './serviceRequests';
import { nodeResumeAddress, type WaitState, waitIdOf } from './wait';

/** The longest delay between the end of a wait and the end of its timer. */
const MAX_SLEEP_MS = 30_000;

/** How long the response to the message may take. If a proxy gives up before, the next message finds the wait over. */
const REPLY_TIMEOUT_MS = 60_000;

/** What the timer of a wait keeps in memory: nothing of the execution, its data or n8n's helpers. */
interface Deadline {
	until: number;
	memory: WaitMemory;
	/** Name of the node, for the log. */
	name: string;
	logger: Logger;
	/** The URL that resumes the execution. */
	url: string;
	/** The key of messages. */
	key: Buffer;
	message: { execution: string; node: string; run: number; timeUp: true };
	/** Lists the webhooks of the wait for the log; empty if it has none. */
	webhooks: string;
}

/**
 * Ends a wait at its time limit, with the outcomes known by then: sends the waiting node the message that the time is
 * up, and repeats it while the service does not respond. If this process ends earlier, and no event makes another
 * process take over, n8n ends the wait.
 *
 * @param key the key of messages
 */
export function watchDeadline(caller: IExecuteFunctions | IWebhookFunctions, key: Buffer, state: WaitState): void {
	const wait = waitIdOf(caller, state.run);
	const memory = memoryOf(wait);
	if (memory.watched) {
		return;
	}
	memory.watched = true;
	const campaigns = 'campaigns' in state ? state.campaigns : [];
	void toResult(
		endInTime({
			until: state.until,
			memory,
			name: caller.getNode().name,
			logger: caller.logger,
			url: nodeResumeAddress(caller),
			key,
			message: { ...wait, timeUp: true },
			webhooks: campaigns.map(({ id, webhookId }) => `${webhookId} of campaign ${id}`).join(', '),
		}),
	);
}

async function endInTime({ until, memory, name, logger, url, key, message, webhooks }: Deadline): Promise<void> {
	while (!memory.resumed && Date.now() < until) {
		await sleep(Math.min(MAX_SLEEP_MS, until - Date.now()));
	}
	const lastTime = until + LAST_ATTEMPTS.forMs;
	for (let isOver = false; !isOver && !memory.resumed; ) {
		const isLastTime = Date.now() >= lastTime;
		const sent = sendMessage(plainHttp, key, url, { ...message, isLastTime }, REPLY_TIMEOUT_MS);
		const { value: reply, error } = await toResult(sent);
		if (reply !== undefined && isSettled(reply)) {
			if (reply.status >= 400 && webhooks !== '') {
				// Another process may have ended the wait, and deleted them.
				logger.info(
					`Execution ${message.execution} of "${name}" does not wait any more. If it was stopped, these webhooks stay at the service until the next wait for their campaign: ${webhooks}`,
				);
			}
			memory.end();
			return;
		}
		// A node that has responded has logged the reason itself.
		if (!reply?.proven) {
			logger.warn(`"${name}" could not end its wait: ${error?.message ?? `HTTP status ${reply?.status}`}`);
		}
		// While n8n itself does not respond, the node goes on until n8n ends the wait.
		isOver = isLastTime && (reply?.proven === true || Date.now() >= until + AFTER_DEADLINE_MS);
		const left = lastTime - Date.now();
		await sleep(left > 0 ? Math.min(LAST_ATTEMPTS.everyMs, left) : LAST_ATTEMPTS.everyMs);
	}
	memory.watched = false;
}

/**
 * Sends a request without n8n's helpers, and without a proxy. The helpers would keep the whole execution in memory, and
 * the message may be due days after the execution has fallen asleep.
 */
const plainHttp: Pick<RequestHelperFunctions, 'httpRequest'> = {
	async httpRequest({ url, method, headers, body, timeout = 20_000 }: IHttpRequestOptions) {
		const response = await fetch(url, {
			method,
			headers: headers as Record<string, string>,
			body: String(body),
			redirect: 'manual',
			signal: AbortSignal.timeout(timeout),
		});
		const full: IN8nHttpFullResponse = {
			statusCode: response.status,
			headers: Object.fromEntries(response.headers),
			body: fromJson(await response.text()) as IN8nHttpFullResponse['body'],
		};
		return full;
	},
};
