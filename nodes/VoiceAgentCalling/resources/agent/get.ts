import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { agentOutputs } from './fields';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get agent',
	description:
		"Get a voice agent with its phone numbers. Set 'Output' to Raw to get its voice, trainings and actions too.",
	fields: [agent],
	request: ({ agentId }) => ({
		method: 'GET',
		path: ['agents', agentId],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
	outputs: agentOutputs,
});
