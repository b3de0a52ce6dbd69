import type { Resource } from '../../operation/operation';
import { checkHealth } from './checkHealth';
import { makeApiRequest } from './makeApiRequest';
import { stopAllCalls } from './stopAllCalls';

export const serviceResource: Resource = {
	name: 'Service',
	value: 'service',
	operations: [checkHealth, makeApiRequest, stopAllCalls],
	firstOperation: 'checkHealth',
};
