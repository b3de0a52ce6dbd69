import type { Call, CallResult } from '../../world/call.mts';
import type { World } from '../../world/world.mts';
import { emitCall } from '../deliveries/emit.mts';
import { type AgentEvent, type EventFields, fieldsOfType } from '../deliveries/eventTypes.mts';
import { isRecorded } from './conversation.mts';

type Emitted = [event: AgentEvent, more?: EventFields];

const AGENT = { participant: 'agent' };
const USER = { participant: 'user' };

const ANSWERED: Emitted[] = [
	['event_phone_call_connected'],
	['event_connection_established'],
	['event_client_connected'],
	['event_participant_joined', AGENT],
	['event_user_connected'],
	['event_participant_joined', USER],
];

const HUNG_UP: Emitted[] = [
	['event_user_disconnected'],
	['event_participant_left', USER],
	['event_client_disconnected'],
	['event_participant_left', AGENT],
	['event_connection_closed'],
	['event_phone_call_disconnected'],
	['event_phone_call_ended'],
];

/** Emits the events of a call's current status. Which event types belong to a status is the sandbox's assumption. */
export function emitStatus(world: World, call: Call, outcome: CallResult): void {
	for (const [event, more] of eventsOf(world, call, outcome)) {
		emitCall(world, call, event, (callId) => ({
			...fieldsOfType(event, { origin: world.origin, callId, outcome }),
			...more,
		}));
	}
}

function eventsOf(world: World, call: Call, outcome: CallResult): Emitted[] {
	const { status, answered } = call;
	const machine = outcome === 'voicemail';
	switch (status) {
		case 'initiated':
			return [['event_phone_call_started']];
		case 'ringing':
			return [];
		case 'answered':
			return [...ANSWERED, [machine ? 'event_voicemail_detected' : 'event_conversation_started']];
		case 'completed':
			if (answered === undefined) {
				return [['event_phone_call_ended']];
			}
			return [
				[machine ? 'event_voicemail_message_left' : 'event_conversation_ended'],
				...HUNG_UP,
				...recordingOf(world, call),
			];
		case 'busy':
		case 'no-answer':
			return [['event_phone_call_did_not_connect']];
		case 'failed':
			return [['event_connection_error'], ['event_phone_call_error']];
	}
}

function recordingOf(world: World, call: Call): Emitted[] {
	return isRecorded(world, call) ? [['event_recording']] : [];
}
