import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get agent flow',
	description:
		'Read how a voice agent leads its conversations: by the language model or by a flow, and the flow. There is none in the mode llm_driven.',
	fields: [agent],
	request: ({ agentId }) => ({
		method: 'GET',
		path: ['agents', agentId, 'flow'],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
});
