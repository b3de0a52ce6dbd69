import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { optionalSettings, requiredSettings } from './fields';

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create SFTP configuration',
	description: 'Connect a campaign to an SFTP server. It is disabled at first: use Test Connection, then Update.',
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
