import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../shared/errors/serviceError';
import { isRecord } from '../../shared/lib/isRecord';
import { askListener, type NoTriggerReason, noTrigger } from '../../shared/nodeLink/listener';
import type { Reply } from '../../shared/nodeLink/messages';
import { webhooksIn } from '../../shared/service/pagination';
import type { Operation } from '../operation/operation';
import type { Api } from '../sending/api';

const OTHERWISE = 'Or set Wait By to Polling, which needs no trigger. Nothing was sent.';

/**
 * Checks that a published trigger of this n8n with the same credential receives the events that end the wait. Sends
 * messages to the triggers of the agent or campaign. To be called before any call is placed.
 *
 * @param owner ID of the agent or campaign
 * @param kinds the kinds of event
 * @throws ServiceError `NO_TRIGGER`
 */
export async function assertResumable(
	api: Api,
	calledBy: Operation['calledBy'],
	owner: string,
	kinds: readonly string[],
): Promise<void> {
	const source = calledBy === 'agentId' ? 'agent' : 'campaign';
	const codes = { 404: source === 'agent' ? 'AGENT_NOT_FOUND' : 'CAMPAIGN_NOT_FOUND' } as const;
	const listed = await api.pages(
		{ method: 'GET', path: [`${source}s`, owner, 'webhooks'], codes },
		webhooksIn,
		Number.POSITIVE_INFINITY,
	);
	const noTriggers: NoTriggerReason[] = [];
	const allMissing: string[] = [];
	for (const webhook of listed.filter(({ enabled }) => enabled !== false)) {
		const missing = kindsNotReceived(webhook, kinds);
		const remote = { id: String(webhook.id), url: String(webhook.webhook_url), source, ownerId: owner } as const;
		const { not } = await askListener(api, remote, 'check');
		if (not !== undefined) {
			noTriggers.push(not);
		} else if (missing.length === 0) {
			return;
		} else {
			allMissing.push(...missing);
		}
	}
	throw explainNoTrigger(source, kinds, allMissing, noTriggers);
}

/**
 * Checks that n8n can be reached at the URL of waiting executions, which has another path than the trigger's.
 *
 * @param result of a message to the URL, to which n8n itself responds that the execution is running
 * @throws ServiceError `NO_TRIGGER`
 */
export function assertWaitingReachable(
	url: string,
	{ value: reply, error: failure }: { value?: Reply; error?: ServiceError },
): void {
	if (reply !== undefined && isRecord(reply.body) && typeof reply.body.message === 'string') {
		return;
	}
	const { origin, pathname } = new URL(url);
	throw noTriggerError(
		`Nothing could tell this node what becomes of the calls: n8n does not answer at ${origin}${pathname.replace(/[^/]*\/[^/]*$/, '')} (${failure?.message ?? `HTTP status ${reply?.status}`})`,
		'A proxy before n8n has to let this address through with its query, like that of the webhooks.',
	);
}

/** @param missing the kinds of event that triggers do not receive @param noTriggers why the other webhooks have none */
function explainNoTrigger(
	source: 'agent' | 'campaign',
	kinds: readonly string[],
	missing: string[],
	noTriggers: NoTriggerReason[],
): ServiceError {
	if (missing.length > 0) {
		const events = [...new Set(missing)].join(', ');
		const what = `The trigger that listens to the ${source} does not listen to ${events}, with which the wait can end`;
		return noTriggerError(what, `Add ${events} to its events and publish it again.`);
	}
	const almost = noTriggers.find((not) => !['elsewhere', 'testUrl', 'notATrigger'].includes(not));
	if (almost !== undefined) {
		const { message, whatToDo } = noTrigger[almost];
		return noTriggerError(`Nothing could tell this node what becomes of the calls. ${message}`, whatToDo);
	}
	return noTriggerError(
		`No published Voice Agent Calling Trigger of this n8n listens to the ${source}, so nothing could tell this node what becomes of the calls`,
		`Add one with Source: ${source === 'agent' ? 'Agent' : 'Campaign'} and the events ${kinds.join(', ')} to this workflow or another one, with the same credential, and publish it.`,
	);
}

function kindsNotReceived({ events }: IDataObject, kinds: readonly string[]): string[] {
	const subscribed = [events].flat();
	return kinds.filter((kind) => !subscribed.includes(kind));
}

function noTriggerError(what: string, advice: string): ServiceError {
	return new ServiceError(what, { code: 'NO_TRIGGER', advice: `${advice} ${OTHERWISE}`, accepted: 'no' });
}
