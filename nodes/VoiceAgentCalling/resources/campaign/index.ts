import type { Resource } from '../../operation/operation';
import { checkBeforeCalling } from './checkBeforeCalling';
import { create } from './create';
import { deleteCampaign } from './delete';
import { get } from './get';
import { getCalls } from './getCalls';
import { getMany } from './getMany';
import { queueCall } from './queueCall';
import { queueCallAndWait } from './queueCallAndWait';
import { setStatus } from './setStatus';
import { update } from './update';
import { waitUntilCompleted } from './waitUntilCompleted';

export const campaignResource: Resource = {
	name: 'Campaign',
	value: 'campaign',
	operations: [
		checkBeforeCalling,
		create,
		deleteCampaign,
		get,
		getCalls,
		getMany,
		queueCall,
		queueCallAndWait,
		setStatus,
		update,
		waitUntilCompleted,
	],
	firstOperation: 'queueCall',
};
