import { toggle } from '../../../shared/fields/kinds';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

const summary = toggle('summary', {
	displayName: 'Summary',
	name: 'summary',
	description:
		'Whether to get only the estimated cost per minute, the quality of the voice, and whether optimized costs are on',
});

export const getPricing = defineOperation({
	name: 'Get Pricing',
	value: 'getPricing',
	action: 'Get agent pricing',
	description:
		'Read what a minute with a voice agent costs: each component, the telephone lines, and an estimate of the sum',
	fields: [agent],
	options: [summary],
	request: ({ agentId, summary }) => ({
		method: 'GET',
		path: ['agents', agentId, 'pricing', ...(summary ? ['summary'] : [])],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
});
