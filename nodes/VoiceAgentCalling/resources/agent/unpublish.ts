import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const unpublish = defineOperation({
	name: 'Unpublish',
	value: 'unpublish',
	action: 'Unpublish agent',
	description: 'Turn a voice agent into a draft: no new calls start until you publish it. Calls in progress continue.',
	fields: [agent],
	request: ({ agentId }) => ({
		method: 'POST',
		path: ['agents', agentId, 'unpublish'],
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
	// Unpublishing a draft changes nothing.
	repeat: 'safe',
	forTools: false,
});
