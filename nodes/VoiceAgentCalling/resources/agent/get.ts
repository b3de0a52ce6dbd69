import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { simplifiedAgent } from './fields';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get an agent',
	description:
		'Read one voice agent with its phone numbers, and with its voice, trainings and actions where Simplify is off',
	fields: [agent],
	request: ({ agentId }) => ({
		method: 'GET',
		path: ['agents', agentId],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
	simplified: simplifiedAgent,
});
