import { agent } from '../../../shared/pickers/locators';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { actionOutputs } from './fields';

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many agent actions',
	description: 'List many actions of a voice agent, active and inactive ones',
	fields: [agent, returnAll],
	request: ({ agentId }) => ({
		method: 'GET',
		path: ['agents', agentId, 'actions'],
		codes: { 403: 'UNAUTHORIZED', 404: 'AGENT_NOT_FOUND' },
	}),
	items: (response) => response.data,
	outputs: actionOutputs,
});
