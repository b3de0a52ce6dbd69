import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { direction, phoneNumbers } from './fields';

export const updateCallingSettings = defineOperation({
	name: 'Update Calling Settings',
	value: 'updateCallingSettings',
	action: 'Update agent calling settings',
	description:
		'Change the direction and the phone numbers of a voice agent. It becomes a draft and must be published again before it can make calls.',
	fields: [agent, direction('Whether the agent receives or places calls')],
	options: [phoneNumbers(' They replace the current numbers.')],
	request: ({ agentId, ...body }) => ({
		method: 'PUT',
		path: ['agents', agentId, 'calling'],
		body,
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
	drafts: 'agent',
});
