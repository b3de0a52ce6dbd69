import { integer, text, toggle } from '../../../shared/fields/kinds';

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

export const label = text(
	'label',
	{
		displayName: 'Label',
		name: 'label',
		required: true,
		placeholder: 'e.g. Confirms appointments',
		description: 'What the dashboard shows for the agent, up to 255 characters',
	},
	{ max: LONGEST_TEXT },
);

export const endpointingSensitivity = text(
	'endpointing_sensitivity',
	{
		displayName: 'Endpointing Sensitivity',
		name: 'endpointingSensitivity',
		required: true,
		default: 'auto',
		description:
			"How soon the agent takes a pause for the end of what the other side says, such as 'auto' or 'medium'. The service does not list the values.",
	},
	{ max: LONGEST_TEXT },
);

export const ivrNavigation = text(
	'ivr_navigation_mode',
	{
		displayName: 'IVR Navigation Mode',
		name: 'ivrNavigation',
		required: true,
		default: 'off',
		description:
			"How the agent finds its way through the menus of a telephone computer, such as 'off' or 'standard'. The service does not list the values.",
	},
	{ max: LONGEST_TEXT },
);

/** The documentation of the service has two limits, 60 and 300 seconds. The node allows the larger one. */
export const idleTime = integer(
	'idle_time_seconds',
	{
		displayName: 'Idle Time',
		name: 'idleTime',
		default: 10,
		description: 'After how many seconds of silence the agent speaks up, 1 to 300. The service may take 60 at most.',
	},
	{ min: 1, max: 300 },
);

export const recording = toggle('enable_recording', {
	displayName: 'Record Calls',
	name: 'recordCalls',
	description: 'Whether calls are recorded. In many countries the other side has to agree to it.',
});

export const maxIdleChecks = integer(
	'max_idle_check_count',
	{
		displayName: 'Max Idle Checks',
		name: 'maxIdleChecks',
		default: 3,
		description: 'How often the agent speaks up in a silence, 1 to 10',
	},
	{ min: 1, max: 10 },
);

export const maxCallDuration = integer(
	'max_call_duration_seconds',
	{
		displayName: 'Max Call Duration',
		name: 'maxCallDuration',
		default: 600,
		description: 'After how many seconds the agent ends a call, 1 to 3600',
	},
	{ min: 1, max: 3600 },
);

export const sayGoodbye = toggle('say_goodbye_on_max_duration', {
	displayName: 'Say Goodbye on Max Duration',
	name: 'sayGoodbye',
	default: true,
	description: 'Whether the agent says goodbye before it ends a call that has taken too long',
});

export const userInactivityTimeout = integer(
	'user_inactivity_timeout_seconds',
	{
		displayName: 'User Inactivity Timeout',
		name: 'userInactivityTimeout',
		default: 30,
		description: 'After how many seconds without a word from the other side the call ends, 5 to 120',
	},
	{ min: 5, max: 120 },
);

export const initialIdleTime = integer(
	'initial_idle_time_seconds',
	{
		displayName: 'Initial Idle Time',
		name: 'initialIdleTime',
		default: 10,
		description: 'The same as Idle Time, before the other side has spoken: 1 to 60 seconds',
	},
	{ min: 1, max: 60 },
);

export const initialMaxIdleChecks = integer(
	'initial_max_idle_check_count',
	{
		displayName: 'Initial Max Idle Checks',
		name: 'initialMaxIdleChecks',
		default: 3,
		description: 'The same as Max Idle Checks, before the other side has spoken: 0 to 10',
	},
	{ min: 0, max: 10 },
);
