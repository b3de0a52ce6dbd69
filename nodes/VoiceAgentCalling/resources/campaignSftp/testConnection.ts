import { campaign } from '../../../shared/locators';
import { defineOperation } from '../../../shared/operation';
import { failedVerdict, verdict } from '../../../shared/verdict';
import { refusals } from './fields';

export const testConnection = defineOperation({
	name: 'Test Connection',
	value: 'testConnection',
	action: 'Test the SFTP connection of a campaign',
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
	// It looks anew each time.
	repeat: 'safe',
});
