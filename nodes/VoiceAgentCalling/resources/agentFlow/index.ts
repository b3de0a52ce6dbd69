import type { Resource } from '../../../shared/operation';
import { validate } from './validate';

export const agentFlow: Resource = { name: 'Agent Flow', value: 'agentFlow', operations: [validate] };
