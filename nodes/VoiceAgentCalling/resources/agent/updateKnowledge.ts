import { clearable } from '../../../shared/fields/field';
import { agent } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import {
	agentOutputs,
	askIfHumanPresent,
	firstMessage,
	firstMessageDelay,
	interruptSensitivity,
	prompt,
	temperature,
} from './fields';
import { putSettings } from './putSettings';

const required = [
	askIfHumanPresent,
	firstMessageDelay,
	interruptSensitivity,
	prompt,
	temperature('. If the service does not return the current one, it is required with every change.'),
] as const;

export const updateKnowledge = defineOperation({
	name: 'Update Knowledge',
	value: 'updateKnowledge',
	action: 'Update agent knowledge',
	description:
		'Change the prompt, the first message and the behavior of a voice agent. Other settings keep their current values.',
	fields: [agent],
	updates: [...required, clearable(firstMessage)],
	run: (api, { agentId, ...changes }) =>
		putSettings(
			api,
			agentId,
			{ name: 'knowledge', required, preserved: [firstMessage], codes: { 403: 'UNAUTHORIZED' } },
			changes,
		),
	outputs: agentOutputs,
	drafts: 'agent',
});
