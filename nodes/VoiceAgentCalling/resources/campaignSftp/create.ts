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
		codes: { 404: 'CAMPAIGN_NOT_FOUND', 409: 'SFTP_ALREADY_EXISTS' },
	}),
	output: (response) => response.data,
	forTools: false,
});
