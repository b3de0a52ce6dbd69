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
	checkTriggerOf,
	type NoTriggerCode,
	type Problem,
	problemOf,
	type TriggerCheck,
} from '../../../shared/triggerClient/checkTrigger';
import { isSameAddress, isTestUrl } from '../../../shared/triggerSecrets/triggerUrl';
import { defineOperation } from '../../operation/defineOperation';
import { owner } from './fields';
import { type LastDeliveries, readLastDeliveries } from './lastDeliveries';

const expectedEvents = eventsField({
	displayName: 'Expected Events',
	options: { agent: agentEvents, campaign: loggedCampaignEvents },
	description: 'The event types that the webhook must deliver; by default the events of the trigger',
});

const onlyUrl = reworded(webhookUrl, {
	description: 'URL of the only webhook to check. By default, all that deliver to this n8n are checked.',
});

export const checkRegistration = defineOperation({
	name: 'Check Registration',
	value: 'checkRegistration',
	action: 'Check webhook registration',
	description: 'Check whether webhooks deliver to this n8n, with the last deliveries, the problems and what to do',
	fields: owner,
	options: [onlyUrl, expectedEvents],
	async run(api, { ownerType, ownerId, webhook_url: url, events: expected }) {
		const webhookOwner = { ownerType, ownerId };
		const { webhooks, offered } = await listWebhooks(api, webhookOwner);
		const finished = await readFinished(api, webhookOwner);
		const all = await inBatches(webhooks, WEBHOOKS_AT_ONCE, async (one) => checkTrigger(api, webhookOwner, one));
		const checked = all.filter(({ address, isOfThisN8n }) =>
			url === undefined ? isOfThisN8n : isSameTarget(address, url),
		);
		const ofOwner = problemsIn(ownerChecks, { finished, url, count: all.length, isRegistered: checked.length > 0 });
		if (checked.length === 0) {
			return { ok: false, exists: false, problems: ofOwner };
		}
		if (url === undefined) {
			api.note(
				`Checked ${checked.length === 1 ? 'the webhook that delivers' : `the ${checked.length} webhooks that deliver`} to this n8n. A webhook that was deleted is not listed: to look for it, add Options → Webhook URL.`,
			);
		}
		const addresses = all.map(({ address }) => address);
		const results: IDataObject[] = [];
		for (const { webhook, address, check } of checked) {
			const last = await readLastDeliveries(api, webhooksPath(webhookOwner, String(webhook.id)));
			const facts = factsOf({ webhook, address, check, last, addresses, offered, expected, url });
			results.push(resultOf(facts, [...problemsOf(facts), ...ofOwner]));
		}
		return results;
	},
});

/** How many triggers are checked at the same time. */
const WEBHOOKS_AT_ONCE = 5;

/** Codes of webhooks whose trigger was not asked, so that `answers` is unknown. */
const UNKNOWN: NoTriggerCode[] = ['NOT_ON_THIS_N8N', 'OTHER_ADDRESS', 'TEST_URL', 'NOT_A_TRIGGER'];

/** Codes that are not a problem: a webhook may also deliver to something else than a trigger, or outside this n8n. */
const HARMLESS: NoTriggerCode[] = ['NOT_ON_THIS_N8N', 'NOT_A_TRIGGER'];

/** Lists the webhooks of an owner, and the event types that the service offers. @throws ServiceError */
async function listWebhooks(api: Api, { ownerType, ownerId }: Owner) {
	const codes = { 404: ownerTypes[ownerType].noOwner };
	const list = { method: 'GET', path: webhooksPath({ ownerType, ownerId }), codes } as const;
	const offered = new Set<string>();
	const webhooks = await api.whole(list, (body) => {
		for (const [event] of offeredEventsIn(body)) {
			offered.add(event);
		}
		return webhooksIn(body);
	});
	return { webhooks, offered };
}

/** Checks the trigger that a webhook delivers to. */
async function checkTrigger(api: Api, webhookOwner: Owner, webhook: IDataObject) {
	const address = String(webhook.webhook_url);
	const check = await checkTriggerOf(api, { ...webhookOwner, id: String(webhook.id), url: address });
	// The webhook of an execution that waits for the campaign does not belong to a trigger, and its address has a token.
	const isHere = (await api.isOwnAddress(address)) && !(await api.resumesHere(address));
	// A webhook at another address is listed if this n8n has its trigger.
	return { webhook, address, check, isOfThisN8n: isHere || check.code === 'OTHER_ADDRESS' };
}

function isSame(left: string, right: string): boolean {
	return URL.canParse(left) && URL.canParse(right) ? new URL(left).href === new URL(right).href : left === right;
}

/** Whether two URLs are those of one trigger. The host can differ; the path contains an ID unique to the trigger. */
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

/**
 * Returns the message that a campaign is finished; undefined for other campaigns and for agents.
 *
 * @throws ServiceError
 */
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

