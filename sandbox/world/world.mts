import type { SandboxOptions } from '../options.mts';
import { Clock } from '../time/clock.mts';
import type { Agent } from './agent.mts';
import type { Calendar } from './calendar.mts';
import type { Call, Script } from './call.mts';
import type { Campaign } from './campaign.mts';
import { Changes } from './changes.mts';
import type { Fault } from './fault.mts';
import { type IdSource, newId } from './ids.mts';
import { Journal } from './journal.mts';
import type { PhoneNumber } from './phoneNumber.mts';
import type { RequestRecord } from './requestRecord.mts';
import type { SipTrunk } from './sipTrunk.mts';
import type { Variant } from './variant.mts';
import type { VoiceGroup } from './voice.mts';
import type { DelayedDelivery, DeliveryAttempt, Webhook } from './webhook.mts';

/** The error of work that was in progress when the sandbox stopped. */
export const STOPPED = 'The sandbox was stopped.';

/** The state of a sandbox since its start or last reset. */
export interface World {
	options: SandboxOptions;
	/** The variants, which change decisions about open questions of the description. */
	variants: readonly Variant[];
	/** `http://127.0.0.1:<port>`; empty until the sandbox listens. */
	origin: string;
	clock: Clock;
	/** It outlives a reset, and so do its listeners. */
	changes: Changes;
	ids: IdSource;
	/** Aborts the connections to other servers (deliveries, actions) when the world ends. */
	sending: Set<AbortController>;
	ended: boolean;
	phoneNumbers: Map<string, PhoneNumber>;
	agents: Map<string, Agent>;
	voiceGroups: VoiceGroup[];
	/** Signs the addresses of demos. */
	signingKey: string;
	/** In the order in which they were placed. */
	calls: Map<string, Call>;
	/** The number of calls that were dropped because there were too many. */
	droppedCalls: number;
	/** The mode of calls without a script. */
	mode: CallMode;
	/** The scripts for future calls, oldest first. */
	scripts: Script[];
	campaigns: Map<string, Campaign>;
	webhooks: Map<string, Webhook>;
	sipTrunks: Map<string, SipTrunk>;
	calendars: Map<string, Calendar>;
	doNotCall: { environment: Set<string>; global: Set<string> };
	/** The number of calls that the account can still pay for. */
	credits: number;
	rate: { windowEnds: number; used: number; counted: number[] };
	/** The requests, in order. */
	requests: Journal<RequestRecord>;
	/** The current number of requests in flight, and its maximum so far. */
	load: { inFlight: number; highest: number };
	/** The delivery attempts, in the order in which they started. */
	attempts: Journal<DeliveryAttempt>;
	/** The deliveries whose first attempt is delayed. */
	delayed: Set<DelayedDelivery>;
	faults: Fault[];
	/** The delay of events in sandbox seconds, by event type; null: they are never sent. */
	delays: Map<string, number | null>;
}

/** The mode of calls without a script: the number determines the result (`automatic`), or people act (`manual`). */
export interface CallMode {
	calls: 'automatic' | 'manual';
	/** How long a manual call rings, in sandbox seconds. */
	ringSeconds: number;
}

/** Returns a world without objects, with a running clock. */
export function emptyWorld(options: SandboxOptions, variants: readonly Variant[] = [], changes = new Changes()): World {
	const ids: IdSource = { seed: options.seed, counts: {} };
	return {
		options,
		variants,
		origin: '',
		clock: new Clock(options.speed, options.startTime ?? undefined),
		changes,
		ids,
		sending: new Set(),
		ended: false,
		phoneNumbers: new Map(),
		agents: new Map(),
		voiceGroups: [],
		signingKey: newId({ ids }),
		calls: new Map(),
		droppedCalls: 0,
		mode: { calls: 'automatic', ringSeconds: 60 },
		scripts: [],
		campaigns: new Map(),
		webhooks: new Map(),
		sipTrunks: new Map(),
		calendars: new Map(),
		doNotCall: { environment: new Set(), global: new Set() },
		credits: options.credits,
		rate: { windowEnds: 0, used: 0, counted: [] },
		requests: new Journal(),
		load: { inFlight: 0, highest: 0 },
		attempts: new Journal(),
		delayed: new Set(),
		faults: [],
		delays: new Map(),
	};
}

/** Stops the clock and all connections to other servers. */
export function endWorld(world: World): void {
	world.clock.stop();
	world.ended = true;
	for (const request of world.sending) {
		request.abort();
	}
}
