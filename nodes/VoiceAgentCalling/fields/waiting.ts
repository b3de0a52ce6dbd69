import { choice, local } from '../../shared/fields/field';
import { decimal, integer } from '../../shared/fields/kinds';

/** Which event ends the wait. */
export const waitFor = local(
	choice('waitFor', {
		displayName: 'Wait For',
		name: 'waitFor',
		options: [
			{ name: 'End of the Call', value: 'end', description: 'Completed, or failed after its last try' },
			{ name: 'Recording', value: 'recording', description: "The recording's address, or that the call failed" },
			{ name: 'Report', value: 'report', description: 'The report on the call, or that the call failed' },
			{ name: 'Transcript', value: 'transcript', description: 'What was said, or that the call failed' },
		],
		default: 'end',
		description: 'What has to happen before the workflow goes on. The trigger has to listen to these events.',
	}),
);

/** Whether to wait by event or by polling. */
export const waitBy = local(
	choice('waitBy', {
		displayName: 'Wait By',
		name: 'waitBy',
		noDataExpression: true,
		options: [
			{
				name: 'Event',
				value: 'event',
				description:
					'The execution sleeps in the database until a published Voice Agent Calling Trigger with the same credential gets the event',
			},
			{
				name: 'Polling',
				value: 'polling',
				description: 'The execution goes on running and asks the service again and again. It needs no trigger.',
			},
		],
		default: 'event',
		description: 'How the node learns what became of the call',
	}),
);

/** How long to wait unless the user says otherwise, in minutes. */
export const DEFAULT_TIME_LIMIT_MINUTES = 60;

/** How long to wait, in minutes. */
export const timeLimit = local(
	decimal(
		'timeLimit',
		{
			displayName: 'Time Limit',
			name: 'timeLimit',
			default: DEFAULT_TIME_LIMIT_MINUTES,
			description:
				"How many minutes to wait. Then the workflow goes on without 'outcome' (by Polling: with the outcome 'timedOut'). The call itself goes on.",
		},
		{ min: 0.1, max: 43_200 },
	),
);

/** The time between two polls, in seconds. */
export const pollInterval = local(
	integer(
		'pollInterval',
		{
			displayName: 'Poll Interval',
			name: 'pollInterval',
			default: 15,
			description: 'By Polling: how many seconds to wait before the service is asked again, 1 to 3600',
		},
		{ min: 1, max: 3600 },
	),
);
