import type { INodeProperties } from 'n8n-workflow';

import { invalid } from '../../shared/errors/serviceError';
import { choice, defineField, type Field, type FieldSource, local, onlyFor } from '../../shared/fields/field';
import { integer, listOf } from '../../shared/fields/kinds';

/** What a call can bring besides its outcome, as the editor shows it. */
const ARTIFACTS = {
	recording: { name: 'Recording', value: 'recording', description: 'The address of the recording' },
	report: { name: 'Report', value: 'report', description: 'What the service reports about the call' },
	transcript: { name: 'Transcript', value: 'transcript', description: 'What was said in the call' },
} as const;

/** Shows and reads a field only where an event may end the wait: polling learns nothing but the end of a call. */
function byEvent<const Key extends string, Value>(field: Field<Key, Value>) {
	return local(onlyFor('waitBy', ['automatic', 'event'], field));
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

/**
 * Whether to wait by event or by polling, by default whatever works. Not by event where n8n does not wait: it would dial,
 * and lose the outcome.
 *
 * @param texts what each of them does, and what the node learns
 */
export function eventOrPolling(texts: { automatic: string; event: string; polling: string; description: string }) {
	const field = choice('waitBy', {
		displayName: 'Wait By',
		name: 'waitBy',
		noDataExpression: true,
		options: [
			{ name: 'Automatic', value: 'automatic', description: texts.automatic },
			{ name: 'Event', value: 'event', description: texts.event },
			{ name: 'Polling', value: 'polling', description: texts.polling },
		],
		default: 'automatic',
		description: texts.description,
		builderHint: {
			propertyHint: 'Keep automatic. event calls nobody while no published trigger receives the events.',
		},
	});
	const read = ({ get, rootMode }: FieldSource) => {
		const chosen = get('waitBy');
		if (rootMode !== 'evaluation') {
			return chosen;
		}
		if (chosen === 'event') {
			throw invalid("'Wait By' cannot be Event in an evaluation: n8n ends it instead of waiting", 'Choose Polling.');
		}
		return chosen === 'automatic' ? 'polling' : chosen;
	};
	return { ...field, read };
}

/**
 * Whether to wait by event or by polling, and below it what an event requires.
 *
 * @param trigger whose trigger, and with which events, as its panel names them
 */
function waitBy(trigger: string) {
	const field = eventOrPolling({
		automatic: 'By event if a published trigger receives the events, otherwise by polling. The output says which.',
		event: 'The execution waits in the database until a trigger receives the event',
		polling:
			'The execution keeps running and asks the service at intervals. It needs no trigger, but cannot tell a voicemail from a person: both are completed.',
		description: 'How the node learns the outcome of the call',
	});
	return local({
		...field,
		properties: [
			...field.properties,
			{
				displayName: `An event needs a published <b>Voice Agent Calling Trigger</b> with the same credential for this ${trigger}. Without one, Automatic polls, and Event calls nobody.`,
				name: 'waitByNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { waitBy: ['automatic', 'event'] } },
			},
		],
	});
}

/** {@link waitBy} for the calls of an agent. */
export const waitByAgentEvent = waitBy(
	'agent. Its default events are enough; Voicemail Detected adds the outcome voicemail, Call Recording Ready the recording',
);

/** {@link waitBy} for the calls of a campaign. */
export const waitByCampaignEvent = waitBy(
	'campaign. Its default events are enough; for Wait For, add Call Report Ready, Call Transcript Ready or Call Recording Ready',
);

/** The time between two polls, in seconds. */
export const pollInterval = local(
	integer(
		'pollInterval',
		{
			displayName: 'Poll Interval (Seconds)',
			name: 'pollInterval',
			default: 15,
			description: 'How often to ask the service when the node polls, 1 to 3600',
		},
		{ min: 1, max: 3600 },
	),
);

/** How the node learns that a campaign is completed. */
export const waitByCampaignEnd = local(
	eventOrPolling({
		automatic: 'By event if the service can reach this n8n, otherwise by polling',
		event:
			'The execution waits in the database. For that time the campaign has one more webhook, which the node creates and deletes. It needs no trigger.',
		polling: 'The execution keeps running and asks the service at intervals, which works without a public address',
		description: 'How the node learns that the campaign is completed',
	}),
);

/** The time between two polls unless the user says otherwise, in seconds. */
export const DEFAULT_CAMPAIGN_POLL_SECONDS = 60;

/** The time between two polls of a campaign, in seconds. */
export const campaignPollInterval = local(
	integer(
		'pollInterval',
		{
			displayName: 'Poll Interval (Seconds)',
			name: 'pollInterval',
			default: DEFAULT_CAMPAIGN_POLL_SECONDS,
			description: 'How often to ask the service when the node polls, 1 to 3600',
		},
		{ min: 1, max: 3600 },
	),
);
