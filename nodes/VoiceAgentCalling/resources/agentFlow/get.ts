import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get agent flow',
	description: 'Get the conversation mode of a voice agent and its flow. In the mode llm_driven there is no flow.',
	fields: [agent],
	request: ({ agentId }) => ({
		method: 'GET',
		path: ['agents', agentId, 'flow'],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
});
