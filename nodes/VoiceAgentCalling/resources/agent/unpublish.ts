import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const unpublish = defineOperation({
	name: 'Unpublish',
	value: 'unpublish',
	action: 'Unpublish agent',
	description: 'Make a voice agent a draft: calls in progress go on, and no new ones start until it is published again',
	fields: [agent],
	request: ({ agentId }) => ({
		method: 'POST',
		path: ['agents', agentId, 'unpublish'],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
	// A draft stays one.
	repeat: 'safe',
	forTools: false,
});
