import { type IWebhookFunctions, sleep } from 'n8n-workflow';

import type { Keys } from '../../shared/nodeLink/keys';
import { askForEvents, askForOutcomes } from './askService';
import { isAwaited, missingArtifacts, voicemailUntil } from './callNews';
import { askOtherProcesses } from './otherProcesses';
import type { AwaitedCall, WaitProgress, WaitState } from './state';

/** The pause between two looks at whether a late event has arrived. */
const PAUSE_MS = 250;

/**
 * How many messages wait for late events at the same time: for each of them n8n keeps an environment for expressions in
 * memory. The others are refused; the service delivers their events again, after the grace.
 */
const MAX_HELD = 20;

let held = 0;

/** A wait for which a message has arrived. */
export interface RunningWait {
	caller: IWebhookFunctions;
	keys: Keys;
	state: WaitState;
	progress: WaitProgress;
	timeIsUp: boolean;
}

/** Whether a call is not over, or something that it brings has not arrived. */
export function isIncomplete({ state, progress }: RunningWait): boolean {
	return state.calls.some((call) => isAwaited(call, progress));
}

/** Whether events bring what the service does not list. */
function hasMoreThanOutcome({ artifacts, graceMs }: AwaitedCall): boolean {
	return artifacts !== undefined || graceMs !== undefined;
}

/**
 * Asks for what this process does not know: other processes of this n8n, and the service. The log of a webhook is read
 * only about calls that are over, since their events come at about that time.
 *
 * @param item of the event that this process has just received
 * @returns whether the service has responded; `elsewhere` if another process resumes the execution
 */
export async function askForMissing(
	{ caller, keys, state, progress, timeIsUp }: RunningWait,
	item: number,
): Promise<boolean | 'elsewhere'> {
	const open = () => state.calls.filter((call) => isAwaited(call, progress));
	if (!progress.complete && open().some(hasMoreThanOutcome)) {
		const isMissing = () => open().length > 0;
		if (await askOtherProcesses(caller, keys, state, progress, { calls: open(), received: item, isMissing })) {
			return 'elsewhere';
		}
	}
	const withoutEnd = open().filter((call) => !progress.outcomes.has(call.item));
	const isAnswered = await askForOutcomes(caller, state, progress, withoutEnd);
	const lacking = () =>
		open().filter(
			(call) => missingArtifacts(call, progress).length > 0 && (timeIsUp || progress.outcomes.has(call.item)),
		);
	const isDone = () => lacking().length === 0;
	const asked = progress.complete || (await askForEvents(caller, state, progress, lacking(), isDone));
	return isAnswered && asked;
}

/**
 * Waits for late events that say that a machine took a call; then asks for earlier ones that another process received.
 *
 * @param patienceMs how long the sender of the message waits for the response
 * @returns false if the message has to come again: the service has not responded, or too many messages wait
 */
export async function isVoicemailKnown(
	{ caller, keys, state, progress, timeIsUp }: RunningWait,
	patienceMs: number,
): Promise<boolean> {
	const inDoubt = () => state.calls.filter((call) => voicemailUntil(call, progress) !== undefined);
	const giveUpAt = timeIsUp ? 0 : Date.now() + patienceMs;
	const latest = () => state.calls.reduce((time, call) => Math.max(time, voicemailUntil(call, progress) ?? 0), 0);
	const until = () => Math.min(giveUpAt, latest());
	if (Date.now() < until() && held >= MAX_HELD) {
		return false;
	}
	held += 1;
	progress.holding = true;
	while (!progress.resumed && Date.now() < until()) {
		await sleep(Math.min(PAUSE_MS, until() - Date.now()));
	}
	held -= 1;
	progress.holding = false;
	if (progress.complete || progress.resumed || inDoubt().length === 0) {
		return true;
	}
	const isMissing = () => inDoubt().length > 0;
	await askOtherProcesses(caller, keys, state, progress, { calls: inDoubt(), isMissing });
	const calls = inDoubt();
	return (await askForEvents(caller, state, progress, calls, () => !isMissing())) || timeIsUp;
}
