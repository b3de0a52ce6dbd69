import type { Resource } from '../../operation/operation';
import { apply } from './apply';
import { create } from './create';
import { deleteAgent } from './delete';
import { exportAgent } from './export';
import { get } from './get';
import { getMany } from './getMany';
import { getPricing } from './getPricing';
import { publish } from './publish';
import { unpublish } from './unpublish';
import { update } from './update';

export const agentResource: Resource = {
	name: 'Agent',
	value: 'agent',
	operations: [apply, create, deleteAgent, exportAgent, get, getMany, getPricing, publish, unpublish, update],
};
