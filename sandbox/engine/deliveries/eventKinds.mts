/** The kinds that a campaign webhook can subscribe to. */
export const CAMPAIGN_EVENTS = [
	'campaign.created',
	'campaign.started',
	'campaign.paused',
	'campaign.completed',
	'campaign.updated',
	'campaign_call.queued',
	'campaign_call.started',
	'campaign_call.completed',
	'campaign_call.retry_scheduled',
	'campaign_call.failed',
	'event_recording',
	'event_call_transcript',
	'event_call_report',
] as const;

export type CampaignEvent = (typeof CAMPAIGN_EVENTS)[number];

/** The kinds that an agent webhook can subscribe to, with the descriptions that the service lists. */
export const AGENT_EVENTS = {
	event_phone_call_started: 'A phone call begins',
	event_phone_call_ended: 'A phone call that was connected is over',
	event_phone_call_did_not_connect: 'A phone call was not answered, or the line was busy',
	event_phone_call_connected: 'A phone call is answered',
	event_phone_call_disconnected: 'The line of a phone call was hung up',
	event_phone_call_error: 'A phone call failed',
	event_participant_joined: 'The agent or the other side joins a call',
	event_participant_left: 'The agent or the other side leaves a call',
	event_voicemail_detected: 'A machine took the call',
	event_voicemail_message_left: 'The agent left a message on a machine',
	event_conversation_started: 'A conversation with a person begins',
	event_conversation_ended: 'A conversation with a person is over',
	event_action: 'The agent used one of its actions',
	event_action_failed: 'An action that the agent used failed',
	event_recording: 'The recording of a call is ready',
	event_connection_established: "A call's audio connection is there",
	event_connection_closed: "A call's audio connection is closed",
	event_connection_error: "A call's audio connection failed",
	event_user_connected: 'The other side is connected to the audio',
	event_user_disconnected: 'The other side is no longer connected to the audio',
	event_client_connected: 'The agent is connected to the audio',
	event_client_disconnected: 'The agent is no longer connected to the audio',
} as const;

export type AgentEvent = keyof typeof AGENT_EVENTS;
