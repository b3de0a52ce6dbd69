import { agent, agentTraining } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteTraining = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete agent training',
	description: 'Delete a training of a voice agent. This cannot be undone.',
	fields: [agent, agentTraining],
	request: ({ agentId, trainingId }) => ({
		method: 'DELETE',
		path: ['agents', agentId, 'trainings', trainingId],
		codes: { 404: 'TRAINING_NOT_FOUND' },
	}),
	output: () => ({ deleted: true }),
	drafts: 'part',
	forTools: false,
});
