import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { simplifiedCampaign } from './fields';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get a campaign',
	description: 'Read one campaign with its statistics, and with its calls and files where Simplify is off',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'GET',
		path: ['campaigns', campaignId],
		codes: { 404: 'CAMPAIGN_NOT_FOUND' },
	}),
	output: (response) => response.data,
	simplified: simplifiedCampaign,
});
