import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { failedVerdict, verdict } from '../../operation/verdict';
import { refusals } from './fields';

export const testConnection = defineOperation({
	name: 'Test Connection',
	value: 'testConnection',
	action: 'Test SFTP connection',
	description:
		'Let the service log in to the SFTP server and look at both folders, which enabling needs. A failed test is a result: success is false, and error says why.',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'POST',
		path: ['campaigns', campaignId, 'sftp', 'test-connection'],
		...refusals,
	}),
	output: verdict,
	recover: failedVerdict,
	// A second test changes nothing but the result of the last test.
	repeat: 'safe',
});
