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
	/** The campaign's call that this is an attempt of; null for a call through an agent. */
	campaignCall: CampaignCall | null;
	/** When it was answered (milliseconds since 1970). */
	answered?: number;
	/** The next step of its course. */
	timer?: Timer;
	/** Told of each status after `initiated`, once the call has it. */
	watch?: (call: Call) => void;
	created: number;
	updated: number;
}

/** How a call ends; `voicemail` is a completed call that a machine took. */
export type CallResult = 'completed' | 'voicemail' | 'busy' | 'no-answer' | 'failed';

export type CampaignCallStatus = 'queued' | 'scheduled' | 'cancelled' | CallStatus;

/** A call queued through a campaign; its retries are calls of their own. */
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
	/** Not before this moment: the first delay, then the pause before a retry. */
	earliest: number;
	/** When it is expected to be placed; null where the schedule leaves no time. */
	scheduledAt: number | null;
	/** `waiting` to be placed, `calling`, or `over` for good. */
	phase: 'waiting' | 'calling' | 'over';
	timer: Timer | undefined;
	created: number;
}
