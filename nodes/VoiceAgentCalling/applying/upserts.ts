import type { IDataObject } from 'n8n-workflow';

import { pathOf } from '../agentDocument/differences';
import { type Match, naming, type Other } from './matching';
import type { PlannedRequest, Planning } from './plan';

type UpsertSection = 'actions' | 'trainings';

/** The node ID of an action or training: its key, unless the document has another one. */
function nodeIdOf({ key, wanted }: Match<UpsertSection>): string {
	return wanted.node_id ?? key;
}

/** A request that creates an action or training, or updates the one with the same node ID. */
export function upsertRequest(
	section: UpsertSection,
	match: Match<UpsertSection>,
	body: IDataObject,
	why: string,
): Omit<PlannedRequest, 'path' | 'codes'> {
	const { key, name, existing } = match;
	const node_id = nodeIdOf(match);
	return {
		what: `${existing ? 'Update' : 'Create'} ${naming[section].noun} "${key}"`,
		method: 'POST',
		body: { node_id, ...body },
		why,
		makesDraft: true,
		upserted: { section, key, name, nodeId: node_id, expectedId: existing?.id },
	};
}

/** Reports a node ID that several actions or trainings of the document have: the service would take them for one. */
export function assertOwnNodeIds({ document, problems }: Planning, section: UpsertSection): void {
	const keys = new Map<string, string>();
	for (const [key, { node_id = key }] of Object.entries(document[section])) {
		const other = keys.get(node_id);
		if (other !== undefined) {
			problems.push({
				path: pathOf(section, key),
				message: `"${key}" and "${other}" have the same node ID, so that the service takes them for one`,
				whatToDo: 'Give each of them a node_id of its own.',
			});
		}
		keys.set(node_id, key);
	}
}

/** Plans the deletion of what the document does not contain, if the user wants it. @returns the IDs to delete */
export function planDeletions(
	{ options, requests, notes, agentPath }: Planning,
	section: UpsertSection,
	others: readonly Other[],
): string[] {
	const { noun } = naming[section];
	if (!options.removeOthers) {
		notes.push(
			...others.map(({ name }) => `The agent keeps the ${noun} "${name}", which the document does not contain.`),
		);
		return [];
	}
	for (const { id, name } of others) {
		requests.push({
			what: `Delete ${noun} "${name}"`,
			method: 'DELETE',
			path: [...agentPath, section, id],
			why: 'the document does not contain it',
			makesDraft: true,
			codes: { 404: section === 'actions' ? 'ACTION_NOT_FOUND' : 'TRAINING_NOT_FOUND' },
		});
	}
	return others.map(({ id }) => id);
}
