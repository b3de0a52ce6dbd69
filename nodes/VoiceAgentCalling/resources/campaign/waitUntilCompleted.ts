import { campaign } from '../../../shared/pickers/locators';
import { campaignTimeLimit } from '../../fields/timeLimit';
import { campaignPollInterval, waitByCampaignEnd } from '../../fields/waiting';
import { defineOperation } from '../../operation/defineOperation';
import { readCampaign } from '../../waiting/campaignRequests';

export const waitUntilCompleted = defineOperation({
	name: 'Wait Until Completed',
	value: 'waitUntilCompleted',
	action: 'Wait until campaign is completed',
	description: 'Wait until a campaign is completed or cancelled, and continue with its final statistics',
	fields: [campaign, waitByCampaignEnd],
	options: [campaignPollInterval, campaignTimeLimit],
	// Several items that wait for the same campaign share one wait.
	run: async (api, { campaignId }) => ({
		...(await api.remember(campaignId, () => readCampaign(api.request, campaignId))),
	}),
	waitsFor: 'campaigns',
	// An AI agent cannot wait for days.
	forTools: false,
});
