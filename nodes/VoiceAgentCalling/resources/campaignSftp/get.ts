import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { outputsOf } from '../../operation/outputChoice';
import { refusals } from './fields';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get SFTP configuration',
	description:
		'Get the SFTP configuration of a campaign and the result of its last test. Passwords and keys are never returned.',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'GET',
		path: ['campaigns', campaignId, 'sftp'],
		...refusals,
	}),
	output: (response) => response.data,
	outputs: outputsOf('GET /campaigns/{campaign_id}/sftp', [
		'id',
		'campaign_id',
		'host',
		'auth_type',
		'import_path',
		'export_path',
		'import_schedule',
		'is_enabled',
		'last_test_at',
		'last_test_success',
	]),
});
