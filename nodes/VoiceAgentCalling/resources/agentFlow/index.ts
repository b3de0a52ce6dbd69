import type { Resource } from '../../operation/operation';
import { get } from './get';
import { getVersions } from './getVersions';
import { update } from './update';
import { validate } from './validate';

export const agentFlowResource: Resource = {
	name: 'Agent Flow',
	value: 'agentFlow',
	operations: [get, getVersions, update, validate],
	firstOperation: 'get',
};
