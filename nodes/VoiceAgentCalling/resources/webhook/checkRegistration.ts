import type { IDataObject } from 'n8n-workflow';

import { adviceOnRefusal } from '../../../shared/deliveries/adviceOnRefusal';
import { unreadable } from '../../../shared/errors/serviceError';
import { agentEvents, loggedCampaignEvents } from '../../../shared/fields/eventKinds';
import { eventsField } from '../../../shared/fields/events';
import { reworded } from '../../../shared/fields/field';
import { webhookUrl } from '../../../shared/fields/webhooks';
import { inBatches } from '../../../shared/lib/inBatches';
import {
	askListener,
	type NoTrigger,
	type NoTriggerReason,
	type Problem,
	problemOf,
} from '../../../shared/nodeLink/listener';
import { type Owner, sources, webhooksPath } from '../../../shared/nodeLink/owner';
import { isSameAddress, isTestUrl } from '../../../shared/nodeLink/triggerUrl';
import { ABOUT_FINISHED_CAMPAIGN, finishedCampaign } from '../../../shared/service/finishedCampaign';
import { offeredEventsIn, webhooksIn } from '../../../shared/service/pagination';
import { objectIn } from '../../../shared/service/refusals';
import { defineOperation } from '../../operation/defineOperation';
import type { Api } from '../../sending/api';
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
		'Check whether webhooks deliver to this n8n: whether one is registered, enabled and has the right URL, whether a published trigger with the same credential answers there, whether one delivers to another n8n or to a former address of this one, whether a campaign is finished, and how the last deliveries ended. The output has one item for each webhook, with its problems and what to do; without a webhook, one item with exists: false.',
	fields: owner,
	options: [onlyUrl, expectedEvents],
	async run(api, { source, ownerId, webhook_url: url, events: expected }) {
		const of = { source, ownerId };
		const list = { method: 'GET', path: webhooksPath(of), codes: { 404: sources[source].noOwner } } as const;
		const offered = new Set<string>();
		const read = (body: IDataObject) => {
			for (const [event] of offeredEventsIn(body)) {
				offered.add(event);
			}
			return webhooksIn(body);
		};
		const all = await api.whole(list, read);
		const ofOwner = await ownerProblems(api, of);
		const addressOf = (webhook: IDataObject) => String(webhook.webhook_url);
		// The webhook of an execution that waits for the campaign is no trigger's, and its address has a token. One at
		// another address is of interest if this n8n has its trigger.
		const asked = await inBatches(all, AT_ONCE, async (webhook) => {
			const address = addressOf(webhook);
			const answer = await askListener(api, { ...of, id: String(webhook.id), url: address });
			const isHere = (await api.isOwnAddress(address)) && !(await api.resumesHere(address));
			return { webhook, address, answer, isListed: isHere || answer.not === 'moved' };
		});
		const checked = asked.filter(({ address, isListed }) =>
			url === undefined ? isListed : isSameTarget(address, url),
		);
		if (checked.length === 0) {
			return { ok: false, exists: false, problems: [notRegistered(all.length, url), ...ofOwner] };
		}
		const results: IDataObject[] = [];
		for (const { webhook, address, answer } of checked) {
			// The trigger reports the events that it needs.
			const required = expected ?? (answer.not === undefined ? answer.trigger.events : []);
			const last = await readLastDeliveries(api, webhooksPath(of, String(webhook.id)));
			const facts = {
				webhook,
				last,
				not: answer.not === undefined ? undefined : answer,
				moved: url !== undefined && !isSame(address, url),
				lacksCallEvents:
					expected === undefined &&
					answer.not === undefined &&
					answer.trigger.includeCallEvents &&
					webhook.include_call_events === false,
				missing: required.filter((event) => !delivers(webhook, event)),
				notOffered: required.filter((event) => offered.size > 0 && !offered.has(event) && !isInsideCall(event)),
				twins: all.filter((other) => isSame(addressOf(other), address) || isSameAddress(addressOf(other), address))
					.length,
			};
			const problems = [...problemsOf(facts), ...ofOwner];
			results.push({
				ok: problems.length === 0,
				exists: true,
				enabled: webhook.enabled !== false,
				webhookId: webhook.id,
				name: webhook.name,
				webhookUrl: address,
				rightUrl: !facts.moved && !isTestUrl(address) && answer.not !== 'otherOwner' && answer.not !== 'moved',
				events: webhook.events,
				missingEvents: facts.missing,
				availableEvents: [...offered],
				lastDeliveries: last,
				answers: answer.not === undefined ? true : UNKNOWN.includes(answer.not) ? null : false,
				problems,
			});
		}
		return results;
	},
});

/** How many webhooks are asked about at the same time. */
const AT_ONCE = 5;

/** Reasons why the node did not ask a trigger, so that `answers` is unknown. */
const UNKNOWN: NoTriggerReason[] = ['elsewhere', 'moved', 'testUrl', 'notATrigger'];

