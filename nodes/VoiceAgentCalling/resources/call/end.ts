import { agent, agentCall } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const end = defineOperation({
	name: 'End',
	value: 'end',
	action: 'End call',
	description: 'Cut off a call in progress. To end every call and pause every campaign, use Stop All Calls.',
	fields: [agent, agentCall],
	request: ({ agentId, callId }) => ({
		method: 'POST',
		path: ['agents', agentId, 'end-call'],
		body: { call_sid: callId },
		codes: { 404: 'CALL_NOT_FOUND', 409: 'CALL_NOT_ACTIVE' },
	}),
	output: (response) => response.data,
	forTools: false,
});
