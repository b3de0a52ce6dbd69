import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteAgent = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete agent',
	description: 'Permanently delete a voice agent with its call history. It must be a draft, with no call in progress.',
	fields: [agent],
	request: ({ agentId }) => ({
		method: 'DELETE',
		path: ['agents', agentId],
		codes: { 404: 'AGENT_NOT_FOUND', 409: 'AGENT_IN_USE' },
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
