import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { outputsOf } from '../../operation/outputChoice';
import { simplifiedCampaign } from './fields';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get campaign',
	description:
		"Get a campaign with its statistics, in which test calls do not count. Set 'Output' to Raw to get its calls, files and all settings too.",
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'GET',
		path: ['campaigns', campaignId],
		codes: { 404: 'CAMPAIGN_NOT_FOUND' },
	}),
	output: (response) => response.data,
	outputs: outputsOf('GET /campaigns/{campaign_id}', simplifiedCampaign),
});
