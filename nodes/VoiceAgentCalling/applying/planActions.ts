import type { IDataObject } from 'n8n-workflow';

import { isSet, pathOf } from '../agentDocument/differences';
import type { DocumentAction } from '../agentDocument/document';
import { changedFields, mergedFields, setMembers } from './changedFields';
import { type Match, matched, type Other } from './matching';
import { newActionId, type Planning } from './plan';
import { reasonOf } from './planSettings';
import { planUnreadable } from './unreadableValues';
import { assertOwnNodeIds, upsertRequest } from './upserts';

type Input = NonNullable<DocumentAction['inputs']>[number];

/** The fields of all types, and those of some. `inputs` of the document are `input_schema` of the service. */
const COMMON = ['name', 'description', 'type', 'inputs', 'current_status'];
const OF_TYPE: Record<string, readonly string[]> = {
	webhook: ['url', 'authorization_url'],
	transfer: ['transfer_to'],
	hold: ['hold_duration'],
};

/** The inputs with the defaults that the service returns for what is left out. */
function completed(inputs: readonly Input[] | undefined): unknown {
	return inputs?.map(({ required = false, description, ...input }) => ({
		...input,
		required,
		description: description ?? '',
	}));
}

/** The fields in which an action differs from the document. */
function changesOf(wanted: DocumentAction, now: DocumentAction): string[] {
	const [left, right] = [wanted, now].map((action) => ({
		...action,
		inputs: completed(action.inputs),
		// The service returns them as inputs, so a missing one is not set.
		transfer_to: action.transfer_to ?? null,
		hold_duration: action.hold_duration ?? null,
	}));
	const ofType = OF_TYPE[wanted.type] ?? [];
	const fields = [...COMMON, ...ofType].filter((field) => wanted[field as keyof DocumentAction] !== undefined);
	return changedFields(left, right, fields);
}

/**
 * Plans the upserts of actions.
 *
 * @returns the IDs of all actions of the document, by their keys, and the actions that only the agent has
 */
export function planActions(planning: Planning): { ids: Map<string, string>; others: Other[] } {
	const { current, requests, problems, agentPath } = planning;
	const { matches, others } = matched(planning, 'actions', current.actionIds);
	const ids = new Map(matches.map(({ key, existing }) => [key, existing?.id ?? newActionId(key)]));
	assertOwnNodeIds(planning, 'actions');
	for (const match of matches) {
		const { wanted, existing } = match;
		const changed = existing ? changesOf(wanted, existing.now) : [];
		const { isSent, values } = planUnreadable(planning, 'actions', match, existing && changed.length > 0);
		if (!isSent) {
			continue;
		}
		const body = { ...readableValues(planning, match), ...values };
		for (const field of ['description', 'type'].filter((each) => !isSet(body[each]) || body[each] === '')) {
			problems.push({
				path: pathOf('actions', match.key, field),
				message: `The service requires the ${field} of an action`,
				whatToDo: 'Add it to the document.',
			});
		}
		requests.push({
			...upsertRequest('actions', match, body, existing ? reasonOf(changed) : 'the agent has no action with this name'),
			path: [...agentPath, 'actions'],
			codes: { 403: 'UNAUTHORIZED', 404: 'AGENT_NOT_FOUND' },
			// It is not documented which field identifies an existing action, so a retry might create a second one.
			repeat: 'never',
		});
	}
	return { ids, others };
}

/** The readable values of an action to send: an upsert replaces all. */
function readableValues({ problems, current }: Planning, { key, wanted, existing }: Match<'actions'>): IDataObject {
	const { now, path } = existing ?? { now: {}, path: '' };
	const ofType = OF_TYPE[wanted.type] ?? [];
	for (const field of ofType.filter((each) => wanted[each as keyof DocumentAction] === undefined)) {
		// Export leaves out URLs with secrets in them.
		if (current.document.notReadable?.includes(pathOf(path, field))) {
			problems.push({
				path: pathOf('actions', key, field),
				message: `The document lacks the ${field}, and the one of the agent is not shown because it holds a secret`,
				whatToDo: 'Add it to the document: an update replaces it.',
			});
		}
	}
	if (existing === undefined && wanted.type === 'webhook' && wanted.url === undefined) {
		problems.push({
			path: pathOf('actions', key, 'url'),
			message: 'The document lacks the url of a new action, which would do nothing without it',
			whatToDo: 'Add it to the document: Export leaves out a URL that holds a secret.',
		});
	}
	const merged = mergedFields(wanted, now, [...COMMON, ...ofType]);
	return setMembers(merged) as IDataObject;
}
