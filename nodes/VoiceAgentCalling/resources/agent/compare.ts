import type { IDataObject } from 'n8n-workflow';

import { agent } from '../../../shared/pickers/locators';
import { compareDocuments } from '../../agentDocument/compareDocuments';
import { countsOf } from '../../agentDocument/differences';
import { agentDocument } from '../../agentDocument/documentField';
import { readAgentDocument } from '../../agentDocument/readAgentDocument';
import { defineOperation } from '../../operation/defineOperation';

export const compare = defineOperation({
	name: 'Compare',
	value: 'compare',
	action: 'Compare agent with document',
	description:
		'List the differences between a document of Agent → Export and a voice agent, of this or another environment. same is true if all that the service returns is the same. What it does not return is unknown, never the same.',
	fields: [agent, agentDocument],
	async run(api, { agentId, document }) {
		const { document: current } = await readAgentDocument(api, agentId);
		const differences = compareDocuments(document, current);
		return {
			agent_id: agentId,
			name: current.settings.name,
			same: differences.every(({ change }) => change === 'unknown'),
			counts: countsOf(differences),
			differences: differences as unknown as IDataObject[],
		};
	},
});
