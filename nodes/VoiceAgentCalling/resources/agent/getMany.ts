import { choice, reworded } from '../../../shared/fields/field';
import { returnAll, search } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { agentOutputs, direction } from './fields';

const status = choice('status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{ name: 'Draft', value: 'draft' },
		{ name: 'Published', value: 'published' },
	],
	default: 'published',
	description: 'Only return agents with this status. Only published agents can make calls.',
});

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many agents',
	description: 'List many voice agents of the environment',
	fields: [returnAll],
	filters: [
		reworded(direction, { description: 'Only return agents that receive calls, or agents that place calls' }),
		search,
		status,
	],
	request: ({ direction, search, status }) => ({
		method: 'GET',
		path: ['agents'],
		query: { direction, search, status },
	}),
	items: (response) => response.data,
	outputs: agentOutputs,
});
