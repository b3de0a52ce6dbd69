import { returnAll } from '../../../shared/fields';
import { campaign } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';
import { refusals } from './fields';

export const getLogs = defineOperation({
	name: 'Get Logs',
	value: 'getLogs',
	action: 'Get the SFTP logs of a campaign',
	description: 'List the imports and exports of a campaign, each with how it went',
	fields: [campaign, returnAll],
	request: ({ campaignId }) => ({
		method: 'GET',
		path: ['campaigns', campaignId, 'sftp', 'logs'],
		...refusals,
	}),
	items: (response) => response.data,
});
