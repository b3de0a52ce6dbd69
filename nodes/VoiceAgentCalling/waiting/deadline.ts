import { type IExecuteFunctions, type IWebhookFunctions, type Logger, sleep } from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import { isSettled } from '../../shared/nodeLink/answersOfN8n';
import { sendMessage } from '../../shared/nodeLink/messages';
import { plainHttp } from '../../shared/nodeLink/plainHttp';
import { memoryOf, type WaitMemory } from './memory';
import { nodeResumeAddress, type WaitState, waitIdOf } from './state';

/**
 * How much longer n8n waits than the node. When n8n ends the wait, it runs no code of the node, and what has arrived would
 * be lost; so the node ends it first.
 */
export const AFTER_DEADLINE_MS = 120_000;

/** The longest delay between the end of a wait and the end of its timer. */
const MAX_SLEEP_MS = 30_000;

const TRIES = 3;
const PAUSE_MS = 5000;

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
 * Ends a wait when its time is up, with what is known by then. If this process ends earlier, and no event makes another
 * process take over, n8n ends the wait.
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
	for (let tries = 0; tries < TRIES && !memory.resumed; tries++) {
		const { value: reply, error } = await toResult(sendMessage(plainHttp, key, url, message));
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
		logger.warn(`"${name}" could not end its wait: ${error?.message ?? `HTTP status ${reply?.status}`}`);
		await sleep(PAUSE_MS);
	}
	memory.watched = false;
}
