import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { optionalSettings, requiredSettings } from './fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create SFTP configuration',
	description:
		'Connect a campaign to an SFTP server to import contact files and export result files. The configuration is disabled at first: test the connection, then enable it with Update.',
	fields: [campaign, ...requiredSettings],
	options: optionalSettings,
	request: ({ campaignId, ...body }) => ({
		method: 'POST',
		path: ['campaigns', campaignId, 'sftp'],
		body,
		advice: {
			404: 'Choose the campaign from the list, or use an ID that Campaign → Get Many returns.',
			409: 'A campaign can have only one SFTP configuration: change it with Campaign SFTP → Update.',
		},
	}),
	output: (response) => response.data,
	forTools: false,
});
