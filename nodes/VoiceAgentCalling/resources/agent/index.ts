import type { Resource } from '../../../shared/operation';
import { get } from './get';
import { getMany } from './getMany';
import { publish } from './publish';
import { updateCallingSettings } from './updateCallingSettings';

export const agent: Resource = {
	name: 'Agent',
	value: 'agent',
	operations: [get, getMany, publish, updateCallingSettings],
};
