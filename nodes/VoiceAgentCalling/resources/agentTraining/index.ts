import type { Resource } from '../../operation/operation';
import { deleteTraining } from './delete';
import { getMany } from './getMany';
import { upsert } from './upsert';

export const agentTrainingResource: Resource = {
	name: 'Agent Training',
	value: 'agentTraining',
	operations: [deleteTraining, getMany, upsert],
};
