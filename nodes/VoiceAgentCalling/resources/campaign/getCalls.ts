import type { IDataObject } from 'n8n-workflow';

import { objectIn } from '../../../shared/client/refusals';
import { unreadable } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/json';
import { idsLast } from '../../../shared/outputJson';
import { campaign } from '../../../shared/pickers/locators';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';

export const getCalls = defineOperation({
	name: 'Get Calls',
	value: 'getCalls',
	action: 'Get campaign calls',
	description: 'List the calls of a campaign. The service lists neither their context nor which are test calls.',
	fields: [campaign, returnAll],
	async run(api, { campaignId }, { limit }) {
		const body = await api.request({
			method: 'GET',
			path: ['campaigns', campaignId],
			codes: { 404: 'CAMPAIGN_NOT_FOUND' },
		});
		const { calls, stats } = objectIn(body, 'the campaign');
		if (!Array.isArray(calls) || !calls.every(isRecord)) {
			throw unreadable('without the calls of the campaign');
		}
		// The statistics leave out test calls, so they never count more calls than the campaign has.
		const counted = Number(isRecord(stats) ? stats.total_calls : 0);
		if (counted > calls.length) {
			api.note(`The service lists only ${calls.length} of at least ${counted} calls of the campaign.`);
		}
		return calls.slice(0, limit).map((call) => idsLast(call as IDataObject));
	},
});
