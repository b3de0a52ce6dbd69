import { withRules } from '../../../shared/fields/field';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { agentOutputs, changeable, firstMessage } from './fields';

const updates = [...changeable, ...withRules({ empty: 'null' }, firstMessage)] as const;

/** The name in the editor of a field with a name of the service. */
function titleOf(name: string): string {
	return updates.find(({ key }) => key === name)?.properties[0].displayName ?? name;
}

export const update = defineOperation({
	name: 'Update',
	value: 'update',
	action: 'Update agent',
	description: 'Change settings of a voice agent. What you do not add keeps its value.',
	fields: [agent],
	updates,
	async run(api, { agentId, ...wanted }) {
		const { updateAgent } = await import('../../agents/apply/updateAgent.js');
		return await updateAgent(api, agentId, wanted, titleOf);
	},
	outputs: agentOutputs,
	drafts: 'agent',
});
