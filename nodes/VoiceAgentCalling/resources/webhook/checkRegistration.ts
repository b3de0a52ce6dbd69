import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../../../shared/client/api';
import { offeredEventsIn, webhooksIn } from '../../../shared/client/pagination';
import { objectIn } from '../../../shared/client/refusals';
import { ABOUT_FINISHED_CAMPAIGN, finishedCampaign } from '../../../shared/client/statuses';
import { unreadable } from '../../../shared/errors/serviceError';
import { adviceOnRefusal } from '../../../shared/events/adviceOnRefusal';
import { agentEvents, loggedCampaignEvents } from '../../../shared/events/eventTypes';
import { eventsField } from '../../../shared/fields/events';
import { reworded } from '../../../shared/fields/field';
import { webhookUrl } from '../../../shared/fields/webhooks';
import { inBatches } from '../../../shared/lib/collections';
import { type Owner, ownerTypes, webhooksPath } from '../../../shared/owner';
import {
	type Answer,
	askListener,
	type NoTriggerReason,
	type Problem,
	problemOf,
} from '../../../shared/triggerClient/listener';
import { isSameAddress, isTestUrl } from '../../../shared/triggerSecrets/triggerUrl';
import { defineOperation } from '../../operation/defineOperation';
import { owner } from './fields';
import { type LastDeliveries, readLastDeliveries } from './lastDeliveries';

const expectedEvents = eventsField({
	displayName: 'Expected Events',
	options: { agent: agentEvents, campaign: loggedCampaignEvents },
	description: 'The event types that the webhook must deliver; by default those of the trigger',
});

const onlyUrl = reworded(webhookUrl, {
	description: 'URL of the only webhook to check. By default, all that deliver to this n8n are checked.',
});

export const checkRegistration = defineOperation({
	name: 'Check Registration',
	value: 'checkRegistration',
	action: 'Check webhook registration',
	description:
		'Check whether webhooks deliver to this n8n, and how the last deliveries ended. The output has one item for each webhook, with its problems and what to do; without a webhook, one item with exists: false.',
	fields: owner,
	options: [onlyUrl, expectedEvents],
	async run(api, { ownerType, ownerId, webhook_url: url, events: expected }) {
		const of = { ownerType, ownerId };
		const list = { method: 'GET', path: webhooksPath(of), codes: { 404: ownerTypes[ownerType].noOwner } } as const;
		const offered = new Set<string>();
		const read = (body: IDataObject) => {
			for (const [event] of offeredEventsIn(body)) {
				offered.add(event);
			}
			return webhooksIn(body);
		};
		const all = await api.whole(list, read);
		const finished = await readFinished(api, of);
		const addressOf = (webhook: IDataObject) => String(webhook.webhook_url);
		// The webhook of an execution that waits for the campaign is no trigger's, and its address has a token. One at
		// another address is of interest if this n8n has its trigger.
		const asked = await inBatches(all, WEBHOOKS_AT_ONCE, async (webhook) => {
			const address = addressOf(webhook);
			const answer = await askListener(api, { ...of, id: String(webhook.id), url: address });
			const isHere = (await api.isOwnAddress(address)) && !(await api.resumesHere(address));
			return { webhook, address, answer, isListed: isHere || answer.reason === 'moved' };
		});
		const checked = asked.filter(({ address, isListed }) =>
			url === undefined ? isListed : isSameTarget(address, url),
		);
		const ofOwner = problemsIn(ownerChecks, { finished, url, count: all.length, isRegistered: checked.length > 0 });
		if (checked.length === 0) {
			return { ok: false, exists: false, problems: ofOwner };
		}
		if (url === undefined) {
			api.note(
				`Checked ${checked.length === 1 ? 'the webhook that leads' : `the ${checked.length} webhooks that lead`} to this n8n. A trigger whose webhook was deleted has none: to look for it, add Options → Webhook URL.`,
			);
		}
		const results: IDataObject[] = [];
		for (const { webhook, address, answer } of checked) {
			const { trigger } = answer.reason === undefined ? answer : {};
			// The trigger reports the events that it needs.
			const required = expected ?? trigger?.events ?? [];
			const last = await readLastDeliveries(api, webhooksPath(of, String(webhook.id)));
			const facts: WebhookFacts = {
				webhook,
				last,
				answer,
				hasMoved: url !== undefined && !isSame(address, url),
				lacksCallEvents:
					expected === undefined && trigger?.includeCallEvents === true && webhook.include_call_events === false,
				missing: required.filter((event) => !delivers(webhook, event)),
				notOffered: required.filter((event) => offered.size > 0 && !offered.has(event) && !isInsideCall(event)),
				duplicates: all.map(addressOf).filter((other) => isSame(other, address) || isSameAddress(other, address))
					.length,
			};
			const ofTrigger = answer.reason === undefined || HARMLESS.includes(answer.reason) ? [] : [problemOf(answer)];
			const problems = [...ofTrigger, ...problemsIn(webhookChecks, facts), ...ofOwner];
			results.push({
				ok: problems.length === 0,
				exists: true,
				problems,
				enabled: webhook.enabled !== false,
				webhookId: webhook.id,
				name: webhook.name,
				webhookUrl: address,
				rightUrl: !facts.hasMoved && !isTestUrl(address) && answer.reason !== 'otherOwner' && answer.reason !== 'moved',
				events: webhook.events,
				missingEvents: facts.missing,
				availableEvents: [...offered],
				lastDeliveries: last,
				answers: answer.reason === undefined ? true : UNKNOWN.includes(answer.reason) ? null : false,
			});
		}
		return results;
	},
});

