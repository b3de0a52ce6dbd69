import type { IDataObject } from 'n8n-workflow';

import { agent } from '../../../shared/pickers/locators';
import { readAgentDocument } from '../../agents/document/readAgentDocument';
import { defineOperation } from '../../operation/defineOperation';

export const exportAgent = defineOperation({
	name: 'Export',
	value: 'export',
	action: 'Export agent',
	description: 'Get a voice agent as one JSON document without IDs and secrets, for Git or Agent → Apply',
	fields: [agent],
	async run(api, { agentId }) {
		const { document } = await readAgentDocument(api, agentId);
		return document as unknown as IDataObject;
	},
});
