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

/** Why something failed that was under way when the sandbox ended. */
export const STOPPED = 'The sandbox was stopped.';

/** The whole state of a sandbox since its start or last reset. */
export interface World {
	options: SandboxOptions;
	/** The open questions of the description that this service answers otherwise. */
	variants: readonly Variant[];
	/** `http://127.0.0.1:<port>`; empty until the sandbox listens. */
	origin: string;
	clock: Clock;
	/** Who listens to it outlives a reset. */
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
	/** How many calls were dropped because there were too many. */
	droppedCalls: number;
	/** How calls run that have no script. */
	mode: CallMode;
	/** The courses of calls to come, oldest first. */
	scripts: Script[];
	campaigns: Map<string, Campaign>;
	webhooks: Map<string, Webhook>;
	sipTrunks: Map<string, SipTrunk>;
	calendars: Map<string, Calendar>;
	doNotCall: { environment: Set<string>; global: Set<string> };
	/** How many more calls the account can pay for. */
	credits: number;
	rate: { windowEnds: number; used: number; counted: number[] };
	/** The requests, in order. */
	requests: Journal<RequestRecord>;
	/** How many requests are in flight, and the maximum so far. */
	load: { inFlight: number; highest: number };
	/** The delivery attempts, in the order in which they started. */
	attempts: Journal<DeliveryAttempt>;
	/** The deliveries whose first attempt is delayed. */
	delayed: Set<DelayedDelivery>;
	faults: Fault[];
	/** How many sandbox seconds after it happened an event is sent, by kind; null: never. */
	delays: Map<string, number | null>;
}

/** How calls run that have no script: by their number, or as people act. */
export interface CallMode {
	calls: 'automatic' | 'manual';
	/** How long a manual call rings, in sandbox seconds. */
	ringSeconds: number;
}

/** A world without objects, with a running clock. */
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
