import { choice, reworded } from '../../../shared/fields/field';
import { dateFrom, dateTo, returnAll, search } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { outputsOf } from '../../operation/outputChoice';
import { campaignAgent, campaignFacts, campaignType } from './fields';

const status = choice('status', {
	displayName: 'Status',
	name: 'status',
	options: [
		{ name: 'Active', value: 'active' },
		{ name: 'Cancelled', value: 'cancelled' },
		{ name: 'Completed', value: 'completed' },
		{ name: 'Draft', value: 'draft' },
		{ name: 'Paused', value: 'paused' },
	],
	default: 'active',
	description: 'Only return campaigns with this status',
});

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many campaigns',
	description: 'List many campaigns of the environment',
	fields: [returnAll],
	filters: [
		reworded(campaignAgent, { description: 'Only return campaigns of this agent' }),
		campaignType('Only return campaigns of this type'),
		dateFrom,
		dateTo,
		reworded(search, { description: 'Only return campaigns with this text in the name or the description' }),
		status,
	],
	request: ({ agent_id, campaign_type, date_from, date_to, search, status }) => ({
		method: 'GET',
		path: ['campaigns'],
		query: { agent_id, campaign_type, date_from, date_to, search, status },
	}),
	items: (response) => response.data,
	outputs: outputsOf('GET /campaigns', ['name', 'status', ...campaignFacts]),
});
