import { returnAll } from '../../../shared/fields';
import { campaign } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';
import { webhooksIn } from '../../../shared/pagination';

export const getMany = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many campaign webhooks',
	description: 'List many webhooks of a campaign',
	fields: [campaign, returnAll],
	request: ({ campaignId }) => ({
		method: 'GET',
		path: ['campaigns', campaignId, 'webhooks'],
		codes: { 404: 'CAMPAIGN_NOT_FOUND' },
	}),
	items: webhooksIn,
});
