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
	attempts: DeliveryAttempt[];
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
