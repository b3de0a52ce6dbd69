import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import { webhooksIn } from '../../shared/client/pagination';
import type { Run } from '../../shared/client/run';
import { type Result, ServiceError, toResult } from '../../shared/errors/serviceError';
import { agentEvents, campaignEvents } from '../../shared/events/eventTypes';
import type { Keys } from '../../shared/keys';
import { checkTriggerOf, type NoTrigger, problemOf } from '../../shared/triggerClient/checkTrigger';
import { CONTEXT_FIELD, seal } from '../../shared/triggerSecrets/resumeToken';
import type { CallerIdField } from '../operation/call';
import { awaitedEventTypes, requiredEventTypes } from './callOutcome';
import { assertWaitingReachable, NO_EVENT, OTHERWISE } from './startWait';
import { type Artifact, nodeResumeAddress, type WaitBy, waitIdOf } from './wait';

/** How the node waits for a call, see `fields/waiting.ts`. */
export interface WaitSettings {
	waitBy: WaitBy;
	waitFor?: Artifact[];
	/** In milliseconds. */
	timeLimit?: number;
	/** In seconds. */
	pollInterval?: number;
}

/** The input of an item whose call is awaited: the values of the call, and how to wait. */
export interface AwaitedInput {
	values: Record<string, unknown> & { context?: IDataObject };
	local: WaitSettings;
}

/** A run of an operation whose calls get resume tokens. */
interface RunWithTokens {
	run: Run;
	/** For requests that all items share. */
	api: Api;
	/** Index of the node's run in the execution. */
	runIndex: number;
	callerIdField: CallerIdField;
	keys: Keys;
	/** Whether the call of an item is still to be sent, and not of an earlier attempt. */
	isReady(item: number): boolean;
}

/**
 * Creates a resume token for each call, so that its events can resume this execution. First checks that a trigger
 * receives the events. The calls of an earlier attempt were placed after this check, so a failed check does not stop
 * them.
 *
 * @param inputs by item; undefined for an item whose call is not placed
 * @returns three maps by item: `errors` for calls whose end no event would report, `listeners` for the events, and
 *   `contexts` to send, with the resume tokens
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
		contexts.set(item, { ...values.context, [CONTEXT_FIELD]: seal(keys.resumeTokens, resumeToken) });
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

/** A trigger of this n8n that receives the events of an agent or campaign. */
export interface Listener {
	/** ID of the webhook that delivers to the trigger. */
	webhook: string;
	/** The event types that the trigger receives. */
	eventTypes: string[];
}

/**
 * Finds a published trigger of this n8n, with the same credential, that receives the events that end the wait. Sends a
 * message to each trigger of the agent or campaign. Called before any call is placed.
 *
 * @param owner ID of the agent or campaign
 * @throws ServiceError `NO_TRIGGER`
 */
export async function findListener(
	api: Api,
	callerIdField: CallerIdField,
	owner: string,
	eventTypes: readonly string[],
): Promise<Listener> {
	const ownerType = callerIdField === 'agentId' ? 'agent' : 'campaign';
	const codes = { 404: ownerType === 'agent' ? 'AGENT_NOT_FOUND' : 'CAMPAIGN_NOT_FOUND' } as const;
	const listed = await api.pages(
		{ method: 'GET', path: [`${ownerType}s`, owner, 'webhooks'], codes },
		webhooksIn,
		Number.POSITIVE_INFINITY,
	);
	const noTriggers: NoTrigger[] = [];
	const allMissing: string[] = [];
	for (const webhook of listed.filter(({ enabled }) => enabled !== false)) {
		const missing = missingEventTypes(webhook, eventTypes);
		const remote = { id: String(webhook.id), url: String(webhook.webhook_url), ownerType, ownerId: owner } as const;
		const check = await checkTriggerOf(api, remote);
		if (check.code !== undefined) {
			noTriggers.push(check);
			continue;
		}
		if (missing.length === 0) {
			return { webhook: remote.id, eventTypes: [webhook.events].flat().map(String) };
		}
		allMissing.push(...missing);
	}
	throw explainNoTrigger(ownerType, eventTypes, allMissing, noTriggers);
}

/**
 * Creates the error that explains why no event would report the end of a call.
 *
 * @param missing the event types that triggers do not receive
 * @param noTriggers why the other webhooks have no trigger
 */
function explainNoTrigger(
	ownerType: 'agent' | 'campaign',
	eventTypes: readonly string[],
	missing: readonly string[],
	noTriggers: readonly NoTrigger[],
): ServiceError {
	if (missing.length > 0) {
		const events = namesOf(missing);
		const what = `${NO_EVENT}: the trigger of this ${ownerType} does not listen to ${events}`;
		return noTriggerError(what, `Add ${events} to its events and publish it again.`);
	}
	const almost = noTriggers.find(({ code }) => !['NOT_ON_THIS_N8N', 'TEST_URL', 'NOT_A_TRIGGER'].includes(code));
	if (almost !== undefined) {
		const { message, whatToDo } = problemOf(almost);
		return noTriggerError(`${NO_EVENT}: ${message}`, whatToDo);
	}
	return noTriggerError(
		`${NO_EVENT}: no published Voice Agent Calling Trigger of this n8n listens to this ${ownerType}`,
		`Add one to any workflow, with the same credential, this ${ownerType} as its source and the events ${namesOf(eventTypes)}, and publish it. Or connect this ${ownerType} to one that has these events, with 'Connect to Trigger'. If you have published one, Webhook → Check Registration says what is wrong.`,
	);
}

/** Returns the names of event types in the editor, without duplicates. */
function namesOf(eventTypes: readonly string[]): string {
	const nameOf = (type: string) =>
		[...campaignEvents, ...agentEvents].find(({ value }) => value === type)?.name ?? type;
	return [...new Set(eventTypes)].map(nameOf).join(', ');
}

function missingEventTypes({ events }: IDataObject, eventTypes: readonly string[]): string[] {
	const subscribed = [events].flat();
	return eventTypes.filter((type) => !subscribed.includes(type));
}

function noTriggerError(what: string, advice: string): ServiceError {
	return new ServiceError(what, { code: 'NO_TRIGGER', advice: `${advice} ${OTHERWISE}`, accepted: 'no' });
}
