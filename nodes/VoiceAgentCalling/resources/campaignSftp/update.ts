import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { changeableSettings, refusals } from './fields';

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update SFTP configuration',
	toolDescription:
		'Change, enable or disable the SFTP configuration of a campaign. An active campaign calls the contacts that it imports: real phones ring, and the calls cost money.',
	description: 'Change or enable the configuration. An active campaign calls imported contacts: real phones ring.',
	fields: [campaign],
	updates: changeableSettings,
	request: ({ campaignId, ...body }) => ({
		method: 'PUT',
		path: ['campaigns', campaignId, 'sftp'],
		body,
		...refusals,
	}),
	output: (response) => response.data,
	forTools: false,
});
