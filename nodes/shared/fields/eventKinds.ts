import type { INodePropertyOptions } from 'n8n-workflow';

/** The event types that a campaign webhook can deliver, by name. */
export const campaignEvents: INodePropertyOptions[] = [
	{ name: 'Call Recording Ready', value: 'event_recording' },
	{ name: 'Call Report Ready', value: 'event_call_report' },
	{ name: 'Call Transcript Ready', value: 'event_call_transcript' },
	{ name: 'Campaign Call Completed', value: 'campaign_call.completed' },
	{ name: 'Campaign Call Failed', value: 'campaign_call.failed' },
	{ name: 'Campaign Call Queued', value: 'campaign_call.queued' },
	{ name: 'Campaign Call Retry Scheduled', value: 'campaign_call.retry_scheduled' },
	{ name: 'Campaign Call Started', value: 'campaign_call.started' },
	{ name: 'Campaign Completed', value: 'campaign.completed' },
	{ name: 'Campaign Created', value: 'campaign.created' },
	{ name: 'Campaign Paused', value: 'campaign.paused' },
	{ name: 'Campaign Started', value: 'campaign.started' },
	{ name: 'Campaign Updated', value: 'campaign.updated' },
];

/** The event types that an agent webhook can deliver, by name: what happens in each call. */
export const agentEvents: INodePropertyOptions[] = [
	{ name: 'Action Failed', value: 'event_action_failed' },
	{ name: 'Action Used', value: 'event_action' },
	{ name: 'Call Recording Ready', value: 'event_recording' },
	{ name: 'Client Connected', value: 'event_client_connected' },
	{ name: 'Client Disconnected', value: 'event_client_disconnected' },
	{ name: 'Connection Closed', value: 'event_connection_closed' },
	{ name: 'Connection Error', value: 'event_connection_error' },
	{ name: 'Connection Established', value: 'event_connection_established' },
	{ name: 'Conversation Ended', value: 'event_conversation_ended' },
	{ name: 'Conversation Started', value: 'event_conversation_started' },
	{ name: 'Participant Joined', value: 'event_participant_joined' },
	{ name: 'Participant Left', value: 'event_participant_left' },
	{ name: 'Phone Call Connected', value: 'event_phone_call_connected' },
	{ name: 'Phone Call Did Not Connect', value: 'event_phone_call_did_not_connect' },
	{ name: 'Phone Call Disconnected', value: 'event_phone_call_disconnected' },
	{ name: 'Phone Call Ended', value: 'event_phone_call_ended' },
	{ name: 'Phone Call Error', value: 'event_phone_call_error' },
	{ name: 'Phone Call Started', value: 'event_phone_call_started' },
	{ name: 'User Connected', value: 'event_user_connected' },
	{ name: 'User Disconnected', value: 'event_user_disconnected' },
	{ name: 'Voicemail Detected', value: 'event_voicemail_detected' },
	{ name: 'Voicemail Message Left', value: 'event_voicemail_message_left' },
];

/** The event types in the delivery log of a webhook: those of both webhooks, and the test of an agent webhook. */
export const loggedEvents: INodePropertyOptions[] = [
	...campaignEvents,
	...agentEvents.filter(({ value }) => campaignEvents.every((event) => event.value !== value)),
	{ name: 'Webhook Test', value: 'webhook.test' },
];

/** The event types in the selected ones, and in texts where they are separated by commas, semicolons or whitespace. */
export function eventKinds(chosen: readonly string[]): string[] {
	const kinds = chosen.flatMap((text) => text.split(/[\s,;]+/));
	return [...new Set(kinds)].filter((kind) => kind !== '');
}
