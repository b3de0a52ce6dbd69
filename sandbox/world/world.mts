import { randomUUID } from 'node:crypto';

import type { SandboxOptions } from '../options.mts';
import { Clock } from '../time/clock.mts';
import type { Agent } from './agent.mts';
import type { Calendar } from './calendar.mts';
import type { Call } from './call.mts';
import type { Campaign } from './campaign.mts';
import type { Fault } from './fault.mts';
import type { PhoneNumber } from './phoneNumber.mts';
import type { RequestRecord } from './requestRecord.mts';
import type { SipTrunk } from './sipTrunk.mts';
import type { VoiceGroup } from './voice.mts';
import type { DeliveryAttempt, Webhook } from './webhook.mts';

/** The whole state of a sandbox since its start or last reset. */
export interface World {
	options: SandboxOptions;
	/** `http://127.0.0.1:<port>`; empty until the sandbox listens. */
	origin: string;
	clock: Clock;
	/** Aborts the connections to other servers (deliveries, SFTP sessions) when the world ends. */
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
	/** How many more calls the account can pay for. */
	credits: number;
	rate: { windowEnds: number; used: number };
	/** The latest requests, in order. */
	requests: RequestRecord[];
	/** How many requests are in flight, and the maximum so far. */
	load: { inFlight: number; highest: number };
	/** The latest delivery attempts, in the order in which they started. */
	attempts: DeliveryAttempt[];
	faults: Fault[];
	/** How many sandbox seconds after it happened an event is sent, by kind; null: never. */
	delays: Map<string, number | null>;
}

/** A world without objects, with a running clock. */
export function emptyWorld(options: SandboxOptions): World {
	return {
		options,
		origin: '',
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

/** How many requests, and how many delivery attempts, a world keeps. */
const REMEMBERED = 50_000;

/** Appends to a log of the world and drops the oldest entry beyond the limit. */
export function remember<Entry>(list: Entry[], entry: Entry): void {
	list.push(entry);
	if (list.length > REMEMBERED) {
		list.shift();
	}
}

/** A new id: random, so that ids do not repeat after a reset or a restart. */
export function newId(): string {
	return randomUUID();
}
