import { randomUUID } from 'node:crypto';

import type { Fault } from '../http/faults.mts';
import type { SandboxOptions } from '../options.mts';
import { Clock, type Timer } from '../time/clock.mts';
import type { Agent, VoiceGroup } from './agent.mts';
import type { Calendar } from './calendar.mts';
import type { CampaignFile, SftpConfiguration } from './sftp.mts';
import type { SipTrunk } from './sipTrunk.mts';
import type { Attempt, Webhook } from './webhook.mts';

export interface PhoneNumber {
	id: string;
	number: string;
	country_code: string;
	formatted_number: string;
	international_number: string;
	current_status: 'active' | 'inactive' | 'pending' | 'suspended';
	created: number;
}

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

export interface TimeRange {
	start: string;
	end: string;
}

export interface Campaign {
	id: string;
	name: string;
	description: string | null;
	status: 'draft' | 'active' | 'paused' | 'completed' | 'cancelled';
	campaign_type: 'sales' | 'follow_up' | 'reminder' | 'custom';
	agent_id: string;
	start_date: string;
	end_date: string | null;
	days_of_week: number[];
	call_time_ranges: TimeRange[];
	timezone: string;
	initial_call_delay: number;
	max_retries: number;
	retry_cooldown_hours: number;
	auto_complete: boolean;
	retry_on_no_conversion: boolean;
	enable_post_completion_cooldown: boolean;
	post_completion_cooldown_hours: number;
	success_cooldown_hours: number | null;
	voicemail_cooldown_hours: number | null;
	no_answer_cooldown_hours: number | null;
	busy_cooldown_hours: number | null;
	failed_cooldown_hours: number | null;
	do_not_call_enabled: boolean;
	do_not_call_list_source: 'environment' | 'campaign' | 'global' | 'custom';
	do_not_call_custom_list: string[];
	auto_add_to_dnc_enabled: boolean;
	auto_dnc_trigger_statuses: string[];
	auto_dnc_trigger_errors: string[];
	calls: CampaignCall[];
	/** The calls that are not over, by number. */
	open: Map<string, CampaignCall[]>;
	/** Numbers of this campaign's own do-not-call list. */
	doNotCall: Set<string>;
	/** Until when a number rests after an attempt or a finished call (milliseconds since 1970). */
	rests: Map<string, number>;
	files: CampaignFile[];
	sftp: SftpConfiguration | null;
	created: number;
	updated: number;
}

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

/** A request as `/_sandbox/requests` shows it; `status` is null while it is handled and after a cut connection. */
export interface RequestRecord {
	method: string;
	path: string;
	query: Record<string, unknown>;
	status: number | null;
	body: unknown;
	fault?: string;
	at: string;
}

/** Everything that one sandbox knows, from its start or its last reset. */
export interface World {
	options: SandboxOptions;
	clock: Clock;
	/** What talks to other servers, deliveries and SFTP sessions; it is aborted when the world ends. */
	sending: Set<AbortController>;
	ended: boolean;
	phoneNumbers: Map<string, PhoneNumber>;
	agents: Map<string, Agent>;
	voiceGroups: VoiceGroup[];
	/** Signs the addresses of demos. */
	signingKey: string;
	calls: Map<string, Call>;
	campaigns: Map<string, Campaign>;
	webhooks: Map<string, Webhook>;
	sipTrunks: Map<string, SipTrunk>;
	calendars: Map<string, Calendar>;
	doNotCall: { environment: Set<string>; global: Set<string> };
	/** Calls that can still be paid for. */
	credits: number;
	rate: { windowEnds: number; used: number };
	/** The latest requests, in order. */
	requests: RequestRecord[];
	/** How many requests are being answered, and the most that there were at a time. */
	load: { inFlight: number; highest: number };
	/** The latest attempts to deliver, in the order in which they began. */
	attempts: Attempt[];
	faults: Fault[];
}

/** A world without objects; its clock runs. */
export function emptyWorld(options: SandboxOptions): World {
	return {
		options,
		clock: new Clock(options.speed),
		sending: new Set(),
		ended: false,
		phoneNumbers: new Map(),
		agents: new Map(),
		voiceGroups: [],
		signingKey: newId(),
		calls: new Map(),
		campaigns: new Map(),
		webhooks: new Map(),
		sipTrunks: new Map(),
		calendars: new Map(),
		doNotCall: { environment: new Set(), global: new Set() },
		credits: options.credits,
		rate: { windowEnds: 0, used: 0 },
		requests: [],
		load: { inFlight: 0, highest: 0 },
		attempts: [],
		faults: [],
	};
}

/** Stops the clock and what is being delivered. */
export function endWorld(world: World): void {
	world.clock.stop();
	world.ended = true;
	for (const request of world.sending) {
		request.abort();
	}
}

/** How many requests and how many attempts to deliver a world remembers. */
const REMEMBERED = 50_000;

/** Adds to what the world remembers; the oldest go first. */
export function remember<Entry>(list: Entry[], entry: Entry): void {
	list.push(entry);
	if (list.length > REMEMBERED) {
		list.shift();
	}
}

/** A new identifier: random, so that no id comes again after a reset or a restart. */
export function newId(): string {
	return randomUUID();
}
