import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { optionalSettings, requiredSettings } from './fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create SFTP configuration',
	description:
		'Connect a campaign to an SFTP server, for contact files in and result files out. It begins disabled: test the connection, then enable it with an update.',
	fields: [campaign, ...requiredSettings],
	options: optionalSettings,
	request: ({ campaignId, ...body }) => ({
		method: 'POST',
		path: ['campaigns', campaignId, 'sftp'],
		body,
		advice: {
			404: 'Choose the campaign from the list, or take an ID that Campaign, Get Many gives.',
			409: 'A campaign has one SFTP configuration at most: change it with Campaign SFTP, Update.',
		},
	}),
	output: (response) => response.data,
	forTools: false,
});
