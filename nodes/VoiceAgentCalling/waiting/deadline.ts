import { type IExecuteFunctions, type IWebhookFunctions, sleep } from 'n8n-workflow';

import { attempt } from '../../shared/errors/serviceError';
import { sendMessage } from '../../shared/nodeLink/messages';
import { endWait, knownOf, nodeResumeAddress, placeOf, type WaitState } from './state';

/**
 * How much longer n8n itself waits for several calls. When n8n's own time is up, none of the node's code runs, and
 * what the others brought would be lost; so the node ends such a wait itself, a little earlier.
 */
export const GRACE_MS = 120_000;

/** How soon it is noticed that the wait is over. */
const LONGEST_SLEEP_MS = 30_000;

const TRIES = 3;
const PAUSE_MS = 5000;

/**
 * Ends a wait when its time is up, with the outcomes that are there by then. The process has to live that long; where it
 * does not, and no event comes that another process could take over with, n8n ends the wait.
 */
export function watchDeadline(caller: IExecuteFunctions | IWebhookFunctions, key: Buffer, state: WaitState): void {
	const known = knownOf(caller, state.run);
	if (known.watched) {
		return;
	}
	known.watched = true;
	const { helpers, logger } = caller;
	const { name } = caller.getNode();
	const url = nodeResumeAddress(caller);
	const message = { ...placeOf(caller, state.run), timeUp: true };
	const end = async () => {
		while (!known.resumed && Date.now() < state.until) {
			await sleep(Math.min(LONGEST_SLEEP_MS, state.until - Date.now()));
		}
		for (let tries = 0; tries < TRIES && !known.resumed; tries++) {
			const { value: reply, error } = await attempt(sendMessage(helpers, key, url, message));
			// Where n8n or the node says that nothing waits, it is over too.
			if (reply && ((reply.proven && reply.status < 500) || [404, 409].includes(reply.status))) {
				return endWait(known);
			}
			logger.warn(`"${name}" could not end its wait: ${error?.message ?? `HTTP status ${reply?.status}`}`);
			await sleep(PAUSE_MS);
		}
		known.watched = false;
	};
	void attempt(end());
}
