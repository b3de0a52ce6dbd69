import { choice } from '../../../shared/fields/field';
import { decimal, idList, integer, text, toggle } from '../../../shared/fields/kinds';
import { outputsOf } from '../../operation/outputChoice';

/** By default, the output has what identifies an agent, and whether it can call. */
export const agentOutputs = outputsOf('GET /agents/{agent_id}', [
	'id',
	'name',
	'label',
	'description',
	'language',
	'direction',
	'current_status',
	'is_ready_to_publish',
	'phone_numbers',
	'updated_at',
]);

/** As {@link agentOutputs}, and whether the voice of a new agent was set. */
export const createdAgentOutputs = outputsOf('GET /agents/{agent_id}', [
	'id',
	'name',
	'label',
	'language',
	'direction',
	'current_status',
	'is_ready_to_publish',
	'voiceSet',
	'voiceCode',
	'voiceMessage',
]);

export const direction = choice('direction', {
	displayName: 'Direction',
	name: 'direction',
	options: [
		{ name: 'Inbound', value: 'inbound', description: 'The agent receives calls on its numbers' },
		{ name: 'Outbound', value: 'outbound', description: 'The agent places calls from its numbers' },
	],
	default: 'outbound',
	description: 'Whether the agent receives or places calls',
});

/** Makes the phone numbers field. @param more says what happens to the agent's current numbers */
export function phoneNumbers(more = '') {
	const what = `Numbers that the agent calls from or answers.${more}`;
	return idList('phone_number_ids', {
		displayName: 'Phone Number Names or IDs',
		name: 'phoneNumbers',
		typeOptions: { loadOptionsMethod: 'getPhoneNumbers' },
		description: `${what} Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
	});
}

export const prompt = text(
	'description',
	{
		displayName: 'Prompt',
		name: 'prompt',
		placeholder: 'e.g. You confirm appointments. Ask {{name}} if the time suits.',
		description:
			'What the agent is for and how it acts, 5 characters or more. Agent variables are probably written as {{name}}.',
	},
	{ min: 5, multiline: true },
);

export const firstMessage = text(
	'initial_message',
	{
		displayName: 'First Message',
		name: 'firstMessage',
		placeholder: 'e.g. Hello, this is Ada.',
		description: 'What the agent says first, 5 to 255 characters',
	},
	{ min: 5, max: 255 },
);

export const interruptSensitivity = choice('interrupt_sensitivity', {
	displayName: 'Interrupt Sensitivity',
	name: 'interruptSensitivity',
	options: [
		{ name: 'High', value: 'high' },
		{ name: 'Low', value: 'low' },
		{ name: 'Medium', value: 'medium' },
	],
	default: 'medium',
	description: 'How easily the other person can interrupt the agent',
});

export const firstMessageDelay = integer(
	'initial_message_delay',
	{
		displayName: 'First Message Delay (Seconds)',
		name: 'firstMessageDelay',
		default: 1,
		description: 'How long the agent waits before its first message, 0 to 60',
	},
	{ min: 0, max: 60 },
);

export const askIfHumanPresent = toggle('ask_if_human_present_on_idle', {
	displayName: 'Ask If Human Present',
	name: 'askIfHumanPresent',
	default: true,
	description: 'Whether the agent asks if someone is there when nobody speaks',
});

/** Makes the temperature field. @param more is added to the description */
export function temperature(more = '') {
	return decimal(
		'llm_temperature',
		{
			displayName: 'LLM Temperature',
			name: 'temperature',
			default: 0.4,
			description: `How freely the language model phrases its answers, 0 to 2${more}`,
		},
		{ min: 0, max: 2 },
	);
}

/** The documentation of the service has two ranges, 0.1 to 3 and 1 to 2. The node allows the larger one. */
export const conversationSpeed = decimal(
	'conversation_speed',
	{
		displayName: 'Conversation Speed',
		name: 'conversationSpeed',
		default: 1,
		description: 'How fast the agent talks, 0.1 to 3; 1 is normal. Some voices accept only 1 to 2.',
	},
	{ min: 0.1, max: 3 },
);

export const whoSpeaksFirst = choice('who_speaks_first', {
	displayName: 'Who Speaks First',
	name: 'whoSpeaksFirst',
	options: [
		{ name: 'Agent', value: 'agent' },
		{ name: 'User', value: 'user', description: 'The agent waits for the other person to speak' },
	],
	default: 'agent',
	description: 'Who speaks first in a call',
});
