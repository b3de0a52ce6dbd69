import { idList } from '../../../shared/fields/kinds';
import { campaign } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { triggerRefusals } from './fields';

const files = idList(
	'file_data_ids',
	{
		displayName: 'File Names or IDs',
		name: 'campaignFiles',
		required: true,
		typeOptions: { loadOptionsMethod: 'getCampaignFiles', loadOptionsDependsOn: ['campaign.value'] },
		description:
			'Contact files whose results are exported. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{ min: 1 },
);

export const triggerExport = defineOperation({
	name: 'Trigger Export',
	value: 'triggerExport',
	action: 'Trigger SFTP export',
	description: 'Write the results of contact files to the SFTP server now. Get Logs shows when it has ended.',
	fields: [campaign, files],
	request: ({ campaignId, ...body }) => ({
		method: 'POST',
		path: ['campaigns', campaignId, 'sftp', 'trigger-export'],
		body,
		...triggerRefusals,
	}),
	output: (response) => response.data,
	repeat: 'never',
});
