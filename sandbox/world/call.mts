import type { TIMER, Timer } from '../time/clock.mts';

export type CallStatus = 'initiated' | 'ringing' | 'answered' | 'completed' | 'failed' | 'busy' | 'no-answer';

/** The key of the function that watches a call. Like a timer, it is not saved. */
export const WATCH = Symbol('watch');

/** A phone call, placed by an agent, a campaign or a caller. */
export interface Call {
	id: string;
	sid: string;
	agentId: string;
	to: string;
	from: string;
	isTesting: boolean;
	direction: 'inbound' | 'outbound';
	status: CallStatus;
	/** The statuses so far with their moments, in order. */
	history: Array<{ status: CallStatus; at: number }>;
	/** Seconds of talk; 0 until completed. */
	duration: number;
	payload: Record<string, unknown>;
	context: Record<string, unknown>;
	/** The campaign call to which this attempt belongs; null for a call placed through an agent. */
	campaignCall: CampaignCall | null;
	course: Course;
	/** Whether an answering machine picked up. */
	machine: boolean;
	/** Who hung up; null before, and if nobody hung up. */
	endedBy: CallSide | 'api' | null;
	transcript: TranscriptLine[];
	actionUses: ActionUse[];
	/** Its events so far, whether or not a webhook subscribes to them. */
	events: EmittedEvent[];
	/** When it was answered (milliseconds since 1970). */
	answered?: number | undefined;
	/** The timer of the next step. */
	[TIMER]?: Timer;
	/** Called after each change of status. */
	[WATCH]?: ((call: Call) => void) | undefined;
	/** The real time (milliseconds since 1970) of its last change of status. */
	entered?: number;
	created: number;
	updated: number;
}

/** A spoken text or pressed keys. */
export interface TranscriptLine {
	role: 'agent' | 'user';
	content: string;
	at: number;
}

/** An event and its moment (milliseconds since 1970). */
export interface EmittedEvent {
	event: string;
	at: number;
}

/** One use of an action by the agent during a call. */
export interface ActionUse {
	id: string;
	actionId: string;
	name: string;
	type: 'webhook' | 'transfer' | 'hold' | 'external';
	arguments: Record<string, unknown>;
	status: 'pending' | 'succeeded' | 'failed';
	/** The request of a webhook action; null for other types, and if no request was sent. */
	request: { method: string; url: string; headers: Record<string, string>; body: string } | null;
	/** Null without a response. */
	response: { status: number; headers: Record<string, string>; body: string } | null;
	/** The result of the action, as in its event. */
	result: unknown;
	error: string | null;
	/** Real milliseconds; null before its end. */
	durationMs: number | null;
	at: number;
}

/** The result of a call. `voicemail` is a completed call in which an answering machine picked up. */
export type CallResult = 'completed' | 'voicemail' | 'busy' | 'no-answer' | 'failed';

export type CampaignCallStatus = 'queued' | 'scheduled' | 'cancelled' | CallStatus;

/** A call queued in a campaign. Each attempt to reach the number is a `Call`. */
export interface CampaignCall {
	id: string;
	campaignId: string;
	to: string;
	status: CampaignCallStatus;
	retries: number;
	duration: number;
	isTesting: boolean;
	payload: Record<string, unknown>;
	context: Record<string, unknown>;
	/** Its own events so far, without the events of its attempts. */
	events: EmittedEvent[];
	/** The earliest moment for the call: the end of the first delay, or later of the pause before a retry. */
	earliest: number;
	/** When it is expected to be placed; null if the schedule never opens again. */
	scheduledAt: number | null;
	/** `waiting` to be placed, `calling`, or `over`. */
	phase: 'waiting' | 'calling' | 'over';
	[TIMER]?: Timer;
	created: number;
}

/** A step of a call's course, `after` sandbox seconds after the previous step. */
export type CallStep = { after: number } & StepAction;

export type StepAction =
	| { do: 'start' | 'ring' | 'answer' | 'voicemail' | 'decline' | 'busy' | 'noAnswer' | 'fail' }
	| { do: 'hangUp'; by: CallSide }
	| { do: 'say'; text: string; by: CallSide }
	| { do: 'press'; keys: string }
	| { do: 'useAction'; action: string; arguments: Record<string, unknown> };

/** A side of a call: the person on the phone, or the service's agent. */
export type CallSide = 'person' | 'agent';

/** The planned course of a call. */
export interface Course {
	/** Whether the number (`automatic`), people (`manual`) or a script determine the steps. */
	kind: 'automatic' | 'manual' | 'scripted';
	/** The remaining steps. */
	steps: CallStep[];
	/** When the next step is due (milliseconds since 1970). */
	due: number | null;
	/** The planned seconds since the call was answered. */
	talked: number;
}

/** The course of the next calls to or from a number. */
export interface Script {
	id: string;
	/** The called number; null for any number. */
	to: string | null;
	/** The calling number; null for any number. */
	from: string | null;
	/** The number of remaining calls. */
	times: number;
	steps: CallStep[];
	created: number;
}
