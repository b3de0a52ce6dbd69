import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../api';
import { ServiceError } from '../errors';
import type { Operation } from '../operation';
import { webhooksIn } from '../pagination';
import type { Run } from '../run';
import { askTrigger } from './askTrigger';
import { isOwnAddress } from './ownAddress';

const OTHERWISE = 'Or set Wait By to Polling, which needs no trigger. Nothing was sent.';

/**
 * Makes sure, before anything is dialled, that a published trigger of this n8n with the same credential gets the events
 * that end the wait: it is asked.
 *
 * @param owner ID of the agent or campaign
 * @param kinds the events
 * @throws ServiceError `NO_TRIGGER`
 */
export async function assertResumable(
	api: Pick<Api, 'pages'>,
	{ caller }: Run,
	calledBy: Operation['calledBy'],
	owner: string,
	kinds: readonly string[],
): Promise<void> {
	const [source, path] = calledBy === 'agentId' ? (['Agent', 'agents'] as const) : (['Campaign', 'campaigns'] as const);
	const codes = { 404: `${source.toUpperCase()}_NOT_FOUND` };
	const listed = await api.pages({ method: 'GET', path: [path, owner, 'webhooks'], codes }, webhooksIn, Number.POSITIVE_INFINITY);
	const own = listed.filter(({ webhook_url: url, enabled }) => enabled !== false && isProduction(String(url)) && isOwnAddress(caller, String(url)));
	if (own.length === 0) {
		throw noTrigger(
			`No published Voice Agent Calling Trigger of this n8n listens to the ${source.toLowerCase()}, so nothing could tell this node what becomes of the calls`,
			`Add one with Source: ${source} and the events ${kinds.join(', ')} to this workflow or another one, with the same credential, and publish it.`,
		);
	}
	const listening = own.filter((webhook) => missingFrom(webhook, kinds).length === 0);
	if (listening.length === 0) {
		const lacking = missingFrom(own[0], kinds).join(', ');
		throw noTrigger(
			`The trigger that listens to the ${source.toLowerCase()} does not listen to ${lacking}, with which the wait can end`,
			`Add ${lacking} to its events and publish it again.`,
		);
	}
	const refusals: string[] = [];
	for (const { webhook_url: url } of listening) {
		const reply = await askTrigger(caller, String(url), { command: 'check' });
		if (reply?.proven && reply.status === 200) return;
		refusals.push(reply ? `HTTP status ${reply.status}` : 'no answer');
	}
	throw noTrigger(
		`The ${source.toLowerCase()} has a webhook at this n8n, but no published trigger with the same credential answers there (${refusals.join('; ')})`,
		'Publish the workflow with the trigger, give both nodes the same credential, and see that n8n can reach its own address.',
	);
}

/** n8n's address for test runs of a trigger, which works for two minutes at most, has this in it. */
function isProduction(url: string): boolean {
	return !url.includes('/webhook-test/');
}

function missingFrom({ events }: IDataObject, kinds: readonly string[]): string[] {
	const subscribed = Array.isArray(events) ? events : [];
	return kinds.filter((kind) => !subscribed.includes(kind));
}

function noTrigger(what: string, advice: string): ServiceError {
	return new ServiceError(what, { code: 'NO_TRIGGER', advice: `${advice} ${OTHERWISE}`, taken: 'no' });
}
