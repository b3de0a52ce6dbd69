import { campaign } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get a campaign',
	description: 'Read one campaign with its calls, files and statistics',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'GET',
		path: ['campaigns', campaignId],
		codes: { 404: 'CAMPAIGN_NOT_FOUND' },
	}),
	output: (response) => response.data,
});
