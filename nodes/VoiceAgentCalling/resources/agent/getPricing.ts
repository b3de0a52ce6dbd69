import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const getPricing = defineOperation({
	name: 'Get Pricing',
	value: 'getPricing',
	action: 'Get agent pricing',
	description: 'Get the cost per minute of a voice agent: each component, the phone lines, and an estimated total',
	fields: [agent],
	request: ({ agentId }) => ({
		method: 'GET',
		path: ['agents', agentId, 'pricing'],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
});
