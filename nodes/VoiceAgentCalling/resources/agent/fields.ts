import { choice, type Field } from '../../../shared/fields/field';
import { decimal, idList, integer, type Property, text, toggle } from '../../../shared/fields/kinds';
import { locator } from '../../../shared/pickers/locators';
import { fieldsOf, type Limits, type Section } from '../../agents/document/agentFields';
import { language } from '../../fields/language';
import { outputsOf } from '../../operation/outputChoice';

/** The default output identifies an agent, and shows whether it can call. */
export const agentOutputs = outputsOf('GET /agents/{agent_id}', [
	'name',
	'label',
	'current_status',
	'direction',
	'language',
	'phone_numbers',
	'is_ready_to_publish',
	'description',
	'updated_at',
	'id',
]);

/** As {@link agentOutputs}, with whether the voice was set, and without `is_ready_to_publish`: it is false in a draft. */
export const createdAgentOutputs = outputsOf('GET /agents/{agent_id}', [
	'name',
	'label',
	'current_status',
	'direction',
	'language',
	'voiceSet',
	'voiceCode',
	'voiceMessage',
	'id',
]);

/** A function that makes a field, such as `integer`. */
type Make<Key extends string, Value> = (key: Key, property: Property, limits: Limits) => Field<Key, Value>;

/**
 * Makes the field of a setting, with the default and the limits in `agentFields`.
 *
 * @param property in its description, the limits replace `{limits}`
 */
function setting<const Key extends string, Value>(
	section: Section,
	key: Key,
	make: Make<Key, Value>,
	{ description = '', ...property }: Property,
): Field<Key, Value> {
	const { limits = {}, default: initial } = Object.fromEntries(fieldsOf(section))[key];
	const { min, max } = limits;
	const unit = make === (text as unknown) || make === (longText as unknown) ? ' characters' : '';
	const words = max === undefined ? `${min}${unit} or more` : `${min === undefined ? 'up' : min} to ${max}${unit}`;
	const given = initial === undefined ? {} : { default: initial as string };
	return make(key, { ...property, ...given, description: description.replace('{limits}', words) }, limits);
}

const longText = <const Key extends string>(key: Key, property: Property, limits: Limits) =>
	text(key, property, { ...limits, multiline: true });

/** Returns the default of a choice in `agentFields`. */
function initialOf(section: Section, key: string): string {
	return String(Object.fromEntries(fieldsOf(section))[key].default);
}

export const agentName = setting('settings', 'name', text, {
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. Ada',
	description: 'Name of the agent, {limits}',
});

export const direction = choice('direction', {
	displayName: 'Direction',
	name: 'direction',
	options: [
		{ name: 'Inbound', value: 'inbound', description: 'The agent receives calls on its numbers' },
		{ name: 'Outbound', value: 'outbound', description: 'The agent places calls from its numbers' },
	],
	default: initialOf('calling', 'direction'),
	description: 'Whether the agent receives or places calls',
});

/**
 * Makes the phone numbers field.
 *
 * @param more explains what happens to the agent's current numbers
 * @param limits `min`: how many numbers are required
 */
