import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import { isGone, ServiceError, toResult } from '../../shared/errors/serviceError';
import { type Keys, loadKeys } from '../../shared/keys';
import { dateAt } from '../../shared/lib/time';
import { replaceInput } from '../../shared/n8nInternals';
import { sendMessage } from '../../shared/triggerClient/messages';
import { explainMissingReply, isStillRunning, refusesUnknownMethod } from '../../shared/triggerClient/n8nResponses';
import { DEFAULT_TIME_LIMITS_MS } from '../fields/timeLimit';
import type { CallerIdField } from '../operation/call';
import { failItem, type OperationRun } from '../operation/operationRun';
import { watchDeadline } from './deadline';
import type { ReadOutcomes } from './readCalls';
import { AFTER_DEADLINE_MS, isFinal, LAST_ATTEMPTS } from './serviceRequests';
import { nodeResumeAddress, storeState, type WaitBy, type WaitedBy, type WaitState } from './wait';

/** The advice where no event can end a wait. */
export const OTHERWISE = 'Or set Wait By to Polling.';

export const NO_EVENT = 'No event would end the wait';

/**
 * Returns the longest time limit of some items, in milliseconds. Spreading it into Math.max would fail at about 130,000
 * items.
 *
 * @param settings undefined for an item that does not wait; the limit counts from the end of `delayMs`, when the phone
 *   can ring
 */
export function longestTimeLimit(
	settings: ReadonlyArray<{ timeLimit?: number; delayMs?: number } | undefined>,
	callerIdField: CallerIdField,
): number {
	const standard = DEFAULT_TIME_LIMITS_MS[callerIdField];
	const limitOf = ({ timeLimit = standard, delayMs = 0 }: { timeLimit?: number; delayMs?: number }) =>
		delayMs + timeLimit;
	return settings.reduce((longest, one) => Math.max(longest, one ? limitOf(one) : 0), 0);
}

/**
 * Checks, once in a run, that n8n can be reached at the URL of waiting executions, which has another path than the URL
 * of the trigger. n8n refuses an unknown method, and unlike its other refusals it does not log this one. Only if the
 * response is not that of n8n, a message is sent, whose failure shows what is wrong.
 *
 * @throws ServiceError `NO_ANSWER`
 */
export async function assertWaitingReachable(api: Api, caller: IExecuteFunctions, { messages }: Keys): Promise<void> {
	await api.remember('address of waiting executions', async () => {
		const url = nodeResumeAddress(caller);
		if (await refusesUnknownMethod(caller.helpers, url)) {
			return;
		}
		const reply = await toResult(sendMessage(caller.helpers, messages, url, { command: 'check' }));
		const why = explainMissingReply(reply, isStillRunning);
		if (why !== undefined) {
			const { origin, pathname } = new URL(url);
			const address = `${origin}${pathname.replace(/[^/]*\/[^/]*$/, '')}`;
			throw new ServiceError(`${NO_EVENT}: n8n does not answer at ${address} (${why.detail})`, {
				code: 'NO_ANSWER',
				advice: `${why.advice} ${OTHERWISE}`,
				accepted: 'no',
			});
		}
	});
}

/**
 * Fails the items for which a check before the wait has failed. With Wait By Automatic, the run polls instead.
 *
 * @param errors by item
 * @param unknown a note on what polling cannot find out
 * @returns how the run waits
 */
export function failOrPoll(
	operationRun: OperationRun,
	waitBy: WaitBy,
	errors: ReadonlyMap<number, ServiceError>,
	unknown: string,
): WaitedBy {
	// If the agent or campaign is gone, polling would fail as well.
	const noEvent = [...errors.values()].find((error) => !isGone(error));
	if (waitBy === 'automatic' && noEvent !== undefined) {
		operationRun.run.hints.add(`The node polls. ${noEvent.message}. ${unknown}`);
		return 'polling';
	}
	for (const [item, error] of errors) {
		failItem(operationRun, item, error);
	}
	return 'event';
}

/** How calls or campaigns are polled. */
interface Polling<Awaited, End> {
	/** The word for them in a note. */
	what: 'calls' | 'campaigns';
	intervalSeconds: number;
	/** When the time limit is reached, in milliseconds since 1970. */
	until: number;
	read(open: readonly Awaited[]): Promise<ReadOutcomes<End>>;
}

/**
 * Polls the service until all calls or campaigns have ended, the time limit is reached, or the run is canceled. If the
 * service does not respond at the time limit, the node repeats the requests for a while. An error becomes a note, and
 * the next interval tries again.
 *
 * @returns the outcomes of the calls or campaigns that have ended, by item
 */
export async function pollUntilOver<Awaited extends { item: number }, End>(
	{ run: { pace, stop, hints } }: OperationRun,
	awaited: readonly Awaited[],
	{ what, intervalSeconds, until, read }: Polling<Awaited, End>,
): Promise<Map<number, End>> {
	const outcomes = new Map<number, End>();
	let open = awaited;
	let endsAt = until;
	while (open.length > 0 && Date.now() < endsAt && !stop.isCanceled) {
		const left = until - Date.now();
		const pauseMs = left > 0 ? Math.min(intervalSeconds * 1000, left) : LAST_ATTEMPTS.everyMs;
		// Ends early if the run is canceled.
		await toResult(pace.sleep(pauseMs, () => stop.throwIfCanceled()));
		const { outcomes: found, error } = await read(open);
		if (error && !stop.isCanceled) {
			hints.add(`The service could not be asked about the ${what} for a while: ${error.message}`);
		}
		endsAt = error === undefined || isFinal(error) ? until : until + LAST_ATTEMPTS.forMs;
		for (const [item, outcome] of found) {
			outcomes.set(item, outcome);
		}
		open = open.filter(({ item }) => !outcomes.has(item));
	}
	return outcomes;
}

/**
 * Puts the execution to sleep in n8n's database. When n8n itself ends the wait, it outputs the node's input; so this
 * replaces the input.
 *
 * @param items the items that n8n outputs if it ends the wait
 */
export async function fallAsleep(
	{ run: { caller } }: OperationRun,
	state: WaitState,
	items: readonly INodeExecutionData[],
): Promise<void> {
	storeState(caller, state);
	replaceInput(caller, items);
	const { messages } = await loadKeys(caller);
	watchDeadline(caller, messages, state);
	await caller.putExecutionToWait(dateAt(state.until + AFTER_DEADLINE_MS));
}
