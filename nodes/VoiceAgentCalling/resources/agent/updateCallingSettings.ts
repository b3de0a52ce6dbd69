import { idList } from '../../../shared/fieldKinds';
import { agent } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';
import { direction } from './fields';

const phoneNumbers = idList('phone_number_ids', {
	displayName: 'Phone Number Names or IDs',
	name: 'phoneNumbers',
	typeOptions: { loadOptionsMethod: 'getPhoneNumbers' },
	description:
		'The numbers that the agent calls from or answers. They replace the present ones. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

export const updateCallingSettings = defineOperation({
	name: 'Update Calling Settings',
	value: 'updateCallingSettings',
	action: 'Update the calling settings of an agent',
	description:
		'Change the direction and the phone numbers of a voice agent. It becomes a draft and must be published again before it can call.',
	fields: [agent, direction('Whether the agent receives or places calls')],
	options: [phoneNumbers],
	request: ({ agentId, ...body }) => ({
		method: 'PUT',
		path: ['agents', agentId, 'calling'],
		body,
		codes: { 403: 'UNAUTHORIZED', 404: 'AGENT_NOT_FOUND' },
	}),
	output: (response) => response.data,
	drafts: true,
});
