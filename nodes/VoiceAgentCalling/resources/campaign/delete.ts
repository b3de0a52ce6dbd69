import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteCampaign = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete campaign',
	description:
		'Permanently delete a campaign with its calls, files and statistics. Pause, complete or cancel an active campaign first.',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'DELETE',
		path: ['campaigns', campaignId],
		codes: { 403: 'FORBIDDEN', 404: 'CAMPAIGN_NOT_FOUND', 409: 'CONFLICT' },
		advice: {
			403: 'If the campaign is active, pause, complete or cancel it with Campaign → Set Status, then run this again. Otherwise the environment token lacks the permission.',
			409: 'Calls of the campaign are in progress. Run this again when they have ended.',
		},
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
