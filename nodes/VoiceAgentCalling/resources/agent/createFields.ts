import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../../shared/fields/field';
import { integer, text, toggle } from '../../../shared/fields/kinds';
import {
	askIfHumanPresent,
	conversationSpeed,
	direction,
	firstMessageDelay,
	interruptSensitivity,
	temperature,
	whoSpeaksFirst,
} from './fields';

// Settings of an agent that can be set only when it is created.

/** Length limit of the text fields in this file. */
const LONGEST_TEXT = 255;

export const agentName = text(
	'name',
	{
		displayName: 'Name',
		name: 'name',
		required: true,
		placeholder: 'e.g. Ada',
		description: 'Name of the agent, up to 255 characters',
	},
	{ max: LONGEST_TEXT },
);

const label = text(
	'label',
	{
		displayName: 'Label',
		name: 'label',
		placeholder: 'e.g. Confirms appointments',
		description: 'Name of the agent in the dashboard, up to 255 characters. The default is the name.',
	},
	{ max: LONGEST_TEXT },
);

const endpointingSensitivity = text(
	'endpointing_sensitivity',
	{
		displayName: 'Endpointing Sensitivity',
		name: 'endpointingSensitivity',
		default: 'auto',
		description:
			"How quickly a pause counts as the end of a turn, such as 'auto' or 'medium'. The service does not list the values.",
	},
	{ max: LONGEST_TEXT },
);

const ivrNavigation = text(
	'ivr_navigation_mode',
	{
		displayName: 'IVR Navigation Mode',
		name: 'ivrNavigation',
		default: 'off',
		description:
			"How the agent handles phone menus (IVR), such as 'off' or 'standard'. The service does not list the values.",
	},
	{ max: LONGEST_TEXT },
);

/** The documentation of the service has two limits, 60 and 300 seconds. The node allows the larger one. */
const idleTime = integer(
	'idle_time_seconds',
	{
		displayName: 'Idle Time (Seconds)',
		name: 'idleTime',
		default: 10,
		description: 'How long a silence lasts before the agent speaks, 1 to 300. The service may limit it to 60.',
	},
	{ min: 1, max: 300 },
);

const recording = toggle('enable_recording', {
	displayName: 'Record Calls',
	name: 'recordCalls',
	description: 'Whether calls are recorded. In many countries the other person has to agree.',
});

const maxIdleChecks = integer(
	'max_idle_check_count',
	{
		displayName: 'Max Idle Checks',
		name: 'maxIdleChecks',
		default: 3,
		description: 'How many times the agent speaks during one silence, 1 to 10',
	},
	{ min: 1, max: 10 },
);

const maxCallDuration = integer(
	'max_call_duration_seconds',
	{
		displayName: 'Max Call Duration (Seconds)',
		name: 'maxCallDuration',
		default: 600,
		description: 'How long a call can last before the agent ends it, 1 to 3600',
	},
	{ min: 1, max: 3600 },
);

const sayGoodbye = toggle('say_goodbye_on_max_duration', {
	displayName: 'Say Goodbye on Max Duration',
	name: 'sayGoodbye',
	default: true,
	description: 'Whether the agent says goodbye before it ends a call that has reached Max Call Duration',
});

const userInactivityTimeout = integer(
	'user_inactivity_timeout_seconds',
	{
		displayName: 'User Inactivity Timeout (Seconds)',
		name: 'userInactivityTimeout',
		default: 30,
		description: 'How long the other person can be silent before the call ends, 5 to 120',
	},
	{ min: 5, max: 120 },
);

const initialIdleTime = integer(
	'initial_idle_time_seconds',
	{
		displayName: 'Initial Idle Time (Seconds)',
		name: 'initialIdleTime',
		default: 10,
		description: 'Idle time before the other person has spoken, 1 to 60',
	},
	{ min: 1, max: 60 },
);

const initialMaxIdleChecks = integer(
	'initial_max_idle_check_count',
	{
		displayName: 'Initial Max Idle Checks',
		name: 'initialMaxIdleChecks',
		default: 3,
		description: 'Max idle checks before the other person has spoken, 0 to 10',
	},
	{ min: 0, max: 10 },
);

/** The settings that the service requires for a new agent. */
const requiredBehavior = [
	askIfHumanPresent,
	conversationSpeed,
	direction,
	endpointingSensitivity,
	firstMessageDelay,
	idleTime,
	interruptSensitivity,
	ivrNavigation,
	recording,
	temperature(),
	whoSpeaksFirst,
] as const;

/** The settings of a new agent that have a default. */
export const behavior = [
	...requiredBehavior,
	initialIdleTime,
	initialMaxIdleChecks,
	label,
	maxCallDuration,
	maxIdleChecks,
	sayGoodbye,
	userInactivityTimeout,
] as const;

/** The values of the settings that the service requires, where the user added none: what the editor shows as default. */
export const defaultBehavior: IDataObject = Object.fromEntries(
	requiredBehavior.map(({ key, properties: [property] }: Field) => [key, property.default]),
);
