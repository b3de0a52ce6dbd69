import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const deleteCampaign = defineOperation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete campaign',
	description: 'Permanently delete a campaign with its calls, files and statistics. Pause an active one first.',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'DELETE',
		path: ['campaigns', campaignId],
		codes: { 403: 'CAMPAIGN_NOT_DELETABLE', 404: 'CAMPAIGN_NOT_FOUND', 409: 'CALLS_IN_PROGRESS' },
	}),
	output: () => ({ deleted: true }),
	forTools: false,
});
