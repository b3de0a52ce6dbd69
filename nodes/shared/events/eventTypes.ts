import type { INodePropertyOptions } from 'n8n-workflow';

import { sorted } from '../lib/collections';

/** Creates the entry of a menu: the name in the editor, the event type, and a description. */
function option([name, value, what]: readonly [name: string, value: string, what: string]): INodePropertyOptions {
	return { name, value, description: `'${value}': ${what}` };
}

/** Never arrives: a webhook of the campaign can only be registered after this event. */
const CREATED = 'campaign.created';

/** The event types that a campaign webhook can deliver. */
export const campaignEvents: INodePropertyOptions[] = (
	[
		['Call Recording Ready', 'event_recording', 'the recording of a call is ready'],
		['Call Report Ready', 'event_call_report', 'the summary of a call is ready'],
		['Call Transcript Ready', 'event_call_transcript', 'the transcript of a call is ready'],
		[
			'Campaign Call Completed',
			'campaign_call.completed',
			'a call of the campaign ended after a person or a machine answered it',
		],
		['Campaign Call Failed', 'campaign_call.failed', 'a call of the campaign failed, and no further attempt follows'],
		['Campaign Call Queued', 'campaign_call.queued', 'a call was queued in the campaign'],
		[
			'Campaign Call Retry Scheduled',
			'campaign_call.retry_scheduled',
			'an attempt reached nobody, and the next one is scheduled',
		],
		['Campaign Call Started', 'campaign_call.started', 'the campaign dials a number, at each attempt'],
		['Campaign Completed', 'campaign.completed', 'the campaign has ended'],
		['Campaign Paused', 'campaign.paused', 'the campaign was paused and starts no more calls'],
		['Campaign Started', 'campaign.started', 'the campaign became active and starts calls by its schedule'],
		['Campaign Updated', 'campaign.updated', 'the campaign was changed, resumed or canceled'],
	] as const
).map(option);

/** The event types that an agent webhook can deliver: what happens in each call. */
export const agentEvents: INodePropertyOptions[] = (
	[
		['Action Failed', 'event_action_failed', 'an action that the agent used failed'],
		['Action Used', 'event_action', 'the agent used one of its actions'],
		['Call Recording Ready', 'event_recording', 'the recording of a call is ready'],
		['Client Connected', 'event_client_connected', 'the agent joined the audio of a call'],
		['Client Disconnected', 'event_client_disconnected', 'the agent left the audio of a call'],
		['Connection Closed', 'event_connection_closed', 'the audio connection of a call was closed'],
		['Connection Error', 'event_connection_error', 'the audio connection of a call failed'],
		['Connection Established', 'event_connection_established', 'the audio connection of a call was established'],
		['Conversation Ended', 'event_conversation_ended', 'a conversation with a person ended'],
		['Conversation Started', 'event_conversation_started', 'a conversation with a person started'],
		['Participant Joined', 'event_participant_joined', 'the agent or the other person joined a call'],
		['Participant Left', 'event_participant_left', 'the agent or the other person left a call'],
		['Phone Call Connected', 'event_phone_call_connected', 'a phone call was answered'],
		[
			'Phone Call Did Not Connect',
			'event_phone_call_did_not_connect',
			'a phone call was not answered, or the line was busy',
		],
		['Phone Call Disconnected', 'event_phone_call_disconnected', 'the line of a phone call was disconnected'],
		['Phone Call Ended', 'event_phone_call_ended', 'a phone call that was answered ended'],
		['Phone Call Error', 'event_phone_call_error', 'a phone call failed for a technical reason'],
		['Phone Call Started', 'event_phone_call_started', 'a phone call started, and the number is dialed'],
		['User Connected', 'event_user_connected', 'the other person joined the audio of a call'],
		['User Disconnected', 'event_user_disconnected', 'the other person left the audio of a call'],
		['Voicemail Detected', 'event_voicemail_detected', 'a machine answered the call'],
		['Voicemail Message Left', 'event_voicemail_message_left', 'the agent left a message on a machine'],
	] as const
).map(option);

/** All event types of campaigns and agents, each once. */
const allEvents = sorted([
	...campaignEvents,
	...agentEvents.filter(({ value }) => campaignEvents.every((event) => event.value !== value)),
]);

/** The name in the editor, by event type. */
export const eventNames: Readonly<Record<string, string>> = Object.fromEntries(
	allEvents.map(({ name, value }) => [value, name]),
);

/** Returns the name of an event type in the editor, or the type itself if the menus do not contain it. */
export function eventName(value: string): string {
	return Object.hasOwn(eventNames, value) ? eventNames[value] : value;
}

/** The event types in the delivery log of a campaign webhook, including the events inside its calls. */
export const loggedCampaignEvents: INodePropertyOptions[] = allEvents;

/** The event types in the delivery log of an agent webhook. */
export const loggedAgentEvents: INodePropertyOptions[] = [
	...agentEvents,
	option(['Webhook Test', 'webhook.test', 'a test of the webhook was requested']),
];

/**
 * Whether an event type that the service offers need not be added to the menus: they contain it, or it cannot arrive. A
 * campaign delivers the events inside its calls with Include Call Events.
 */
export function isInMenu(ownerType: 'agent' | 'campaign', event: string): boolean {
	const isIn = (options: INodePropertyOptions[]) => options.some(({ value }) => value === event);
	return ownerType === 'agent' ? isIn(agentEvents) : event === CREATED || isIn(allEvents);
}

/**
 * Returns the chosen event types. A text may contain several, separated by commas, semicolons or whitespace. Non-string
 * values are returned unchanged.
 */
export function eventTypesFor(chosen: readonly unknown[]): unknown[] {
	const eventTypes = chosen.flatMap((entry) => (typeof entry === 'string' ? entry.split(/[\s,;]+/) : [entry]));
	return [...new Set(eventTypes)].filter((type) => type !== '');
}
