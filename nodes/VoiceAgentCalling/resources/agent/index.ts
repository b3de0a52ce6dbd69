import type { Resource } from '../../operation/operation';
import { create } from './create';
import { deleteAgent } from './delete';
import { get } from './get';
import { getMany } from './getMany';
import { getPricing } from './getPricing';
import { publish } from './publish';
import { unpublish } from './unpublish';
import { updateCallingSettings } from './updateCallingSettings';
import { updateKnowledge } from './updateKnowledge';
import { updateVoice } from './updateVoice';

export const agentResource: Resource = {
	name: 'Agent',
	value: 'agent',
	operations: [
		create,
		deleteAgent,
		get,
		getMany,
		getPricing,
		publish,
		unpublish,
		updateCallingSettings,
		updateKnowledge,
		updateVoice,
	],
};
