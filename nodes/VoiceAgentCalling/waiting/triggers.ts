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
	const allTemplated: string[] = [];
	for (const webhook of listed.filter(({ enabled }) => enabled !== false)) {
		const missing = kindsNotReceived(webhook, kinds);
		const remote = { id: String(webhook.id), url: String(webhook.webhook_url), source, ownerId: owner } as const;
		const answer = await askListener(api, remote, 'check');
		if (answer.not !== undefined) {
			noTriggers.push(answer.not);
			continue;
		}
		const templated = kinds.filter((kind) => [answer.body.templated].flat().includes(kind));
		if (missing.length === 0 && templated.length === 0) {
			return;
		}
		allMissing.push(...missing);
		allTemplated.push(...templated);
	}
	throw explainNoTrigger(source, kinds, { missing: allMissing, templated: allTemplated, noTriggers });
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

/** Why nothing would report the end of a call. */
interface Lack {
	/** The kinds of event that triggers do not receive. */
	missing: string[];
	/** The kinds of event that triggers receive with a body of the user's own. */
	templated: string[];
	/** Why the other webhooks have no trigger. */
	noTriggers: NoTriggerReason[];
}

function explainNoTrigger(
	source: 'agent' | 'campaign',
	kinds: readonly string[],
	{ missing, templated, noTriggers }: Lack,
): ServiceError {
	if (missing.length > 0) {
		const events = [...new Set(missing)].join(', ');
		const what = `The trigger that listens to the ${source} does not listen to ${events}, with which the wait can end`;
		return noTriggerError(what, `Add ${events} to its events and publish it again.`);
	}
	if (templated.length > 0) {
		const events = [...new Set(templated)].join(', ');
		const what = `The trigger that listens to the ${source} has a payload template for ${events}, so nothing says that the call's context is in it`;
		return noTriggerError(what, "Take the template out of the trigger's options and publish it again.");
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
