import type { INodeProperties } from 'n8n-workflow';

import { invalid } from '../../shared/errors/serviceError';
import { choice, defineField, type Field, type FieldSource, local, onlyFor } from '../../shared/fields/field';
import { integer, listOf } from '../../shared/fields/kinds';

/** The data of a call besides its outcome, as the editor shows them. */
const ARTIFACTS = {
	recording: {
		name: 'Recording',
		value: 'recording',
		description: 'The address of the recording. The trigger needs the event Call Recording Ready.',
	},
	report: {
		name: 'Report',
		value: 'report',
		description: 'The report of the service. The trigger needs the event Call Report Ready.',
	},
	transcript: {
		name: 'Transcript',
		value: 'transcript',
		description: 'What was said. The trigger needs the event Call Transcript Ready.',
	},
} as const;

/** Shows and reads a field only if an event may end the wait, because polling detects only the end of a call. */
function byEvent<const Key extends string, Value>(field: Field<Key, Value>) {
	return local(onlyFor('waitBy', ['automatic', 'event'], field));
}

/** Makes the field for the data of a call for which the workflow waits. */
function waitForAny<const Value extends keyof typeof ARTIFACTS>(first: Value, ...rest: Value[]) {
	const values: [Value, ...Value[]] = [first, ...rest];
	const property: INodeProperties = {
		displayName: 'Wait For',
		name: 'waitFor',
		type: 'multiOptions',
		options: values.map((value) => ARTIFACTS[value]),
		default: [],
		description:
			'What to wait for besides the end of the call. The node does not wait for the data of a call that reached nobody.',
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

/** The data of an agent's call to wait for. */
export const waitForAgentCall = waitForAny('recording');

/** The data of a campaign's call to wait for. */
export const waitForCampaignCall = waitForAny('recording', 'report', 'transcript');

/**
 * Makes the field for whether to wait by event or by polling, by default whichever works. In an evaluation, n8n ends
 * the execution instead of waiting, so that waiting by event would place the call and lose its outcome.
 *
 * @param texts the descriptions of the choices and of the field, and what continues if the execution is stopped
 */
function eventOrPolling(texts: Record<'automatic' | 'event' | 'polling' | 'description' | 'hint', string>) {
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
		hint: texts.hint,
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
 * Makes the field for whether to wait by event or by polling, with a notice about the requirements of an event.
 *
 * @param owner the owner of the trigger
 */
function waitBy(owner: 'agent' | 'campaign') {
	const field = eventOrPolling({
		automatic: 'By event if a published trigger receives the events, otherwise by polling. The output says which.',
		event: 'The execution waits in the database until a trigger receives the event',
		polling: 'The execution keeps running and polls the service. It cannot tell a voicemail from a person.',
		description: 'How the node gets the outcome of the call',
		hint: 'Stopping the execution does not end its calls, and executing it again calls everybody again',
	});
	return local({
		...field,
		properties: [
			...field.properties,
			{
				displayName: `Nobody is called without a published <b>Voice Agent Calling Trigger</b> with the same credential for this ${owner}. Its default events are enough.`,
				name: 'waitByNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { waitBy: ['event'] } },
			},
		],
	});
}

/** {@link waitBy} for the calls of an agent. */
export const waitByAgentEvent = waitBy('agent');

/** {@link waitBy} for the calls of a campaign. */
export const waitByCampaignEvent = waitBy('campaign');

/** The time between two polls, in seconds. */
export const pollInterval = local(
	integer(
		'pollInterval',
		{
			displayName: 'Poll Interval (Seconds)',
			name: 'pollInterval',
			default: 15,
			description: 'How often the node polls the service, 1 to 3600',
		},
		{ min: 1, max: 3600 },
	),
);

/** How the node detects that a campaign is completed. */
export const waitByCampaignEnd = local(
	eventOrPolling({
		automatic: 'By event if the service can reach this n8n, otherwise by polling',
		event: 'The execution waits in the database. Meanwhile, the campaign has one more webhook.',
		polling: 'The execution keeps running and polls the service, which works without a public address',
		description: 'How the node detects that the campaign is completed',
		hint: 'Stopping the execution does not stop the campaign',
	}),
);

/** The default time between two polls of a campaign, in seconds. */
export const DEFAULT_CAMPAIGN_POLL_SECONDS = 60;

/** The time between two polls of a campaign, in seconds. */
export const campaignPollInterval = local(
	integer(
		'pollInterval',
		{
			displayName: 'Poll Interval (Seconds)',
			name: 'pollInterval',
			default: DEFAULT_CAMPAIGN_POLL_SECONDS,
			description: 'How often the node polls the service, 1 to 3600',
		},
		{ min: 1, max: 3600 },
	),
);
