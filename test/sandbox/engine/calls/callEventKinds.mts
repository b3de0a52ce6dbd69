/** The events of a call that was answered, from its end on. */
export const HUNG_UP = [
	'event_client_disconnected',
	'event_connection_closed',
	'event_participant_left',
	'event_participant_left',
	'event_phone_call_disconnected',
	'event_phone_call_ended',
	'event_recording',
	'event_user_disconnected',
];

const ANSWERED = [
	'event_client_connected',
	'event_connection_established',
	'event_participant_joined',
	'event_participant_joined',
	'event_phone_call_connected',
	'event_user_connected',
];

/** By the last four digits of the number: the kinds of all events of a call, in alphabetical order. */
export const COURSES: Array<[digits: string, kinds: string[]]> = [
	[
		'0001',
		['event_phone_call_started', ...ANSWERED, 'event_conversation_started', 'event_conversation_ended', ...HUNG_UP],
	],
	['0002', ['event_phone_call_started', 'event_phone_call_did_not_connect']],
	['0003', ['event_phone_call_started', 'event_phone_call_did_not_connect']],
	['0004', ['event_phone_call_started', 'event_connection_error', 'event_phone_call_error']],
	[
		'0005',
		['event_phone_call_started', ...ANSWERED, 'event_voicemail_detected', 'event_voicemail_message_left', ...HUNG_UP],
	],
];
for (const [, kinds] of COURSES) {
	kinds.sort();
}
