import type { Resource } from '../../operation/defineOperation';
import { checkHealth } from './checkHealth';
import { makeApiRequest } from './makeApiRequest';

export const service: Resource = { name: 'Service', value: 'service', operations: [checkHealth, makeApiRequest] };
