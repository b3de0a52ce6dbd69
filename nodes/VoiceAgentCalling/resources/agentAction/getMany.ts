import { returnAll } from '../../../shared/fields';
import { agent } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';
import { simplifiedAction } from './fields';

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many agent actions',
	description: 'List many actions of a voice agent, active and inactive ones',
	fields: [agent, returnAll],
	request: ({ agentId }) => ({
		method: 'GET',
		path: ['agents', agentId, 'actions'],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	items: (response) => response.data,
	simplified: simplifiedAction,
});
