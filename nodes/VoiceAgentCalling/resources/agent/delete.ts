import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteAgent = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete agent',
	description:
		'Remove a voice agent with its trainings, actions, number links and call history. This cannot be undone. The agent must be a draft, with no call in progress.',
	fields: [agent],
	request: ({ agentId }) => ({
		method: 'DELETE',
		path: ['agents', agentId],
		codes: { 404: 'AGENT_NOT_FOUND', 409: 'AGENT_IN_USE' },
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
