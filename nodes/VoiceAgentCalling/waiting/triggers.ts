import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Api } from '../../shared/client/api';
import { webhooksIn } from '../../shared/client/pagination';
import { ServiceError, toResult } from '../../shared/errors/serviceError';
import { agentEvents, campaignEvents } from '../../shared/events/eventTypes';
import type { Keys } from '../../shared/keys';
import { isStillRunning, refusesUnknownMethod } from '../../shared/triggerClient/answersOfN8n';
import { askListener, type NoTrigger, problemOf } from '../../shared/triggerClient/listener';
import { sendMessage } from '../../shared/triggerClient/messages';
import { explainMissingReply } from '../../shared/triggerClient/whyNotN8n';
import type { CallerIdField } from '../operation/call';
import { nodeResumeAddress } from './state';

/** What else to do where no event can end a wait. */
export const OTHERWISE = 'Or set Wait By to Polling.';

const UNHEARD = 'No event would end the wait';

/** A trigger of this n8n that receives the events of an agent or campaign. */
export interface Listener {
	/** ID of the webhook that delivers to it. */
	webhook: string;
	/** The event types that it receives. */
	eventTypes: string[];
}

/**
 * Finds a published trigger of this n8n with the same credential that receives the events that end the wait. Sends
 * messages to the triggers of the agent or campaign. To be called before any call is placed.
 *
 * @param owner ID of the agent or campaign
 * @param eventTypes the event types
 * @returns that trigger
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
		const answer = await askListener(api, remote);
		if (answer.reason !== undefined) {
			noTriggers.push(answer);
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
 * Checks, once in a run, that n8n can be reached at the URL of waiting executions, which has another path than the
 * trigger's. n8n refuses a method that it does not know, and unlike its other refusals it does not log this one. Only if
 * something else answers, a message asks again, and says what is wrong.
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
			throw new ServiceError(`${UNHEARD}: n8n does not answer at ${address} (${why.detail})`, {
				code: 'NO_ANSWER',
				advice: `${why.advice} ${OTHERWISE}`,
				accepted: 'no',
			});
		}
	});
}

/**
 * Why nothing would report the end of a call.
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
		const what = `${UNHEARD}: the trigger of this ${ownerType} does not listen to ${events}`;
		return noTriggerError(what, `Add ${events} to its events and publish it again.`);
	}
	const almost = noTriggers.find(({ reason }) => !['elsewhere', 'testUrl', 'notATrigger'].includes(reason));
	if (almost !== undefined) {
		const { message, whatToDo } = problemOf(almost);
		return noTriggerError(`${UNHEARD}: ${message}`, whatToDo);
	}
	return noTriggerError(
		`${UNHEARD}: no published Voice Agent Calling Trigger of this n8n listens to this ${ownerType}`,
		`Add one to any workflow, with the same credential, this ${ownerType} as its source and the events ${namesOf(eventTypes)}, and publish it. Or connect this ${ownerType} to one that has these events, with 'Connect to Trigger'. If you have published one, Webhook → Check Registration says what is wrong.`,
	);
}

/** The names of event types in the editor, each once. */
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
