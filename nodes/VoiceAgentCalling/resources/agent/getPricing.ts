import { toggle } from '../../../shared/fields/kinds';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

const summary = toggle('summary', {
	displayName: 'Summary',
	name: 'summary',
	description:
		'Whether to return only the estimated cost per minute, the voice quality and whether cost optimization is on',
});

export const getPricing = defineOperation({
	name: 'Get Pricing',
	value: 'getPricing',
	action: 'Get agent pricing',
	description: 'Get the cost per minute of a voice agent: each component, the phone lines, and an estimated total',
	fields: [agent],
	options: [summary],
	request: ({ agentId, summary }) => ({
		method: 'GET',
		path: ['agents', agentId, 'pricing', ...(summary ? ['summary'] : [])],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
});
