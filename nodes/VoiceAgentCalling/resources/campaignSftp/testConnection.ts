import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { failedVerdict, verdict } from '../../operation/responses';
import { refusals } from './fields';

export const testConnection = defineOperation({
	name: 'Test Connection',
	value: 'testConnection',
	action: 'Test SFTP connection',
	description: 'Let the service log in to the SFTP server and check both folders. Required before enabling it.',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'POST',
		path: ['campaigns', campaignId, 'sftp', 'test-connection'],
		...refusals,
		readsFailure: true,
	}),
	output: verdict,
	recover: failedVerdict,
	// A second test changes only the result of the last test.
	repeat: 'check',
});
