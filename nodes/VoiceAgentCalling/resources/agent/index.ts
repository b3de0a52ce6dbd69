import type { Resource } from '../../operation/operation';
import { apply } from './apply';
import { create } from './create';
import { deleteAgent } from './delete';
import { exportAgent } from './export';
import { get } from './get';
import { getCallbackAgents } from './getCallbackAgents';
import { getMany } from './getMany';
import { getPricing } from './getPricing';
import { publish } from './publish';
import { setCallbackSources } from './setCallbackSources';
import { unpublish } from './unpublish';
import { update } from './update';

export const agentResource: Resource = {
	name: 'Agent',
	value: 'agent',
	operations: [
		apply,
		create,
		deleteAgent,
		exportAgent,
		get,
		getCallbackAgents,
		getMany,
		getPricing,
		publish,
		setCallbackSources,
		unpublish,
		update,
	],
};