/** How many webhooks are asked about at the same time. */
const WEBHOOKS_AT_ONCE = 5;

/** Reasons why the node did not ask a trigger, so that `answers` is unknown. */
const UNKNOWN: NoTriggerReason[] = ['elsewhere', 'moved', 'testUrl', 'notATrigger'];

/** Reasons that are no problem: a webhook can also lead to something that is no trigger, or not on this n8n. */
const HARMLESS: NoTriggerReason[] = ['elsewhere', 'notATrigger'];

function isSame(left: string, right: string): boolean {
	return URL.canParse(left) && URL.canParse(right) ? new URL(left).href === new URL(right).href : left === right;
}

/** Whether two URLs lead to the same trigger. The host can differ; the path contains an ID unique to the trigger. */
function isSameTarget(address: string, url: string): boolean {
	const path = URL.canParse(address) ? new URL(address).pathname : '/';
	return isSame(address, url) || (path !== '/' && path === new URL(url).pathname);
}

/** Whether a webhook delivers an event type. `include_call_events` adds all events within a call. */
function delivers({ events, include_call_events: includesCalls }: IDataObject, event: string): boolean {
	return [events].flat().includes(event) || (includesCalls === true && isInsideCall(event));
}

/** Whether an event happens inside a call: a campaign's webhook can deliver it, though the service does not list it. */
function isInsideCall(event: string): boolean {
	return agentEvents.some(({ value }) => value === event);
}

/** Says that a campaign is finished; undefined for any other, and for an agent. @throws ServiceError */
async function readFinished(api: Api, { ownerType, ownerId }: Owner): Promise<string | undefined> {
	if (ownerType !== 'campaign') {
		return undefined;
	}
	const body = await api.request({ method: 'GET', path: ['campaigns', ownerId] });
	if (typeof objectIn(body, 'the campaign', ownerId).status !== 'string') {
		throw unreadable('without the status of the campaign');
	}
	return finishedCampaign(body);
}

/** What may be wrong. */
interface Check<Facts> {
	code: string;
	/** Returns the message; undefined or false where all is well. */
	find(facts: Facts): string | false | undefined;
	whatToDo: string | ((facts: Facts) => string);
}

function problemsIn<Facts>(checks: ReadonlyArray<Check<Facts>>, facts: Facts): Problem[] {
	return checks.flatMap(({ code, find, whatToDo }) => {
		const message = find(facts);
		return message ? [{ code, message, whatToDo: typeof whatToDo === 'string' ? whatToDo : whatToDo(facts) }] : [];
	});
}

/** What is known of the agent or campaign. */
interface OwnerFacts {
	/** Whether a webhook of it is checked. */
	isRegistered: boolean;
	/** How many webhooks it has. */
	count: number;
	/** Of the only webhook to check. */
	url: string | undefined;
	finished: string | undefined;
}

