import { type IExecuteFunctions, type IWebhookFunctions, type Logger, sleep } from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import { isSettled } from '../../shared/triggerClient/answersOfN8n';
import { sendMessage } from '../../shared/triggerClient/messages';
import { plainHttp } from '../../shared/triggerClient/plainHttp';
import { LAST_LOOKS } from './lastLook';
import { memoryOf, type WaitMemory } from './memory';
import { nodeResumeAddress, type WaitState, waitIdOf } from './state';

/** The longest delay between the end of a wait and the end of its timer. */
const MAX_SLEEP_MS = 30_000;

/** How long the last look may take. A proxy may have given up before: then the next message finds that the wait is over. */
const REPLY_TIMEOUT_MS = 60_000;

/** What is kept of a wait until its time is up: nothing of the execution, its data or n8n's helpers. */
interface Deadline {
	until: number;
	memory: WaitMemory;
	/** Name of the node, for the log. */
	name: string;
	logger: Logger;
	/** Sends the message that the time is up. */
	url: string;
	key: Buffer;
	message: { execution: string; node: string; run: number; timeUp: true };
	/** The webhooks that the wait has at the service, in words; empty without any. */
	webhooks: string;
}

/**
 * Ends a wait when its time is up, with what is known by then. If the service does not answer, it is asked again. If this
 * process ends earlier, and no event makes another process take over, n8n ends the wait.
 *
 * @param key of messages
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
	const lastTime = until + LAST_LOOKS.forMs;
	for (let isLastTime = false; !isLastTime && !memory.resumed; ) {
		isLastTime = Date.now() >= lastTime;
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
		// A node that answers has written why.
		if (!reply?.proven) {
			logger.warn(`"${name}" could not end its wait: ${error?.message ?? `HTTP status ${reply?.status}`}`);
		}
		await sleep(Math.min(LAST_LOOKS.everyMs, Math.max(0, lastTime - Date.now())));
	}
	memory.watched = false;
}
