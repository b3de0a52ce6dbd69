import { objectIn } from '../../../shared/client/refusals';
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
	async run(api, { campaignId }) {
		const body = await api.request({
			method: 'GET',
			path: ['campaigns', campaignId],
			codes: { 404: 'CAMPAIGN_NOT_FOUND' },
		});
		const campaignData = objectIn(body, 'the campaign');
		const { calls, stats } = campaignData;
		if (!Array.isArray(calls)) {
			return campaignData;
		}
		if (isRecord(stats) && calls.length > Number(stats.total_calls)) {
			api.note(`Test calls do not count in the statistics: Campaign → Get Calls lists all ${calls.length} calls.`);
		}
		return { ...campaignData, callCount: calls.length };
	},
	outputs: outputsOf('GET /campaigns/{campaign_id}', ['name', 'status', 'callCount', ...campaignFacts], ['callCount']),
});
