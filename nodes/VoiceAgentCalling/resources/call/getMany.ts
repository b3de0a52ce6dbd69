import { choice, reworded } from '../../../shared/fields/field';
import { agent } from '../../../shared/pickers/locators';
import { dateFrom, dateTo, returnAll, search } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { outputsOf } from '../../operation/outputChoice';

const direction = choice('direction', {
	displayName: 'Direction',
	name: 'direction',
	options: [
		{ name: 'Inbound', value: 'inbound', description: 'Calls that an agent received' },
		{ name: 'Outbound', value: 'outbound', description: 'Calls that an agent placed' },
	],
	default: 'outbound',
	description: 'Only return calls in this direction',
});

const status = choice('status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{ name: 'Answered', value: 'answered' },
		{ name: 'Busy', value: 'busy' },
		{ name: 'Completed', value: 'completed' },
		{ name: 'Failed', value: 'failed' },
		{ name: 'Initiated', value: 'initiated' },
		{ name: 'No Answer', value: 'no-answer' },
		{ name: 'Ringing', value: 'ringing' },
	],
	default: 'completed',
	description: 'Only return calls with this status',
});

const callAgent: typeof agent = {
	...reworded(agent, { description: 'Only return calls of this agent. Fails if it does not exist.', required: false }),
	empty: { error: 'Choose an agent, or remove the filter: without it, the calls of all agents are listed.' },
};

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many calls',
	description: 'List many calls of the environment or of one agent',
	fields: [returnAll],
	filters: [
		callAgent,
		dateFrom,
		dateTo,
		direction,
		reworded(search, { description: 'Only return calls with this text in one of the numbers or in the SID' }),
		status,
	],
	request: ({ agentId, date_from, date_to, direction, search, status }) => ({
		method: 'GET',
		path: agentId === undefined ? ['calls'] : ['agents', agentId, 'calls'],
		query: { date_from, date_to, direction, search, status },
		codes: { 404: 'AGENT_NOT_FOUND' },
	}),
	items: (response) => response.data,
	outputs: outputsOf('GET /calls', [
		'to',
		'from',
		'status',
		'duration',
		'direction',
		'created_at',
		'is_testing',
		'agent',
		'sid',
		'id',
	]),
});
