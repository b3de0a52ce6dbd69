import type { CallResult } from '../../world/call.mts';
import type { World } from '../../world/world.mts';

export type EventFields = Record<string, unknown>;

/** What a kind of event adds to the fields of its call; recordings and conversations are made up. */
export function fieldsOfKind({ origin }: World, event: string, callId: string, outcome: CallResult): EventFields {
	const machine = outcome === 'voicemail';
	switch (event) {
		case 'event_phone_call_did_not_connect':
			return { reason: outcome };
		case 'event_phone_call_error':
		case 'event_connection_error':
			return { error: 'disconnected' };
		case 'event_voicemail_message_left':
			return { message: LEFT_MESSAGE };
		case 'event_action':
			return { ...ACTION, result: { booked: true } };
		case 'event_action_failed':
			return { ...ACTION, error: 'The action answered with the status 500.' };
		case 'event_recording':
			return { recording_url: `${origin}/recordings/${callId}.mp3` };
		case 'event_call_transcript':
			return { transcript: machine ? [{ role: 'agent', content: LEFT_MESSAGE }] : CONVERSATION };
		case 'event_call_report':
			return { summary: machine ? 'A machine took the call.' : 'The person was reached.', outcome };
		default:
			return {};
	}
}

/** What an agent says to a machine. */
export const LEFT_MESSAGE = 'Hello, please call us back.';
const CONVERSATION = [
	{ role: 'agent', content: 'Hello, do you have a minute?' },
	{ role: 'user', content: 'Yes, I do.' },
];
const ACTION = { action_name: 'book_appointment', input: { day: '2030-01-15' } };
