import { isRecord } from '../../../shared/errors';
import { campaign, returnAll } from '../../../shared/fields';
import { defineOperation } from '../../../shared/operation';

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
	items: ({ data }) => (isRecord(data) ? data.webhooks : undefined),
});
