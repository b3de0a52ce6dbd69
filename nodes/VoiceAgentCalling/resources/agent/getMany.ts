import { choice } from '../../../shared/fields/field';
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
	description: 'Only agents with this status. Only published ones can place calls.',
});

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many agents',
	description: 'List many voice agents of the environment',
	fields: [returnAll],
	filters: [direction('Only agents that receive calls, or only agents that place them'), search, status],
	request: ({ direction, search, status }) => ({
		method: 'GET',
		path: ['agents'],
		query: { direction, search, status },
	}),
	items: (response) => response.data,
	outputs: agentOutputs,
});
