import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { outputsOf } from '../../operation/outputChoice';
import { refusals } from './fields';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get SFTP configuration',
	description: 'Get the SFTP configuration of a campaign and its last test, without passwords and keys',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'GET',
		path: ['campaigns', campaignId, 'sftp'],
		...refusals,
	}),
	output: (response) => response.data,
	outputs: outputsOf('GET /campaigns/{campaign_id}/sftp', [
		'host',
		'is_enabled',
		'auth_type',
		'import_path',
		'export_path',
		'import_schedule',
		'last_test_success',
		'last_test_at',
		'campaign_id',
		'id',
	]),
});
