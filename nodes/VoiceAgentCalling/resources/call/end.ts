import { agent, agentCall } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const end = defineOperation({
	name: 'End',
	value: 'end',
	action: 'End call',
	description:
		'Hang up a call that is under way. The conversation is cut off, and the events of its end follow as usual.',
	fields: [agent, agentCall],
	request: ({ agentId, callId }) => ({
		method: 'POST',
		path: ['agents', agentId, 'end-call'],
		body: { call_sid: callId },
		codes: { 409: 'CALL_NOT_ACTIVE' },
		advice: {
			404: 'Check the agent and the call: Call, Get Active finds the ID of a call that is under way.',
		},
	}),
	output: (response) => response.data,
	forTools: false,
});
