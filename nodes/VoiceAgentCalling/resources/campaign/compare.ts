import type { IDataObject } from 'n8n-workflow';

import { unreadable } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/isRecord';
import { campaign } from '../../../shared/pickers/locators';
import { comparison, itemPerDifference } from '../../agentDocument/comparison';
import { defineOperation } from '../../operation/defineOperation';
import { campaignDocument, compareCampaign } from './campaignDocument';

export const compare = defineOperation({
	name: 'Compare',
	value: 'compare',
	action: 'Compare campaign with document',
	description:
		'List the differences between settings, such as those of a campaign in another environment, and a campaign. same is true if all given settings that the service returns are the same. Times, end date and others that it does not return are unknown, never the same.',
	fields: [campaign, campaignDocument],
	options: [itemPerDifference],
	async run(api, { campaignId, document }, { itemPerDifference }) {
		const { data } = await api.request({
			method: 'GET',
			path: ['campaigns', campaignId],
			codes: { 404: 'CAMPAIGN_NOT_FOUND' },
		});
		if (!isRecord(data)) {
			throw unreadable('without the campaign');
		}
		const of = { campaign_id: campaignId, name: String(data.name) };
		return comparison(of, compareCampaign(document, data as IDataObject), itemPerDifference);
	},
});
