import type { Resource } from '../../../shared/operation';
import { checkHealth } from './checkHealth';
import { makeApiRequest } from './makeApiRequest';

export const service: Resource = { name: 'Service', value: 'service', operations: [checkHealth, makeApiRequest] };
