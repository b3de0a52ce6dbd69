import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { refusals } from './fields';

export const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get the SFTP configuration of a campaign',
	description:
		'Read the SFTP configuration of a campaign and how its last test went. Passwords and keys are never shown.',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'GET',
		path: ['campaigns', campaignId, 'sftp'],
		...refusals,
	}),
	output: (response) => response.data,
	simplified: [
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
	],
});
