import type { Resource } from '../../operation/operation';
import { getDemo } from './getDemo';
import { getMany } from './getMany';

export const voiceTemplateResource: Resource = {
	name: 'Voice Template',
	value: 'voiceTemplate',
	operations: [getDemo, getMany],
};
