import { sleep, type IExecuteFunctions, type IWebhookFunctions } from 'n8n-workflow';

import { attempt } from '../errors';
import { sendMessage } from './messages';
import { forgetWait, isKnown, knownOf, nodeResumeAddress, placeOf, type WaitState } from './state';

/**
 * How much longer n8n itself waits for several calls. When n8n's own time is up, none of the node's code runs, and
 * what the others brought would be lost; so the node ends such a wait itself, a little earlier.
 */
export const GRACE_MS = 120_000;

/** A timer of Node.js cannot be set to more. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

const TRIES = 3;
const PAUSE_MS = 5000;

/**
 * Ends a wait for several calls when its time is up, with the outcomes that are there by then. The process has to live
 * that long; where it does not, and no event comes that another process could take over with, n8n ends the wait.
 */
export function watchDeadline(caller: IExecuteFunctions | IWebhookFunctions, key: Buffer, state: WaitState): void {
	const known = knownOf(caller, state.run);
	if (known.watched || state.calls.length < 2) return;
	known.watched = true;
	const url = nodeResumeAddress(caller);
	const { logger } = caller;
	const { name } = caller.getNode();
	const { run, until } = state;
	const message = { ...placeOf(caller, run), timeUp: true };
	const stillWaits = () => isKnown(caller, run) && !known.resuming;
	const end = async () => {
		for (let left = until - Date.now(); left > 0; left = until - Date.now()) await sleep(Math.min(left, LONGEST_SLEEP_MS));
		for (let tries = 0; tries < TRIES && stillWaits(); tries++) {
			const { value, error } = await attempt(sendMessage(caller.helpers, key, url, message));
			if (value?.proven || value?.status === 404 || value?.status === 409) break;
			logger.warn(`"${name}" could not end its wait: ${error?.message ?? `HTTP status ${value?.status}`}`);
			await sleep(PAUSE_MS);
		}
		forgetWait(caller, run);
	};
	void attempt(end());
}
