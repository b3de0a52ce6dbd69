import { agent, agentAction } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteAction = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete agent action',
	description:
		'Remove an action from a voice agent, at once and for good: this cannot be undone, and calls in progress that use it may suffer. The agent becomes a draft and must be published again before it can call.',
	fields: [agent, agentAction],
	request: ({ agentId, actionId }) => ({
		method: 'DELETE',
		path: ['agents', agentId, 'actions', actionId],
		codes: { 403: 'UNAUTHORIZED', 404: 'ACTION_NOT_FOUND' },
	}),
	output: () => ({ deleted: true }),
	drafts: true,
	forTools: false,
});
