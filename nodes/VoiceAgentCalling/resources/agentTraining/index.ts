import type { Resource } from '../../operation/defineOperation';
import { deleteTraining } from './delete';
import { getMany } from './getMany';
import { upsert } from './upsert';

export const agentTraining: Resource = {
	name: 'Agent Training',
	value: 'agentTraining',
	operations: [deleteTraining, getMany, upsert],
};
