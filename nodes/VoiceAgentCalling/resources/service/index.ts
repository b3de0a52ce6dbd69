import type { Resource } from '../../operation/operation';
import { checkHealth } from './checkHealth';
import { makeApiRequest } from './makeApiRequest';

export const serviceResource: Resource = {
	name: 'Service',
	value: 'service',
	operations: [checkHealth, makeApiRequest],
	firstOperation: 'checkHealth',
};
