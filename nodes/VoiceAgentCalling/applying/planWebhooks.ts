import type { IDataObject } from 'n8n-workflow';

import { isSet, pathOf } from '../agentDocument/differences';
import type { DocumentWebhook } from '../agentDocument/document';
import { isOfThisPackage } from '../agentDocument/readAgentDocument';
import { changedFields, isSameSet, mergedFields, setMembers, unknownFields } from './changedFields';
import { matched } from './matching';
import type { Planning } from './plan';
import { reasonOf } from './planSettings';
import { planUnreadable } from './unreadableValues';

const PLAIN = ['name', 'webhook_url', 'timeout', 'max_retries', 'enabled'];

/** What the service requires of a new webhook. */
const REQUIRED = ['webhook_url', 'events'];

function changesOf(wanted: DocumentWebhook, now: DocumentWebhook): string[] {
	const hasOtherEvents = wanted.events && now.events && !isSameSet(wanted.events, now.events);
	return [...changedFields(wanted, now, PLAIN), ...(hasOtherEvents ? ['events'] : [])];
}

/** Plans the creation and the updates of webhooks. Those that the document does not contain stay. */
export function planWebhooks(planning: Planning): void {
	const { current, requests, problems, notes, notCompared, agentPath } = planning;
	const { matches, others } = matched(planning, 'webhooks', current.webhookIds);
	for (const match of matches) {
		const { key, name, wanted, existing } = match;
		if (isOfThisPackage(String(wanted.webhook_url))) {
			problems.push({
				path: pathOf('webhooks', key, 'webhook_url'),
				message: `The webhook "${name}" delivers to a Voice Agent Calling Trigger or to a waiting execution`,
				whatToDo: 'Take it out of the document: triggers register themselves when their workflow is published.',
			});
			continue;
		}
		const changed = existing ? changesOf(wanted, existing.now) : [];
		const { isSent, values } = planUnreadable(planning, 'webhooks', match, existing && changed.length > 0);
		const unknown = existing ? unknownFields(wanted, existing.now, [...PLAIN, 'events']) : [];
		if (!isSent) {
			notCompared.push(...unknown.map((field) => pathOf('webhooks', key, field)));
			continue;
		}
		const body = setMembers(mergedFields(wanted, existing?.now ?? {}, [...PLAIN, 'events'])) as IDataObject;
		if (existing) {
			requests.push({
				what: `Update webhook "${key}"`,
				method: 'PUT',
				path: [...agentPath, 'webhooks', existing.id],
				body: { ...body, ...values },
				why: reasonOf(changed),
				makesDraft: false,
			});
			continue;
		}
		for (const field of REQUIRED.filter((each) => !isSet(body[each]))) {
			problems.push({
				path: pathOf('webhooks', key, field),
				message: `The service requires ${field} of a new webhook`,
				whatToDo: 'Add it to the document.',
			});
		}
		requests.push({
			what: `Create webhook "${key}"`,
			method: 'POST',
			path: [...agentPath, 'webhooks'],
			body: { ...body, ...values },
			why: 'the agent has no webhook with this name',
			makesDraft: false,
			repeat: 'never',
			identity: `webhook ${key}`,
		});
	}
	notes.push(
		...others.map(({ name }) => `The agent keeps the webhook "${name}", which the document does not contain.`),
	);
}
