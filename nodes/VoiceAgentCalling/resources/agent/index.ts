import type { Resource } from '../../../shared/operation';
import { getMany } from './getMany';

export const agent: Resource = { name: 'Agent', value: 'agent', operations: [getMany] };