function isSame(left: string, right: string): boolean {
	return URL.canParse(left) && URL.canParse(right) ? new URL(left).href === new URL(right).href : left === right;
}

/** Whether two URLs lead to the same trigger. The host can differ; the path contains an ID unique to the trigger. */
function isSameTarget(address: string, url: string): boolean {
	if (isSame(address, url)) {
		return true;
	}
	return (
		URL.canParse(address) && new URL(address).pathname.length > 1 && new URL(address).pathname === new URL(url).pathname
	);
}

/** Whether a webhook delivers an event type. `include_call_events` adds all events within a call. */
function delivers({ events, include_call_events: includesCalls }: IDataObject, event: string): boolean {
	if ([events].flat().includes(event)) {
		return true;
	}
	return includesCalls === true && isInsideCall(event);
}

/** Whether an event happens inside a call: a campaign's webhook can deliver it, though the service does not list it. */
function isInsideCall(event: string): boolean {
	return agentEvents.some(({ value }) => value === event);
}

function notRegistered(others: number, url: string | undefined): Problem {
	const where = url === undefined ? 'to this n8n' : `to ${url}`;
	return {
		code: 'NOT_REGISTERED',
		message: `No webhook delivers ${where}. There ${others === 1 ? 'is 1 webhook' : `are ${others} webhooks`} in total`,
		whatToDo: 'Publish the workflow with the Voice Agent Calling Trigger: the trigger registers its webhook itself.',
	};
}

/** The problems of the agent or campaign itself, whatever its webhooks are. */
async function ownerProblems(api: Api, { source, ownerId }: Owner): Promise<Problem[]> {
	if (source !== 'campaign') {
		return [];
	}
	const body = await api.request({ method: 'GET', path: ['campaigns', ownerId] });
	if (typeof objectIn(body, 'the campaign', ownerId).status !== 'string') {
		throw unreadable('without the status of the campaign');
	}
	const message = finishedCampaign(body);
	return message === undefined ? [] : [{ code: 'CAMPAIGN_FINISHED', message, whatToDo: ABOUT_FINISHED_CAMPAIGN }];
}

interface Facts {
	webhook: IDataObject;
	last: LastDeliveries;
	/** Why no trigger answers, if none does. */
	not: NoTrigger | undefined;
	/** Whether the webhook delivers to another address than expected. */
	moved: boolean;
	/** Whether the trigger wants the events inside calls, and the webhook does not deliver them. */
	lacksCallEvents: boolean;
	missing: string[];
	/** Event types that the trigger wants, and the service does not list. */
	notOffered: string[];
	/** How many webhooks have the same address. */
	twins: number;
}

interface Check {
	code: string;
	/** Returns the message; undefined or false where all is well. */
	find: (facts: Facts) => string | false | undefined;
	whatToDo: string;
}

const checks: readonly Check[] = [
	{
		code: 'DISABLED',
		find: ({ webhook }) => webhook.enabled === false && 'The webhook is disabled: the service delivers nothing to it',
		whatToDo: "Turn on 'Enabled' with 'Update', then use 'Catch Up'.",
	},
	{
		code: 'WRONG_URL',
		find: ({ moved, webhook }) => moved && `The webhook delivers to ${String(webhook.webhook_url)}`,
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
		find: ({ twins }) => twins > 1 && `${twins} webhooks deliver to this URL, so each event arrives ${twins} times`,
		whatToDo: "Use 'Rotate Secret' for one of them, so that its secret is right, and delete the others.",
	},
];

function problemsOf(facts: Facts): Problem[] {
	const { last, not } = facts;
	// A webhook can also lead to something that is no trigger, or not on this n8n. That is not a problem.
	const isProblem = not !== undefined && not.not !== 'elsewhere' && not.not !== 'notATrigger';
	const problems: Problem[] = isProblem ? [problemOf(not)] : [];
	for (const { code, find, whatToDo } of checks) {
		const message = find(facts);
		if (message) {
			problems.push({ code, message, whatToDo });
		}
	}
	// A failure without a time may be the last delivery.
	if (last.lastFailure !== null && (last.lastFailureAt ?? '~') > (last.lastSuccessAt ?? '')) {
		problems.push({
			code: 'LAST_DELIVERY_FAILED',
			message: `The last delivery failed: ${last.lastFailure?.reason}`,
			whatToDo: adviceOnFailure(not === undefined ? last.lastFailure?.httpStatus : undefined),
		});
	}
	return problems;
}

/** What to do about a failed delivery. @param status the response of a trigger that answers now, if it is one */
function adviceOnFailure(status: number | null | undefined): string {
	switch (status) {
		case 401:
			return [
				"n8n's log says why the trigger rejected it.",
				...Object.entries(adviceOnRefusal).map(([reason, advice]) => `If it says "${reason}": ${advice}`),
			].join(' ');
		case 404:
			return "The workflow was not published then, or the webhook's method was changed in the service: set it to POST with 'Update'. Then use 'Catch Up' for the missed events.";
		default:
			return "Remove the cause, then use 'Catch Up' for the missed events.";
	}
}
