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
		codes: { 404: 'AGENT_NOT_FOUND' },
		advice: { 409: 'Use Agent → Unpublish, wait until the calls of the agent have ended, then run this again.' },
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
