import type { TIMER, Timer } from '../time/clock.mts';

export type CallStatus = 'initiated' | 'ringing' | 'answered' | 'completed' | 'failed' | 'busy' | 'no-answer';

/** The key of what watches a call; as a timer it is not saved. */
export const WATCH = Symbol('watch');

/** One phone call, whoever placed it. */
export interface Call {
	id: string;
	sid: string;
	agentId: string;
	to: string;
	from: string;
	isTesting: boolean;
	direction: 'inbound' | 'outbound';
	status: CallStatus;
	/** Its statuses so far, in order, each with its moment. */
	history: Array<{ status: CallStatus; at: number }>;
	/** Seconds of talk; 0 until completed. */
	duration: number;
	payload: Record<string, unknown>;
	context: Record<string, unknown>;
	/** The campaign call that this is an attempt of; null for a call placed through an agent. */
	campaignCall: CampaignCall | null;
	course: Course;
	/** Whether an answering machine took it. */
	machine: boolean;
	/** Who hung up; null until then, and if nobody did. */
	endedBy: CallSide | 'api' | null;
	transcript: TranscriptLine[];
	actionUses: ActionUse[];
	/** The kinds of its events so far, whether or not a webhook wanted them. */
	events: EmittedEvent[];
	/** When it was answered (milliseconds since 1970). */
	answered?: number | undefined;
	/** The next step of its course. */
	[TIMER]?: Timer;
	/** Called after each change of status. */
	[WATCH]?: ((call: Call) => void) | undefined;
	/** The real time (milliseconds since 1970) of its last change of status. */
	entered?: number;
	created: number;
	updated: number;
}

/** What was said or pressed. */
export interface TranscriptLine {
	role: 'agent' | 'user';
	content: string;
	at: number;
}

/** An event that happened (milliseconds since 1970). */
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
	/** What a webhook action sent; null for other types, and if it came to no request. */
	request: { method: string; url: string; headers: Record<string, string>; body: string } | null;
	/** Null without a response. */
	response: { status: number; headers: Record<string, string>; body: string } | null;
	/** What the action came to, as in its event. */
	result: unknown;
	error: string | null;
	/** Real milliseconds; null until it has ended. */
	durationMs: number | null;
	at: number;
}

/** How a call ends; `voicemail` is a completed call that an answering machine took. */
export type CallResult = 'completed' | 'voicemail' | 'busy' | 'no-answer' | 'failed';

export type CampaignCallStatus = 'queued' | 'scheduled' | 'cancelled' | CallStatus;

/** A call queued in a campaign; each attempt to reach the number is a `Call`. */
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
	/** The kinds of its own events so far, without those of its attempts. */
	events: EmittedEvent[];
	/** Not placed before this moment: the end of the first delay, later of the pause before a retry. */
	earliest: number;
	/** When it is expected to be placed; null if the schedule never opens again. */
	scheduledAt: number | null;
	/** `waiting` to be placed, `calling`, or `over`. */
	phase: 'waiting' | 'calling' | 'over';
	[TIMER]?: Timer;
	created: number;
}

/** One step of a call's course, `after` sandbox seconds after the step before. */
export type CallStep = { after: number } & StepAction;

export type StepAction =
	| { do: 'start' | 'ring' | 'answer' | 'voicemail' | 'decline' | 'busy' | 'noAnswer' | 'fail' }
	| { do: 'hangUp'; by: CallSide }
	| { do: 'say'; text: string; by: CallSide }
	| { do: 'press'; keys: string }
	| { do: 'useAction'; action: string; arguments: Record<string, unknown> };

/** Who acts in a call: the person on the phone, or the service's agent. */
export type CallSide = 'person' | 'agent';

/** What a call is going to do. */
export interface Course {
	/** `automatic` by the number, `manual` as people act, or `scripted`. */
	kind: 'automatic' | 'manual' | 'scripted';
	/** The steps to come. */
	steps: CallStep[];
	/** When the next step is due (milliseconds since 1970). */
	due: number | null;
	/** The planned seconds since the call was answered. */
	talked: number;
}

/** The course of the next calls to a number, or from one. */
export interface Script {
	id: string;
	/** The number that is called; null for any. */
	to: string | null;
	/** The number that calls; null for any. */
	from: string | null;
	/** For how many more calls. */
	times: number;
	steps: CallStep[];
	created: number;
}
