import type { Resource } from '../../../shared/operation';
import { get } from './get';
import { getMany } from './getMany';
import { queueCall } from './queueCall';
import { setStatus } from './setStatus';

export const campaign: Resource = {
	name: 'Campaign',
	value: 'campaign',
	operations: [get, getMany, queueCall, setStatus],
};
