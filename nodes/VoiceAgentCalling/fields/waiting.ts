import { choice, local } from '../../shared/fields/field';
import { decimal, integer } from '../../shared/fields/kinds';

/** Which event ends the wait. */
export const waitFor = local(
	choice('waitFor', {
		displayName: 'Wait For',
		name: 'waitFor',
		options: [
			{ name: 'End of the Call', value: 'end', description: 'The call is completed, or failed after the last retry' },
			{ name: 'Recording', value: 'recording', description: 'The recording is ready, or the call failed' },
			{ name: 'Report', value: 'report', description: 'The report on the call is ready, or the call failed' },
			{ name: 'Transcript', value: 'transcript', description: 'The transcript is ready, or the call failed' },
		],
		default: 'end',
		description: 'What has to happen before the workflow continues',
	}),
);

/**
 * Whether to wait by event or by polling, and below it what an event requires.
 *
 * @param trigger which trigger, and with which events, as its panel names them
 */
function waitBy(trigger: string) {
	const field = choice('waitBy', {
		displayName: 'Wait By',
		name: 'waitBy',
		noDataExpression: true,
		options: [
			{
				name: 'Event',
				value: 'event',
				description: 'The execution waits in the database until a trigger receives the event',
			},
			{
				name: 'Polling',
				value: 'polling',
				description: 'The execution keeps running and asks the service at intervals. It needs no trigger.',
			},
		],
		default: 'event',
		description: 'How the node learns the outcome of the call',
	});
	return local({
		...field,
		properties: [
			...field.properties,
			{
				displayName: `Requires a <b>Voice Agent Calling Trigger</b> in a published workflow, with the same credential. ${trigger}`,
				name: 'waitByNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { waitBy: ['event'] } },
			},
		],
	});
}

/** {@link waitBy} for the calls of an agent. */
export const waitByAgentEvent = waitBy(
	'It listens to the same agent, at least to Phone Call Ended, Phone Call Did Not Connect and Phone Call Error.',
);

/** {@link waitBy} for the calls of a campaign. */
export const waitByCampaignEvent = waitBy(
	'It listens to the same campaign, at least to Campaign Call Failed and the event that you wait for: Campaign Call Completed, Call Report Ready, Call Transcript Ready or Call Recording Ready.',
);

/** How long to wait unless the user says otherwise, in minutes. */
export const DEFAULT_TIME_LIMIT_MINUTES = 60;

/** How long to wait, in minutes. */
export const timeLimit = local(
	decimal(
		'timeLimit',
		{
			displayName: 'Time Limit (Minutes)',
			name: 'timeLimit',
			default: DEFAULT_TIME_LIMIT_MINUTES,
			description:
				'How long to wait. Then the node asks the service once more and the workflow continues: calls that have not ended have the outcome timedOut. The calls themselves continue.',
		},
		{ min: 0.1, max: 43_200 },
	),
);

/** The time between two polls, in seconds. */
export const pollInterval = local(
	integer(
		'pollInterval',
		{
			displayName: 'Poll Interval (Seconds)',
			name: 'pollInterval',
			default: 15,
			description: 'How often to ask the service if Wait By is Polling, 1 to 3600',
		},
		{ min: 1, max: 3600 },
	),
);
