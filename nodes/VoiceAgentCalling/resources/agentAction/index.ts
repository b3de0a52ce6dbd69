import type { Resource } from '../../operation/operation';
import { deleteAction } from './delete';
import { getMany } from './getMany';
import { upsert } from './upsert';

export const agentActionResource: Resource = {
	name: 'Agent Action',
	value: 'agentAction',
	operations: [deleteAction, getMany, upsert],
};
