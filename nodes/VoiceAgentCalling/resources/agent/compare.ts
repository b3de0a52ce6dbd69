import { agent } from '../../../shared/pickers/locators';
import { compareDocuments } from '../../agentDocument/compareDocuments';
import { comparison, itemPerDifference } from '../../agentDocument/comparison';
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
	options: [itemPerDifference],
	async run(api, { agentId, document }, { itemPerDifference }) {
		const { document: current } = await readAgentDocument(api, agentId);
		const of = { agent_id: agentId, name: current.settings.name };
		return comparison(of, compareDocuments(document, current), itemPerDifference);
	},
});
