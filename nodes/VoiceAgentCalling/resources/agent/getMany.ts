import { choice } from '../../../shared/field';
import { returnAll, search } from '../../../shared/fields';
import { defineOperation } from '../../../shared/operation';

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

const direction = choice('direction', {
	displayName: 'Direction',
	name: 'direction',
	options: [
		{ name: 'Inbound', value: 'inbound' },
		{ name: 'Outbound', value: 'outbound' },
	],
	default: 'outbound',
	description: 'Only agents that receive calls, or only agents that place them',
});

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many agents',
	description: 'List many voice agents of the environment',
	fields: [returnAll],
	filters: [direction, search, status],
	request: ({ direction, search, status }) => ({
		method: 'GET',
		path: ['agents'],
		query: { direction, search, status },
	}),
	items: (response) => response.data,
});
