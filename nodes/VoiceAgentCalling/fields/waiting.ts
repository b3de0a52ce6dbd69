import type { INodeProperties } from 'n8n-workflow';

import { choice, defineField, type Field, local, onlyFor } from '../../shared/fields/field';
import { decimal, integer, listOf, toggle } from '../../shared/fields/kinds';

/** What a call can bring besides its outcome, as the editor shows it. */
const ARTIFACTS = {
	recording: { name: 'Recording', value: 'recording', description: 'The address of the recording' },
	report: { name: 'Report', value: 'report', description: 'What the service reports about the call' },
	transcript: { name: 'Transcript', value: 'transcript', description: 'What was said in the call' },
} as const;

/** Shows and reads a field only where an event ends the wait: polling learns nothing but the end of a call. */
function byEvent<const Key extends string, Value>(field: Field<Key, Value>) {
	return local(onlyFor('waitBy', ['event'], field));
}

/** What the call has to bring before the workflow continues. */
function waitForAny<const Value extends keyof typeof ARTIFACTS>(first: Value, ...rest: Value[]) {
	const values: [Value, ...Value[]] = [first, ...rest];
	const property: INodeProperties = {
		displayName: 'Wait For',
		name: 'waitFor',
		type: 'multiOptions',
		options: values.map((value) => ARTIFACTS[value]),
		default: [],
		description:
			'What to wait for besides the end of the call. A call that reached nobody has none of it and is not waited for.',
	};
	return byEvent(
		defineField({
			key: 'waitFor',
			properties: [property],
			read: ({ get }) => listOf(get(property.name)),
			check: (zod) => zod.array(zod.enum(values)).transform((chosen) => [...new Set(chosen)]),
		}),
	);
}

/** What the call of an agent can bring. */
export const waitForAgentCall = waitForAny('recording');

/** What the call of a campaign can bring. */
export const waitForCampaignCall = waitForAny('recording', 'report', 'transcript');

/** Whether the recording is downloaded. */
export const downloadRecording = byEvent(
	toggle('downloadRecording', {
		displayName: 'Download Recording',
		name: 'downloadRecording',
		description:
			"Whether to download the recording into the binary property 'recording', up to 25 MB, if Wait For has Recording",
	}),
);

/** How long a late event may turn `completed` into `voicemail`, in seconds. */
export const voicemailGrace = byEvent(
	integer(
		'voicemailGrace',
		{
			displayName: 'Voicemail Grace (Seconds)',
			name: 'voicemailGrace',
			default: 5,
			description: 'How long to wait after a completed call for a late event that says that a machine took it, 0 to 10',
		},
		{ min: 0, max: 10 },
	),
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
	'It listens to the same agent, at least to Phone Call Ended, Phone Call Did Not Connect and Phone Call Error; to Voicemail Detected for the outcome voicemail, and to Call Recording Ready to wait for the recording.',
);

/** {@link waitBy} for the calls of a campaign. */
export const waitByCampaignEvent = waitBy(
	'It listens to the same campaign, at least to Campaign Call Completed, Campaign Call Failed and what Wait For has: Call Report Ready, Call Transcript Ready and Call Recording Ready.',
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
