import { agent, agentAction } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteAction = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete agent action',
	description: 'Permanently delete an action of a voice agent. Calls in progress can be affected.',
	fields: [agent, agentAction],
	request: ({ agentId, actionId }) => ({
		method: 'DELETE',
		path: ['agents', agentId, 'actions', actionId],
		codes: { 403: 'UNAUTHORIZED', 404: 'ACTION_NOT_FOUND' },
	}),
	output: () => ({ deleted: true }),
	drafts: 'part',
	forTools: false,
});