const ownerChecks: ReadonlyArray<Check<OwnerFacts>> = [
	{
		code: 'NOT_REGISTERED',
		find: ({ isRegistered, url = 'this n8n', count }) =>
			!isRegistered &&
			`No webhook delivers to ${url}. There ${count === 1 ? 'is 1 webhook' : `are ${count} webhooks`} in total`,
		whatToDo:
			'Publish the workflow with the Voice Agent Calling Trigger: the trigger registers its webhook itself. If the workflow is published, unpublish it first.',
	},
	{ code: 'CAMPAIGN_FINISHED', find: ({ finished }) => finished, whatToDo: ABOUT_FINISHED_CAMPAIGN },
];

/** What is known of a webhook. */
interface WebhookFacts {
	webhook: IDataObject;
	last: LastDeliveries;
	/** Of the trigger to which it delivers. */
	answer: Answer;
	/** Whether the webhook delivers to another address than expected. */
	hasMoved: boolean;
	/** Whether the trigger wants the events inside calls, and the webhook does not deliver them. */
	lacksCallEvents: boolean;
	missing: string[];
	/** Event types that the trigger wants, and the service does not list. */
	notOffered: string[];
	/** How many webhooks have the same address. */
	duplicates: number;
}

const webhookChecks: ReadonlyArray<Check<WebhookFacts>> = [
	{
		code: 'DISABLED',
		find: ({ webhook }) => webhook.enabled === false && 'The webhook is disabled: the service delivers nothing to it',
		whatToDo:
			"Turn on 'Enabled' with 'Update'. What happened meanwhile was not sent, and 'Catch Up' does not find it: look at the calls.",
	},
	{
		code: 'WRONG_URL',
		find: ({ hasMoved, webhook }) => hasMoved && `The webhook delivers to ${String(webhook.webhook_url)}`,
		whatToDo: "If n8n's address has changed, use 'Update' with the Webhook URL that it has now.",
	},
	{
		code: 'EVENTS_MISSING',
		find: ({ missing }) => missing.length > 0 && `The webhook does not deliver ${missing.join(', ')}`,
		whatToDo: 'Select them in the trigger and publish its workflow again.',
	},
	{
		code: 'EVENTS_MISSING',
		find: ({ lacksCallEvents }) => lacksCallEvents && 'The webhook does not deliver the events inside calls',
		whatToDo: "Turn on 'Include Call Events' with 'Update'.",
	},
	{
		code: 'EVENTS_NOT_OFFERED',
		find: ({ notOffered }) => notOffered.length > 0 && `The service does not offer ${notOffered.join(', ')}`,
		whatToDo: 'Remove these events, or check their spelling. availableEvents lists what the service offers.',
	},
	{
		code: 'DOUBLE',
		find: ({ duplicates }) =>
			duplicates > 1 && `${duplicates} webhooks deliver to this URL, so each event arrives ${duplicates} times`,
		whatToDo: "Use 'Rotate Secret' for one of them, so that its secret is right, and delete the others.",
	},
	{
		code: 'LAST_DELIVERY_FAILED',
		// A failure without a time may be the last delivery.
		find: ({ last: { lastFailure, lastFailureAt, lastSuccessAt } }) =>
			lastFailure !== null &&
			(lastFailureAt ?? '~') > (lastSuccessAt ?? '') &&
			`The last delivery failed: ${lastFailure.reason}`,
		// Only a trigger that answers now is known to have given the status.
		whatToDo: ({ last, answer }) =>
			adviceByDeliveryStatus[(answer.reason === undefined && last.lastFailure?.httpStatus) || 0] ??
			"Remove the cause, then use 'Catch Up' for the missed events.",
	},
];

/** What to do about a delivery that a trigger has refused, by HTTP status. */
const adviceByDeliveryStatus: Readonly<Record<number, string>> = {
	401: [
		"n8n's log says why the trigger rejected it.",
		...Object.entries(adviceOnRefusal).map(([reason, advice]) => `If it says "${reason}": ${advice}`),
	].join(' '),
	404: "The workflow was not published then, or the webhook's method was changed in the service: set it to POST with 'Update'. Then use 'Catch Up' for the missed events.",
};
