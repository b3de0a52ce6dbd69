import { type IExecuteFunctions, type IWebhookFunctions, sleep } from 'n8n-workflow';

import { toResult } from '../../shared/errors/serviceError';
import { isSettled } from '../../shared/nodeLink/answersOfN8n';
import { sendMessage } from '../../shared/nodeLink/messages';
import { endWait, nodeResumeAddress, progressOf, type WaitState, waitIdOf } from './state';

/**
 * How much longer n8n waits for several calls than the node. When n8n ends the wait, it runs no code of the node, and
 * the outcomes that have arrived would be lost; so the node ends such a wait first.
 */
export const GRACE_MS = 120_000;

/** The longest delay between the end of a wait and the end of its timer. */
const MAX_SLEEP_MS = 30_000;

const TRIES = 3;
const PAUSE_MS = 5000;

/**
 * Ends a wait when its time is up, with the outcomes that have arrived. If this process ends earlier, and no event
 * makes another process take over, n8n ends the wait.
 *
 * @param key of messages
 * @param nothingWaits called if nothing waits any more when the time is up: the execution was stopped, for example
 */
export function watchDeadline(
	caller: IExecuteFunctions | IWebhookFunctions,
	key: Buffer,
	state: Pick<WaitState, 'run' | 'until'>,
	nothingWaits?: () => Promise<void>,
): void {
	const progress = progressOf(caller, state.run);
	if (progress.watched) {
		return;
	}
	progress.watched = true;
	const { helpers, logger } = caller;
	const { name } = caller.getNode();
	const url = nodeResumeAddress(caller);
	const message = { ...waitIdOf(caller, state.run), timeUp: true };
	const end = async () => {
		while (!progress.resumed && Date.now() < state.until) {
			await sleep(Math.min(MAX_SLEEP_MS, state.until - Date.now()));
		}
		for (let tries = 0; tries < TRIES && !progress.resumed; tries++) {
			const { value: reply, error } = await toResult(sendMessage(helpers, key, url, message));
			if (reply && isSettled(reply)) {
				if (reply.status >= 400) {
					await nothingWaits?.();
				}
				return endWait(progress);
			}
			logger.warn(`"${name}" could not end its wait: ${error?.message ?? `HTTP status ${reply?.status}`}`);
			await sleep(PAUSE_MS);
		}
		progress.watched = false;
	};
	void toResult(end());
}