/** A check for one problem. */
interface Check<Facts> {
	code: string;
	/** Returns the message; undefined or false if there is no problem. */
	find(facts: Facts): string | false | undefined;
	whatToDo: string | ((facts: Facts) => string);
}

function problemsIn<Facts>(checks: ReadonlyArray<Check<Facts>>, facts: Facts): Problem[] {
	return checks.flatMap(({ code, find, whatToDo }) => {
		const message = find(facts);
		return message ? [{ code, message, whatToDo: typeof whatToDo === 'string' ? whatToDo : whatToDo(facts) }] : [];
	});
}

/** What is known about the agent or campaign. */
interface OwnerFacts {
	/** Whether any of its webhooks is checked. */
	isRegistered: boolean;
	/** How many webhooks it has. */
	count: number;
	/** The URL of the only webhook to check. */
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
			'Publish the workflow with the Voice Agent Calling Trigger: the trigger registers its webhook itself. If the workflow is published, unpublish it first; before that, use Catch Up if events are missing.',
	},
	{ code: 'CAMPAIGN_FINISHED', find: ({ finished }) => finished, whatToDo: ABOUT_FINISHED_CAMPAIGN },
];

/** What is known about a webhook. */
interface WebhookFacts {
	webhook: IDataObject;
	address: string;
	last: LastDeliveries;
	/** The check of the trigger to which the webhook delivers. */
	check: TriggerCheck;
	/** Whether the webhook delivers to another address than expected. */
	hasMoved: boolean;
	/** Whether the trigger needs the events inside calls, and the webhook does not deliver them. */
	lacksCallEvents: boolean;
	/** Event types that are needed, and the webhook does not deliver. */
	missing: string[];
	/** Event types that are needed, and the service does not list. */
	notOffered: string[];
	/** Event types that the service lists. */
	offered: string[];
	/** How many webhooks have the same address. */
	duplicates: number;
}

interface WhatWasRead extends Pick<WebhookFacts, 'webhook' | 'address' | 'check' | 'last'> {
	/** The addresses of all webhooks of the owner. */
	addresses: string[];
	offered: ReadonlySet<string>;
	/** The parameters Expected Events and Webhook URL. */
	expected: string[] | undefined;
	url: string | undefined;
}

/** Computes what is known about a webhook. */
function factsOf({ webhook, address, check, last, addresses, offered, expected, url }: WhatWasRead): WebhookFacts {
	const trigger = check.code === undefined ? check.trigger : undefined;
	// The trigger reports the events that it needs.
	const required = expected ?? trigger?.events ?? [];
	return {
		webhook,
		address,
		last,
		check,
		hasMoved: url !== undefined && !isSame(address, url),
		lacksCallEvents:
			expected === undefined && trigger?.includeCallEvents === true && webhook.include_call_events === false,
		missing: required.filter((event) => !delivers(webhook, event)),
		notOffered: required.filter((event) => offered.size > 0 && !offered.has(event) && !isInsideCall(event)),
		offered: [...offered],
		duplicates: addresses.filter((other) => isSame(other, address) || isSameAddress(other, address)).length,
	};
}

function problemsOf(facts: WebhookFacts): Problem[] {
	const { check } = facts;
	const ofTrigger = check.code === undefined || HARMLESS.includes(check.code) ? [] : [problemOf(check)];
	return [...ofTrigger, ...problemsIn(webhookChecks, facts)];
}

/** Returns the output item of a webhook. */
function resultOf(
	{ webhook, address, check: { code }, hasMoved, missing, offered, last }: WebhookFacts,
	problems: Problem[],
): IDataObject {
	return {
		ok: problems.length === 0,
		exists: true,
		problems,
		enabled: webhook.enabled !== false,
		webhookId: webhook.id,
		name: webhook.name,
		webhookUrl: address,
		rightUrl: !hasMoved && !isTestUrl(address) && code !== 'TRIGGER_OF_ANOTHER' && code !== 'OTHER_ADDRESS',
		events: webhook.events,
		missingEvents: missing,
		availableEvents: offered,
		lastDeliveries: last,
		answers: code === undefined ? true : UNKNOWN.includes(code) ? null : false,
	};
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
		// Only a trigger that responds now is known to have sent the status.
		whatToDo: ({ last, check }) =>
			adviceByDeliveryStatus[(check.code === undefined && last.lastFailure?.httpStatus) || 0] ??
			"Remove the cause, then use 'Catch Up' for the missed events.",
	},
];

/** What to do after a trigger has refused a delivery, by HTTP status. */
const adviceByDeliveryStatus: Readonly<Record<number, string>> = {
	401: [
		"n8n's log says why the trigger rejected it.",
		...Object.entries(adviceOnRefusal).map(([reason, advice]) => `If it says "${reason}": ${advice}`),
	].join(' '),
	404: "The workflow was not published then, or the webhook's method was changed in the service: set it to POST with 'Update'. Then use 'Catch Up' for the missed events.",
};
