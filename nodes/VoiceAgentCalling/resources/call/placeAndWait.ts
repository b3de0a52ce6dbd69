import { agentCallTimeLimit } from '../../fields/timeLimit';
import { pollInterval, waitByAgentEvent, waitForAgentCall } from '../../fields/waiting';
import { defineOperation } from '../../operation/defineOperation';
import { placeFields, placeOptions, placeRequest } from './place';

export const placeAndWait = defineOperation({
	name: 'Place and Wait',
	value: 'placeAndWait',
	action: 'Place call and wait',
	toolDescription: 'Place a phone call with a voice agent. A real phone rings.',
	description:
		'Place a call and wait for its outcome. A real phone rings and credits are spent, except for test calls.',
	sending: true,
	fields: [...placeFields, waitByAgentEvent],
	options: [...placeOptions, pollInterval, agentCallTimeLimit, waitForAgentCall],
	request: placeRequest,
	output: (response) => response.data,
	repeat: 'never',
	callerIdField: 'agentId',
	waits: true,
	// An AI agent cannot wait for hours.
	forTools: false,
});
