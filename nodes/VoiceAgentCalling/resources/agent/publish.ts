import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { publishRequest } from '../../operation/publishAfterwards';

export const publish = defineOperation({
	name: 'Publish',
	value: 'publish',
	action: 'Publish agent',
	description:
		'Publish a voice agent so that it can make calls. Its knowledge, voice and calling settings must be complete.',
	fields: [agent],
	request: ({ agentId }) => publishRequest(agentId),
	output: (response) => response.data,
	repeat: 'safe',
});
