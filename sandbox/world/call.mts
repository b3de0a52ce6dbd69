import type { Timer } from '../time/clock.mts';

export type CallStatus = 'initiated' | 'ringing' | 'answered' | 'completed' | 'failed' | 'busy' | 'no-answer';

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
	/** Seconds of talk; 0 until completed. */
	duration: number;
	payload: Record<string, unknown>;
	context: Record<string, unknown>;
	/** The campaign call that this is an attempt of; null for a call placed through an agent. */
	campaignCall: CampaignCall | null;
	/** When it was answered (milliseconds since 1970). */
	answered?: number;
	/** The next change of its status. */
	timer?: Timer;
	/** Called after each change of status. */
	watch?: (call: Call) => void;
	created: number;
	updated: number;
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
	/** Not placed before this moment: the end of the first delay, later of the pause before a retry. */
	earliest: number;
	/** When it is expected to be placed; null if the schedule never opens again. */
	scheduledAt: number | null;
	/** `waiting` to be placed, `calling`, or `over`. */
	phase: 'waiting' | 'calling' | 'over';
	timer: Timer | undefined;
	created: number;
}
