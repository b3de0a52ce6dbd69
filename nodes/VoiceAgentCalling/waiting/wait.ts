import type { INodeExecutionData } from 'n8n-workflow';

import { isGone, type ServiceError, toResult } from '../../shared/errors/serviceError';
import { loadKeys } from '../../shared/keys';
import { dateAt } from '../../shared/lib/time';
import { replaceInput } from '../../shared/n8nInternals';
import { failItem, type OperationRun } from '../operation/operationRun';
import { watchDeadline } from './deadline';
import { AFTER_DEADLINE_MS } from './lastLook';
import { storeState, type WaitState } from './state';

/** How the user has chosen to wait, as the fields of `fields/waiting.ts` say; the same for all items. */
export type WaitBy = 'automatic' | 'event' | 'polling';

/** How a run waits. */
export type WaitedBy = Exclude<WaitBy, 'automatic'>;

/** Sleeps at the pace of the run. Returns early if it is canceled. @param ms in milliseconds */
export async function pause(operationRun: OperationRun, ms: number): Promise<void> {
	await toResult(operationRun.run.pace.sleep(ms, () => operationRun.run.stop.throwIfCanceled()));
}

/**
 * Fails the items for which a check before the wait has failed. Where the node chooses how to wait, it polls instead.
 *
 * @param errors by item
 * @param unknown what polling does not find out
 * @returns how the run waits
 */
export function failOrPoll(
	operationRun: OperationRun,
	waitBy: WaitBy,
	errors: ReadonlyMap<number, ServiceError>,
	unknown: string,
): WaitedBy {
	// If the agent or campaign is gone, polling fails, too: that is no reason to poll.
	const unheard = [...errors.values()].find((error) => !isGone(error));
	if (waitBy === 'automatic' && unheard !== undefined) {
		operationRun.run.notes.add(`The node polls. ${unheard.message}. ${unknown}`);
		return 'polling';
	}
	for (const [item, error] of errors) {
		failItem(operationRun, item, error);
	}
	return 'event';
}

/**
 * Puts the execution to sleep in n8n's database. When n8n itself ends the wait, it outputs the node's input; so the input
 * is replaced.
 *
 * @param items what n8n outputs if it ends the wait
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
