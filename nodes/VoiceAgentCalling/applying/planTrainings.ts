import type { IDataObject } from 'n8n-workflow';

import { isSet, pathOf } from '../agentDocument/differences';
import { changedFields, mergedFields, setMembers } from './changedFields';
import { matched, type Other } from './matching';
import type { Planning } from './plan';
import { reasonOf } from './planSettings';
import { assertOwnNodeIds, upsertRequest } from './upserts';

const FIELDS = ['subject', 'instructions', 'current_status'];

/** Plans the upserts of trainings. @returns the trainings that only the agent has */
export function planTrainings(planning: Planning): Other[] {
	const { current, requests, problems, agentPath } = planning;
	const { matches, others } = matched(planning, 'trainings', current.trainingIds);
	assertOwnNodeIds(planning, 'trainings');
	for (const match of matches) {
		const { key, wanted, existing } = match;
		const changed = existing ? changedFields(wanted, existing.now, FIELDS) : [];
		if (existing && changed.length === 0) {
			continue;
		}
		const body = setMembers(mergedFields(wanted, existing?.now ?? {}, FIELDS)) as IDataObject;
		if (!isSet(body.instructions) || body.instructions === '') {
			problems.push({
				path: pathOf('trainings', key, 'instructions'),
				message: 'The service requires the instructions of a training',
				whatToDo: 'Add them to the document.',
			});
		}
		const why = existing ? reasonOf(changed) : 'the agent has no training with this subject';
		requests.push({
			...upsertRequest('trainings', match, body, why),
			path: [...agentPath, 'trainings'],
			codes: { 404: 'AGENT_NOT_FOUND' },
			// With a node ID, a second request updates the training that the first one created.
			repeat: 'safe',
		});
	}
	return others;
}
