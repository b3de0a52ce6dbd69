import type { IDataObject } from 'n8n-workflow';

import { type Result, ServiceError } from '../../shared/errors/serviceError';
import { agentEvents, campaignEvents } from '../../shared/fields/eventKinds';
import { saysRunning } from '../../shared/nodeLink/answersOfN8n';
import { askListener, type NoTrigger, problemOf } from '../../shared/nodeLink/listener';
import type { Reply } from '../../shared/nodeLink/messages';
import { whyNotN8n } from '../../shared/nodeLink/whyNotN8n';
import { webhooksIn } from '../../shared/service/pagination';
import type { Operation } from '../operation/operation';
import type { Api } from '../sending/api';

const OTHERWISE = 'Or set Wait By to Polling, which needs no trigger.';

/** A trigger of this n8n that receives the events of an agent or campaign. */
export interface Listener {
	/** ID of the webhook that delivers to it. */
	webhook: string;
	/** The kinds of event that it receives. */
	kinds: string[];
}

/**
 * Checks that a published trigger of this n8n with the same credential receives the events that end the wait. Sends
 * messages to the triggers of the agent or campaign. To be called before any call is placed.
 *
 * @param owner ID of the agent or campaign
 * @param kinds the kinds of event
 * @returns that trigger
 * @throws ServiceError `NO_TRIGGER`
 */
export async function assertResumable(
	api: Api,
	calledBy: Operation['calledBy'],
	owner: string,
	kinds: readonly string[],
): Promise<Listener> {
	const source = calledBy === 'agentId' ? 'agent' : 'campaign';
	const codes = { 404: source === 'agent' ? 'AGENT_NOT_FOUND' : 'CAMPAIGN_NOT_FOUND' } as const;
	const listed = await api.pages(
		{ method: 'GET', path: [`${source}s`, owner, 'webhooks'], codes },
		webhooksIn,
		Number.POSITIVE_INFINITY,
	);
	const noTriggers: NoTrigger[] = [];
	const allMissing: string[] = [];
	for (const webhook of listed.filter(({ enabled }) => enabled !== false)) {
		const missing = kindsNotReceived(webhook, kinds);
		const remote = { id: String(webhook.id), url: String(webhook.webhook_url), source, ownerId: owner } as const;
		const answer = await askListener(api, remote);
		if (answer.not !== undefined) {
			noTriggers.push(answer);
			continue;
		}
		if (missing.length === 0) {
			return { webhook: remote.id, kinds: [webhook.events].flat().map(String) };
		}
		allMissing.push(...missing);
	}
	throw explainNoTrigger(source, kinds, allMissing, noTriggers);
}

/**
 * Why n8n cannot be reached at the URL of waiting executions, and what to do; undefined if it can be.
 *
 * @param check the result of a message to the URL of a waiting execution: n8n responds that the execution is running
 */
export function whyUnreachable(url: string, check: Result<Reply>): { what: string; advice: string } | undefined {
	const why = whyNotN8n(check, saysRunning);
	if (why === undefined) {
		return undefined;
	}
	const { origin, pathname } = new URL(url);
	const address = `${origin}${pathname.replace(/[^/]*\/[^/]*$/, '')}`;
	return {
		what: `The node would never learn the outcome: n8n does not answer at ${address} (${why.detail})`,
		advice: why.advice,
	};
}

/**
 * Checks that n8n can be reached at the URL of waiting executions, which has another path than the trigger's.
 *
 * @throws ServiceError `NO_TRIGGER`
 */
export function assertWaitingReachable(url: string, check: Result<Reply>): void {
	const why = whyUnreachable(url, check);
	if (why !== undefined) {
		throw noTriggerError(why.what, why.advice);
	}
}

/**
 * Why nothing would report the end of a call.
 *
 * @param missing the kinds of event that triggers do not receive
 * @param noTriggers why the other webhooks have no trigger
 */
function explainNoTrigger(
	source: 'agent' | 'campaign',
	kinds: readonly string[],
	missing: readonly string[],
	noTriggers: readonly NoTrigger[],
): ServiceError {
	if (missing.length > 0) {
		const events = namesOf(missing);
		const what = `The trigger of this ${source} does not listen to ${events}, so the node would never learn the outcome`;
		return noTriggerError(what, `Add ${events} to its events and publish it again.`);
	}
	const almost = noTriggers.find(({ not }) => !['elsewhere', 'testUrl', 'notATrigger'].includes(not));
	if (almost !== undefined) {
		const { message, whatToDo } = problemOf(almost);
		return noTriggerError(`The node would never learn the outcome: ${message}`, whatToDo);
	}
	return noTriggerError(
		`No published Voice Agent Calling Trigger of this n8n listens to this ${source}, so the node would never learn the outcome`,
		`Add one to any workflow, with the same credential, this ${source} as its source and the events ${namesOf(kinds)}, and publish it. Or connect this ${source} to one that has these events, with 'Connect to Trigger'.`,
	);
}

/** The names of event types in the editor, each once. */
function namesOf(kinds: readonly string[]): string {
	const nameOf = (kind: string) =>
		[...campaignEvents, ...agentEvents].find(({ value }) => value === kind)?.name ?? kind;
	return [...new Set(kinds)].map(nameOf).join(', ');
}

function kindsNotReceived({ events }: IDataObject, kinds: readonly string[]): string[] {
	const subscribed = [events].flat();
	return kinds.filter((kind) => !subscribed.includes(kind));
}

function noTriggerError(what: string, advice: string): ServiceError {
	return new ServiceError(what, { code: 'NO_TRIGGER', advice: `${advice} ${OTHERWISE}`, accepted: 'no' });
}