export function phoneNumbers(more = '', limits: { min?: number } = {}) {
	const what = `Numbers that the agent calls from or answers.${more}`;
	const property = {
		displayName: 'Phone Number Names or IDs',
		name: 'phoneNumbers',
		typeOptions: { loadOptionsMethod: 'getPhoneNumbers' },
		description: `${what} Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
	};
	return idList('phone_number_ids', property, limits);
}

export const prompt = setting('knowledge', 'description', longText, {
	displayName: 'Prompt',
	name: 'prompt',
	placeholder: 'e.g. You confirm appointments. Ask {{name}} if the time suits.',
	description: 'What the agent is for and how it acts, {limits}. Agent variables are probably written as {{name}}.',
});

export const firstMessage = setting('knowledge', 'initial_message', text, {
	displayName: 'First Message',
	name: 'firstMessage',
	placeholder: 'e.g. Hello, this is Ada.',
	description: 'What the agent says first, {limits}',
});

export const interruptSensitivity = choice('interrupt_sensitivity', {
	displayName: 'Interrupt Sensitivity',
	name: 'interruptSensitivity',
	options: [
		{ name: 'High', value: 'high' },
		{ name: 'Low', value: 'low' },
		{ name: 'Medium', value: 'medium' },
	],
	default: initialOf('knowledge', 'interrupt_sensitivity'),
	description: 'How easily the other person can interrupt the agent',
});

export const firstMessageDelay = setting('knowledge', 'initial_message_delay', integer, {
	displayName: 'First Message Delay (Seconds)',
	name: 'firstMessageDelay',
	description: 'How long the agent waits before its first message, {limits}',
});

export const askIfHumanPresent = setting('knowledge', 'ask_if_human_present_on_idle', toggle, {
	displayName: 'Ask If Human Present',
	name: 'askIfHumanPresent',
	description: 'Whether the agent asks if someone is there when nobody speaks',
});

export const temperature = setting('knowledge', 'llm_temperature', decimal, {
	displayName: 'LLM Temperature',
	name: 'temperature',
	description: 'How freely the language model phrases its answers, {limits}',
});

export const voice = locator(
	'voice_id',
	{
		displayName: 'Voice',
		name: 'voice',
		description: 'Voice of the agent',
		list: 'searchVoiceTemplates',
	},
	{ optional: true },
);

export const spokenLanguage = language('Language that the agent speaks');

export const conversationSpeed = setting('voice', 'conversation_speed', decimal, {
	displayName: 'Conversation Speed',
	name: 'conversationSpeed',
	description: 'How fast the agent talks, {limits}; 1 is normal. Some voices accept only 1 to 2.',
});

export const whoSpeaksFirst = choice('who_speaks_first', {
	displayName: 'Who Speaks First',
	name: 'whoSpeaksFirst',
	options: [
		{ name: 'Agent', value: 'agent' },
		{ name: 'User', value: 'user', description: 'The agent waits for the other person to speak' },
	],
	default: initialOf('voice', 'who_speaks_first'),
	description: 'Who speaks first in a call',
});

const ambientBackground = text('ambient_background', {
	displayName: 'Ambient Background',
	name: 'ambientBackground',
	placeholder: 'e.g. office',
	description: 'Background sound, such as office, cafe or quiet',
});

const ambientVolume = setting('voice', 'ambient_volume', decimal, {
	displayName: 'Ambient Volume',
	name: 'ambientVolume',
	description:
		'Volume of the background, {limits}. The service does not return it: a change of the voice resets it to 1 without it.',
});

const similarity = setting('voice', 'similarity', decimal, {
	displayName: 'Similarity',
	name: 'similarity',
	default: 0.75,
	description: 'How close the voice is to its original: only for high-fidelity voice templates, {limits}',
});

const stability = setting('voice', 'stability', decimal, {
	displayName: 'Stability',
	name: 'stability',
	default: 0.75,
	description: 'How even the voice sounds: only for high-fidelity voice templates, {limits}',
});

/** The settings that can be changed after the creation, apart from the first message. */
export const changeable = [
	ambientBackground,
	ambientVolume,
	askIfHumanPresent,
	conversationSpeed,
	direction,
	firstMessageDelay,
	interruptSensitivity,
	// An agent whose numbers are removed misses its calls: a field that was added and left empty must not do that.
	phoneNumbers(' They replace the current numbers. To remove all of them, use Agent → Apply.', { min: 1 }),
	prompt,
	similarity,
	spokenLanguage,
	stability,
	temperature,
	voice,
	whoSpeaksFirst,
] as const;

/** The settings of a new agent that have a default. */
export const behavior = [
	askIfHumanPresent,
	conversationSpeed,
	direction,
	setting('settings', 'endpointing_sensitivity', text, {
		displayName: 'Endpointing Sensitivity',
		name: 'endpointingSensitivity',
		description:
			"How quickly a pause counts as the end of a turn, such as 'auto' or 'medium'. The service does not list the values.",
	}),
	firstMessageDelay,
	setting('settings', 'idle_time_seconds', integer, {
		displayName: 'Idle Time (Seconds)',
		name: 'idleTime',
		description: 'How long a silence lasts before the agent speaks, {limits}. The service may limit it to 60.',
	}),
	interruptSensitivity,
	setting('settings', 'ivr_navigation_mode', text, {
		displayName: 'IVR Navigation Mode',
		name: 'ivrNavigation',
		description:
			"How the agent handles phone menus (IVR), such as 'off' or 'standard'. The service does not list the values.",
	}),
	setting('settings', 'enable_recording', toggle, {
		displayName: 'Record Calls',
		name: 'recordCalls',
		description: 'Whether calls are recorded. In many countries the other person has to agree.',
	}),
	temperature,
	whoSpeaksFirst,
	setting('settings', 'initial_idle_time_seconds', integer, {
		displayName: 'Initial Idle Time (Seconds)',
		name: 'initialIdleTime',
		default: 10,
		description: 'Idle time before the other person has spoken, {limits}',
	}),
	setting('settings', 'initial_max_idle_check_count', integer, {
		displayName: 'Initial Max Idle Checks',
		name: 'initialMaxIdleChecks',
		default: 3,
		description: 'Max idle checks before the other person has spoken, {limits}',
	}),
	setting('settings', 'label', text, {
		displayName: 'Label',
		name: 'label',
		placeholder: 'e.g. Confirms appointments',
		description: 'Name of the agent in the dashboard, {limits}. The default is the name.',
	}),
	setting('settings', 'max_call_duration_seconds', integer, {
		displayName: 'Max Call Duration (Seconds)',
		name: 'maxCallDuration',
		default: 600,
		description: 'How long a call can last before the agent ends it, {limits}',
	}),
	setting('settings', 'max_idle_check_count', integer, {
		displayName: 'Max Idle Checks',
		name: 'maxIdleChecks',
		default: 3,
		description: 'How many times the agent speaks during one silence, {limits}',
	}),
	setting('settings', 'say_goodbye_on_max_duration', toggle, {
		displayName: 'Say Goodbye on Max Duration',
		name: 'sayGoodbye',
		default: true,
		description: 'Whether the agent says goodbye before it ends a call that has reached Max Call Duration',
	}),
	setting('settings', 'user_inactivity_timeout_seconds', integer, {
		displayName: 'User Inactivity Timeout (Seconds)',
		name: 'userInactivityTimeout',
		default: 30,
		description: 'How long the other person can be silent before the call ends, {limits}',
	}),
] as const;
