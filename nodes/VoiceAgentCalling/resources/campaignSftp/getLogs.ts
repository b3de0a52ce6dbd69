import { campaign } from '../../../shared/pickers/locators';
import { returnAll } from '../../fields/common';
import { defineOperation } from '../../operation/defineOperation';
import { refusals } from './fields';

export const getLogs = defineOperation({
	name: 'Get Logs',
	value: 'getLogs',
	action: 'Get SFTP logs',
	description: 'List the imports and exports of a campaign with their results',
	fields: [campaign, returnAll],
	request: ({ campaignId }) => ({
		method: 'GET',
		path: ['campaigns', campaignId, 'sftp', 'logs'],
		...refusals,
	}),
	items: (response) => response.data,
});
