import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getCallbackAgents = defineOperation({
	name: 'Get Callback Agents',
	value: 'getCallbackAgents',
	action: 'Get callback agents',
	description:
		'List the agents that take the calls of people who call back, with the IDs of the agents that had called',
	fields: [returnAll],
	request: () => ({ method: 'GET', path: ['callback-agents'] }),
	items: (response) => response.data,
});
