import { choice } from '../../../shared/field';
import { returnAll, search } from '../../../shared/fields';
import { defineOperation } from '../../../shared/operation';

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
	description: 'Only campaigns with this status',
});

const campaignType = choice('campaign_type', {
	displayName: 'Type',
	name: 'campaignType',
	options: [
		{ name: 'Custom', value: 'custom' },
		{ name: 'Follow-Up', value: 'follow_up' },
		{ name: 'Reminder', value: 'reminder' },
		{ name: 'Sales', value: 'sales' },
	],
	default: 'sales',
	description: 'Only campaigns of this type',
});

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many campaigns',
	description: 'List many campaigns of the environment',
	fields: [returnAll],
	filters: [campaignType, search, status],
	request: ({ campaign_type, search, status }) => ({
		method: 'GET',
		path: ['campaigns'],
		query: { campaign_type, search, status },
	}),
	items: (response) => response.data,
});
