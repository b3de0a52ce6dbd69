import type { Resource } from '../../operation/operation';
import { apply } from './apply';
import { compare } from './compare';
import { create } from './create';
import { deleteAgent } from './delete';
import { exportAgent } from './export';
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
		apply,
		compare,
		create,
		deleteAgent,
		exportAgent,
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
