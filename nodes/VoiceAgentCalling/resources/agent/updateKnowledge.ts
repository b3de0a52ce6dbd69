import { clearable } from '../../../shared/fields/field';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import {
	agentDescription,
	agentOutputs,
	askIfHumanPresent,
	initialMessage,
	initialMessageDelay,
	interruptSensitivity,
	temperature,
} from './fields';
import { putSettings } from './putSettings';

const required = [
	agentDescription,
	askIfHumanPresent,
	initialMessageDelay,
	interruptSensitivity,
	temperature('. The service may not tell the present one: then it has to be given with every change.'),
] as const;

export const updateKnowledge = defineOperation({
	name: 'Update Knowledge',
	value: 'updateKnowledge',
	action: 'Update agent knowledge',
	description:
		'Change what a voice agent is to do and how it behaves. What you leave out is read from the agent and sent back unchanged, since the service wants all of it at once. The agent becomes a draft and must be published again before it can call.',
	fields: [agent],
	updates: [...required, clearable(initialMessage)],
	run: (api, { agentId, ...changes }) =>
		putSettings(
			api,
			agentId,
			{ name: 'knowledge', required, preserved: [initialMessage], codes: { 403: 'UNAUTHORIZED' } },
			changes,
		),
	outputs: agentOutputs,
	drafts: true,
});
