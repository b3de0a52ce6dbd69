import type { CallResult } from '../../world/call.mts';

export type EventFields = Record<string, unknown>;

/** The data of a call that its events contain. */
interface AboutCall {
	/** The address of the sandbox. */
	origin: string;
	callId: string;
	outcome: CallResult;
	/** Why an attempt of a campaign's call ended. */
	reason: string;
	/** When a campaign's call is due; null if it is not scheduled. */
	scheduledAt: string | null;
}

interface EventType {
	/** What happened. The service lists descriptions only for the event types of agents. */
	description: string;
	/** The status of the call in a sample of the event. */
	sampleStatus?: string;
	/** Returns the fields that the event type adds to the fields of its call. Recordings and conversations are made up. */
	adds?: (call: AboutCall) => EventFields;
}

/** What an agent says to a machine. */
export const LEFT_MESSAGE = 'Hello, please call us back.';
const CONVERSATION = [
	{ role: 'agent', content: 'Hello, do you have a minute?' },
	{ role: 'user', content: 'Yes, I do.' },
];
const ACTION = { action_name: 'book_appointment', input: { day: '2030-01-15' } };

const recording = ({ origin, callId }: AboutCall) => ({ recording_url: `${origin}/recordings/${callId}.mp3` });

/** The event types that a campaign webhook can subscribe to. */
const campaignEventTypes = {
	'campaign.created': { description: 'A campaign was created' },
	'campaign.started': { description: 'The campaign became active' },
	'campaign.paused': { description: 'The campaign was paused' },
	'campaign.completed': { description: 'The campaign has ended' },
	'campaign.updated': { description: 'The campaign was changed' },
	'campaign_call.queued': {
		description: 'A call was queued in the campaign',
		sampleStatus: 'queued',
		adds: ({ scheduledAt }) => ({ scheduled_at: scheduledAt }),
	},
	'campaign_call.started': { description: 'The campaign dials a number', sampleStatus: 'initiated' },
	'campaign_call.completed': {
		description: 'A call of the campaign ended',
		adds: ({ reason }) => ({ outcome: reason }),
	},
	'campaign_call.retry_scheduled': {
		description: 'The next attempt of a call is scheduled',
		sampleStatus: 'scheduled',
		adds: ({ scheduledAt, reason }) => ({ scheduled_at: scheduledAt, reason }),
	},
	'campaign_call.failed': {
		description: 'A call of the campaign failed',
		sampleStatus: 'failed',
		adds: ({ reason }) => ({ reason }),
	},
	event_recording: { description: 'The recording of a call is ready', adds: recording },
	event_call_transcript: {
		description: 'The transcript of a call is ready',
		adds: ({ outcome }) => ({
			transcript: outcome === 'voicemail' ? [{ role: 'agent', content: LEFT_MESSAGE }] : CONVERSATION,
		}),
	},
	event_call_report: {
		description: 'The summary of a call is ready',
		adds: ({ outcome }) => ({
			summary: outcome === 'voicemail' ? 'Voicemail answered the call.' : 'The person was reached.',
			outcome,
		}),
	},
} satisfies Record<string, EventType>;

/** The event types that an agent webhook can subscribe to, with the descriptions that the service lists. */
const agentEventTypes = {
	event_phone_call_started: { description: 'A phone call begins', sampleStatus: 'initiated' },
	event_phone_call_ended: { description: 'A phone call that was connected is over' },
	event_phone_call_did_not_connect: {
		description: 'A phone call was not answered, or the line was busy',
		sampleStatus: 'no-answer',
		adds: ({ outcome }) => ({ reason: outcome }),
	},
	event_phone_call_connected: { description: 'A phone call is answered', sampleStatus: 'answered' },
	event_phone_call_disconnected: { description: 'The line of a phone call was hung up' },
	event_phone_call_error: {
		description: 'A phone call failed',
		sampleStatus: 'failed',
		adds: () => ({ error: 'disconnected' }),
	},
	event_participant_joined: { description: 'The agent or the other side joins a call', sampleStatus: 'answered' },
	event_participant_left: { description: 'The agent or the other side leaves a call' },
	event_voicemail_detected: { description: 'Voicemail answered the call', sampleStatus: 'answered' },
	event_voicemail_message_left: {
		description: 'The agent left a message on a machine',
		adds: () => ({ message: LEFT_MESSAGE }),
	},
	event_conversation_started: { description: 'A conversation with a person begins', sampleStatus: 'answered' },
	event_conversation_ended: { description: 'A conversation with a person is over' },
	event_action: {
		description: 'The agent used one of its actions',
		sampleStatus: 'answered',
		adds: () => ({ ...ACTION, result: { booked: true } }),
	},
	event_action_failed: {
		description: 'An action that the agent used failed',
		sampleStatus: 'answered',
		adds: () => ({ ...ACTION, error: 'The action answered with the status 500.' }),
	},
	event_recording: { description: 'The recording of a call is ready', adds: recording },
	event_connection_established: { description: "A call's audio connection is there", sampleStatus: 'answered' },
	event_connection_closed: { description: "A call's audio connection is closed" },
	event_connection_error: {
		description: "A call's audio connection failed",
		sampleStatus: 'failed',
		adds: () => ({ error: 'disconnected' }),
	},
	event_user_connected: { description: 'The other side is connected to the audio', sampleStatus: 'answered' },
	event_user_disconnected: { description: 'The other side is no longer connected to the audio' },
	event_client_connected: { description: 'The agent is connected to the audio', sampleStatus: 'answered' },
	event_client_disconnected: { description: 'The agent is no longer connected to the audio' },
} satisfies Record<string, EventType>;

export type CampaignEvent = keyof typeof campaignEventTypes;
export type AgentEvent = keyof typeof agentEventTypes;

const types = new Map<string, EventType>(Object.entries({ ...campaignEventTypes, ...agentEventTypes }));

function keysOf<Key extends string>(record: Record<Key, unknown>): [Key, ...Key[]] {
	return Object.keys(record) as [Key, ...Key[]];
}

export const CAMPAIGN_EVENTS = keysOf(campaignEventTypes);
export const AGENT_EVENTS = keysOf(agentEventTypes);

/** The descriptions of an agent webhook's event types, as the service lists them. */
export const AGENT_EVENT_DESCRIPTIONS = Object.fromEntries(
	Object.entries(agentEventTypes).map(([type, { description }]) => [type, description]),
);

/** Returns in words what happened; undefined for an unknown event type. */
export function whatHappened(event: string): string | undefined {
	return types.get(event)?.description;
}

/** Returns the fields that an event type adds to the fields of its call. */
export function fieldsOfType(
	event: string,
	{ reason = '', scheduledAt = null, ...call }: Pick<AboutCall, 'origin' | 'callId' | 'outcome'> & Partial<AboutCall>,
): EventFields {
	return types.get(event)?.adds?.({ ...call, reason, scheduledAt }) ?? {};
}

/** Returns the status of the call in a sample of an event type. */
export function sampleStatusOf(event: string): string {
	return types.get(event)?.sampleStatus ?? 'completed';
}
