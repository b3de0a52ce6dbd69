import type { Resource } from '../../../shared/operation';
import { checkHealth } from './checkHealth';

export const service: Resource = { name: 'Service', value: 'service', operations: [checkHealth] };
