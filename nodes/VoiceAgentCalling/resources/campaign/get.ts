import { isRecord } from '../../../shared/lib/json';
import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { outputsOf } from '../../operation/outputChoice';
import { campaignFacts } from './fields';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get campaign',
	description: 'Get a campaign with its statistics, in which test calls do not count. Get Calls has its calls.',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'GET',
		path: ['campaigns', campaignId],
		codes: { 404: 'CAMPAIGN_NOT_FOUND' },
	}),
	output: ({ data }) =>
		isRecord(data) && Array.isArray(data.calls) ? { ...data, callCount: data.calls.length } : data,
	outputs: outputsOf('GET /campaigns/{campaign_id}', ['name', 'status', 'callCount', ...campaignFacts], ['callCount']),
});
