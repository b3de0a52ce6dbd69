import { defineField } from '../../../shared/field';
import { returnAll, search } from '../../../shared/fields';
import { defineOperation } from '../../../shared/operation';

const status = defineField({
	key: 'status',
	properties: [
		{
			displayName: 'Status',
			name: 'status',
			type: 'options',
			options: [
				{ name: 'Active', value: 'active' },
				{ name: 'Cancelled', value: 'cancelled' },
				{ name: 'Completed', value: 'completed' },
				{ name: 'Draft', value: 'draft' },
				{ name: 'Paused', value: 'paused' },
			],
			default: 'active',
			description: 'Only campaigns with this status',
		},
	],
	check: (zod) => zod.string(),
});

const campaignType = defineField({
	key: 'campaign_type',
	properties: [
		{
			displayName: 'Type',
			name: 'campaignType',
			type: 'options',
			options: [
				{ name: 'Custom', value: 'custom' },
				{ name: 'Follow-Up', value: 'follow_up' },
				{ name: 'Reminder', value: 'reminder' },
				{ name: 'Sales', value: 'sales' },
			],
			default: 'sales',
			description: 'Only campaigns of this type',
		},
	],
	check: (zod) => zod.string(),
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
