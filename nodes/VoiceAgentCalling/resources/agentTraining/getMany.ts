import { returnAll } from '../../../shared/fields';
import { agent } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';

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
