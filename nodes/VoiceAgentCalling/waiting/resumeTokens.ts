import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import type { Run } from '../../shared/client/run';
import { type Result, type ServiceError, toResult } from '../../shared/errors/serviceError';
import type { Keys } from '../../shared/keys';
import { CONTEXT_KEY, seal } from '../../shared/triggerSecrets/resumeToken';
import { DEFAULT_TIME_LIMITS_MS } from '../fields/timeLimit';
import type { CallerIdField } from '../operation/call';
import { type Artifact, awaitedEventTypes, requiredEventTypes } from './artifacts';
import { nodeResumeAddress, waitIdOf } from './state';
import { assertWaitingReachable, findListener, type Listener } from './triggers';
import type { WaitBy } from './wait';

/** How the node waits for a call, as the fields of `fields/waiting.ts` say. */
export interface WaitSettings {
	waitBy: WaitBy;
	waitFor?: Artifact[];
	/** In milliseconds; by default {@link DEFAULT_TIME_LIMITS_MS}. */
	timeLimit?: number;
	/** In seconds. */
	pollInterval?: number;
}

/** An item whose call is to be awaited: the values of the call, and how to wait. */
export interface AwaitedInput {
	values: Record<string, unknown> & { context?: IDataObject };
	local: WaitSettings;
}

/**
 * The longest time limit of some items, in milliseconds. Spreading it into Math.max would fail at about 130,000 items.
 *
 * @param settings undefined for an item that does not wait; the limit counts from the end of `delayMs`, when the phone can
 *   ring
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

/** A run of an operation whose calls get resume tokens. */
export interface RunWithTokens {
	run: Run;
	/** For requests that all items share. */
	api: Api;
	/** Index of the node's run in the execution. */
	runIndex: number;
	callerIdField: CallerIdField;
	keys: Keys;
	/** Whether an item is still to be sent: the call of an earlier attempt is there, whoever receives its events. */
	isReady(item: number): boolean;
}

/**
 * Makes a resume token for each call, so that its events can resume this execution. Before that, it checks that a trigger
 * receives the event. The call of an earlier attempt was placed after this check.
 *
 * @param inputs by item; undefined for an item that is not called
 * @returns three maps by item: `errors` of calls whose end no event would report, `listeners` for the events, and
 * `contexts` to send, with the resume tokens
 */
export async function addResumeTokens(tokenRun: RunWithTokens, inputs: ReadonlyArray<AwaitedInput | undefined>) {
	const { run, runIndex, callerIdField, keys } = tokenRun;
	const wait = { url: nodeResumeAddress(run.caller), ...waitIdOf(run.caller, runIndex) };
	const checks = new Map<string, Promise<Result<Listener>>>();
	const errors = new Map<number, ServiceError>();
	const listeners = new Map<number, Listener>();
	const contexts = new Map<number, IDataObject>();
	for (const [item, input] of inputs.entries()) {
		if (input === undefined) {
			continue;
		}
		const { values, local } = input;
		const eventTypes = requiredEventTypes(callerIdField, local.waitFor);
		const owner = String(values[callerIdField]);
		const key = JSON.stringify([owner, eventTypes]);
		const check = checks.get(key) ?? toResult(checkReception(tokenRun, owner, eventTypes));
		checks.set(key, check);
		const { value, error } = await check;
		if (error === undefined) {
			listeners.set(item, value);
		} else if (tokenRun.isReady(item)) {
			errors.set(item, error);
			continue;
		}
		const resumeToken = { ...wait, item, eventTypes: awaitedEventTypes(callerIdField, local.waitFor) };
		contexts.set(item, { ...values.context, [CONTEXT_KEY]: seal(keys.resumeTokens, resumeToken) });
	}
	return { errors, listeners, contexts };
}

/** @throws ServiceError `NO_TRIGGER`, or `NO_ANSWER` if this n8n cannot be reached */
async function checkReception(
	{ run: { caller }, api, callerIdField, keys }: RunWithTokens,
	owner: string,
	eventTypes: readonly string[],
): Promise<Listener> {
	const listener = await findListener(api, callerIdField, owner, eventTypes);
	await assertWaitingReachable(api, caller, keys);
	return listener;
}
