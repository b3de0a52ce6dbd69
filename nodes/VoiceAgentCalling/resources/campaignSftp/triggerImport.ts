import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { triggerRefusals } from './fields';

export const triggerImport = defineOperation({
	name: 'Trigger Import',
	value: 'triggerImport',
	action: 'Trigger SFTP import',
	toolDescription:
		'Import the contact files of a campaign now. An active campaign calls these contacts: real phones ring, and the calls cost money.',
	description: 'Import the contact files of a campaign now. If it is active, real phones ring and credits are spent.',
	fields: [campaign],
	request: ({ campaignId }) => ({
		method: 'POST',
		path: ['campaigns', campaignId, 'sftp', 'trigger-import'],
		...triggerRefusals,
	}),
	output: (response) => response.data,
	repeat: 'never',
	// The numbers are in the file, so it is impossible to limit which or how many numbers an AI agent calls.
	forTools: false,
});
