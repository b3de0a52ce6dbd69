import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';

import { resumeCall, resumeCampaign } from '../engine/calls/callQueue.mts';
import { deliverLater } from '../engine/deliveries/copies.mts';
import { resumeAttempt } from '../engine/deliveries/deliverer.mts';
import { resumeSftp } from '../engine/sftp/import.mts';
import type { Journal } from '../world/journal.mts';
import type { World } from '../world/world.mts';

/** Has to change whenever the data of a world changes. */
export const VERSION = 5;

/** The most entries of each journal that are saved: the latest entries. */
const SAVED_REQUESTS = 2000;
const SAVED_ATTEMPTS = 10_000;

/** The fields of a world that belong to a run of the program. They are not saved. */
const OF_THE_RUN = ['options', 'variants', 'origin', 'clock', 'changes', 'sending', 'ended', 'rate', 'load'] as const;

/** The data of a sandbox, without its options. */
export interface State extends Omit<World, (typeof OF_THE_RUN)[number] | 'ids' | 'requests' | 'attempts'> {
	/** The real time and the sandbox's time when it was saved (milliseconds since 1970). */
	savedAt: number;
	now: number;
	ids: World['ids']['counts'];
	requests: Saved<World['requests']>;
	attempts: Saved<World['attempts']>;
}

type Saved<Log> = Log extends Journal<infer Entry> ? Pick<Journal<Entry>, 'entries' | 'dropped'> : never;

/** A state that cannot be used or kept. The message states the reason in one line. */
export class StateError extends Error {}

/** Returns the current data of a world. */
export function savedState(world: World): Buffer {
	const data = Object.entries(world).filter(([name]) => !OF_THE_RUN.some((own) => own === name));
	return writeState({
		...(Object.fromEntries(data) as Omit<World, (typeof OF_THE_RUN)[number]>),
		savedAt: Date.now(),
		now: world.clock.now(),
		ids: world.ids.counts,
		requests: latest(world.requests, SAVED_REQUESTS),
		attempts: latest(world.attempts, SAVED_ATTEMPTS, ({ status }) => status === 'retrying' || status === 'pending'),
	});
}

function latest<Entry extends object>(
	{ entries, dropped }: Journal<Entry>,
	most: number,
	isNeeded: (entry: Entry) => boolean = () => false,
): Pick<Journal<Entry>, 'entries' | 'dropped'> {
	const saved = entries.filter((entry, index) => index >= entries.length - most || isNeeded(entry));
	return { entries: saved, dropped: dropped + entries.length - saved.length };
}

/** Converts a state to bytes: a line with version and digest, and then V8's own format. */
export function writeState(state: State): Buffer {
	const data = serialize(state);
	return Buffer.concat([Buffer.from(`voice-agent-calling-sandbox ${VERSION} ${digestOf(data)}\n`), data]);
}

/** @throws StateError for bytes that `writeState` has not written */
export function readState(bytes: Buffer): State {
	const start = bytes.toString('latin1', 0, 200);
	const [line = '', version, digest] = /^voice-agent-calling-sandbox (\d+) (\w+)\n/.exec(start) ?? [];
	if (line === '') {
		throw new StateError('it is not a state of this sandbox');
	}
	if (version !== String(VERSION)) {
		throw new StateError(`its version is ${version}, but this sandbox reads version ${VERSION}`);
	}
	const data = bytes.subarray(line.length);
	if (digestOf(data) !== digest) {
		throw new StateError('it is incomplete, or was changed');
	}
	try {
		return deserialize(data) as State;
	} catch {
		throw new StateError('a newer Node.js has written it');
	}
}

function digestOf(data: Buffer): string {
	return createHash('sha256').update(data).digest('hex');
}

/**
 * Loads a state into an empty world, and continues it. Requests that were in progress when it was saved have failed:
 * deliveries are repeated by their rules, actions and SFTP jobs are not.
 * @param world its clock already shows the state's time
 */
export function loadState(world: World, state: State): void {
	const { savedAt: _savedAt, now: _now, ids, requests, attempts, delayed, ...data } = state;
	Object.assign(world, data);
	world.ids.counts = ids;
	for (const request of requests.entries) {
		world.requests.add(request, 1000);
	}
	for (const attempt of attempts.entries) {
		world.attempts.add(attempt, attempt.delivery.body.length + (attempt.responseBody?.length ?? 0) + 500);
	}
	world.requests.dropped = requests.dropped;
	world.attempts.dropped = attempts.dropped;
	for (const call of world.calls.values()) {
		resumeCall(world, call);
	}
	for (const campaign of world.campaigns.values()) {
		resumeCampaign(world, campaign);
		resumeSftp(world, campaign);
	}
	for (const attempt of attempts.entries) {
		resumeAttempt(world, attempt);
	}
	for (const delivery of delayed) {
		deliverLater(world, delivery);
	}
}
