import { agent } from '../../../shared/pickers/locators';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many agent trainings',
	description: 'List many trainings of a voice agent',
	fields: [agent, returnAll],
	request: ({ agentId }) => ({
		method: 'GET',
		path: ['agents', agentId, 'trainings'],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	items: (response) => response.data,
});
