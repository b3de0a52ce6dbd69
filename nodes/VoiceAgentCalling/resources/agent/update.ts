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
	description:
		'Change the prompt, the voice, the phone numbers or other settings of a voice agent. Only what differs is sent, and what you do not add keeps its value, except the ambient volume: the service does not return it, so each change of the voice resets it to 1 unless you set it.',
	fields: [agent],
	updates,
	async run(api, { agentId, ...wanted }) {
		const { updateAgent } = await import('../../agents/apply/updateAgent.js');
		return await updateAgent(api, agentId, wanted, titleOf);
	},
	outputs: agentOutputs,
	drafts: 'agent',
});
