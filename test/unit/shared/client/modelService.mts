import type { IDataObject } from 'n8n-workflow';

import { Pace } from '../../../../nodes/shared/client/pace.ts';
import { CallBook } from '../../../../nodes/VoiceAgentCalling/callRules/book.ts';
import { Calls } from '../../../../nodes/VoiceAgentCalling/callRules/calls.ts';
import { defineOperation } from '../../../../nodes/VoiceAgentCalling/operation/defineOperation.ts';
import { type Item, isFailed } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import { sendItems } from '../../../../nodes/VoiceAgentCalling/run/sendItems.ts';
import type { Answer } from '../../n8n.mts';
import { runOf } from './run.mts';

/** A service on jest's fake clock. */
export interface AnsweringService {
	/** @param name the last part of the path, which is also the ID in the answer */
	answer(name: string): Promise<Answer>;
}

/** How a service limits requests. */
export interface Rules {
	/** `clock`: windows that start at multiples of the window. `first`: at the first request. `sliding`: any span. */
	windows: 'clock' | 'first' | 'sliding';
	/** When a sliding window states to be reset: when its newest request leaves it, or the oldest one. */
	resetsWith?: 'newest' | 'oldest';
	limit: number;
	windowMs: number;
	/** Other clients with the same token: a request of theirs counts every so many milliseconds. */
	othersEveryMs?: number;
	/** How far the clock of the service is ahead, in milliseconds. */
	aheadMs: number;
	/** The form of X-RateLimit-Reset. */
	reset: 'seconds' | 'milliseconds' | 'left' | 'iso' | 'http' | 'none';
	/** What of the limit the headers state. */
	states: 'all' | 'remaining' | 'nothing';
	/** Where a rejection states how long to wait. */
	retryAfter: 'header' | 'body' | 'nowhere';
	/** Returns how long a request or response is under way, in milliseconds. */
	delay(): number;
}

/** A service that keeps a list of the requests it counted, and answers from nothing but that list. */
export class ModelService implements AnsweringService {
	/** The names of accepted requests, in order. */
	readonly accepted: string[] = [];
	rejected = 0;
	mostInFlight = 0;
	/** Whether there was a moment at which all requests of a window were used. */
	wasFull = false;
	private readonly rules: Rules;
	private readonly startedAt = Date.now();
	private inFlight = 0;
	/** When requests were counted, in order: those of this client and of others. */
	private readonly counted: number[] = [];
	/** The index of the first request that counts in the current window. */
	private first = 0;
	private countedOthers = 0;
	private windowStart = Number.NEGATIVE_INFINITY;

	constructor(rules: Rules) {
		this.rules = rules;
	}

	async answer(name: string): Promise<Answer> {
		const { delay, retryAfter } = this.rules;
		this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
		await wait(delay());
		const now = Date.now();
		this.countOthers(now);
		const isAccepted = this.count(now);
		const headers = this.headers(now);
		const seconds = Math.max(1, Math.ceil((this.nextFree(now) - now) / 1000));
		await wait(delay());
		this.inFlight--;
		if (isAccepted) {
			this.accepted.push(name);
			return { headers, body: { id: name } };
		}
		this.rejected++;
		const details = retryAfter === 'body' ? { retry_after: seconds } : {};
		return {
			status: 429,
			headers: { ...headers, ...(retryAfter === 'header' && { 'retry-after': String(seconds) }) },
			body: { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests', details } },
		};
	}

	private countOthers(now: number): void {
		const { othersEveryMs = Number.POSITIVE_INFINITY } = this.rules;
		const at = () => this.startedAt + (this.countedOthers && this.countedOthers * othersEveryMs);
		for (; othersEveryMs < Number.POSITIVE_INFINITY && at() <= now; this.countedOthers++) {
			this.count(at());
		}
	}

	/** Counts a request, unless the window is full. */
	private count(now: number): boolean {
		if (now >= this.windowStart + this.rules.windowMs) {
			this.windowStart = now;
		}
		const isFree = this.used(now) < this.rules.limit;
		if (isFree) {
			this.counted.push(now);
		}
		this.wasFull ||= this.used(now) >= this.rules.limit;
		return isFree;
	}

	/** When the current window began. */
	private begin(now: number): number {
		const { windows, windowMs } = this.rules;
		// In a sliding window, a request leaves exactly one window after it came.
		return { first: this.windowStart, clock: Math.floor(now / windowMs) * windowMs, sliding: now - windowMs + 1 }[
			windows
		];
	}

	private used(now: number): number {
		while ((this.counted[this.first] ?? now) < this.begin(now)) {
			this.first++;
		}
		return this.counted.length - this.first;
	}

	/** When the next request is accepted, or when the window ends. */
	private nextFree(now: number): number {
		const { windows, windowMs, limit } = this.rules;
		if (windows !== 'sliding') {
			return this.begin(now) + windowMs;
		}
		return this.used(now) < limit ? now : this.counted.at(-limit)! + windowMs;
	}

	private headers(now: number): Record<string, string> {
		const { states, limit, aheadMs, reset, windows, resetsWith = 'newest', windowMs } = this.rules;
		const remaining = String(Math.max(0, limit - this.used(now)));
		const slidingEnd = (resetsWith === 'newest' ? now : (this.counted[this.first] ?? now)) + windowMs;
		const end = windows === 'sliding' ? slidingEnd : this.nextFree(now);
		const theirs = end + aheadMs;
		const value = {
			seconds: String(Math.ceil(theirs / 1000)),
			milliseconds: String(theirs),
			left: String(Math.ceil((end - now) / 1000)),
			iso: new Date(theirs).toISOString(),
			http: new Date(Math.ceil(theirs / 1000) * 1000).toUTCString(),
			none: undefined,
		}[reset];
		return {
			date: new Date(now + aheadMs).toUTCString(),
			...(states !== 'nothing' && { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': remaining }),
			...(states === 'all' && value !== undefined && { 'x-ratelimit-reset': value }),
		};
	}
}

const call = defineOperation({
	name: 'Call',
	value: 'call',
	action: 'Call',
	description: 'Call',
	request: (input) => ({ method: 'POST', path: ['calls', String((input as { n: number }).n)] }),
});

/** The options of Sending. */
export interface Sending {
	/** Automatic if undefined. */
	maxConcurrentRequests?: number;
	maxRequestsPerMinute?: number;
	maxWait?: number;
}

/** Sends items to the service like the node. @returns for each item its ID or error code, and the milliseconds taken */
export async function sendTo(service: AnsweringService, count: number, sending: Sending): ReturnType<typeof sendLater> {
	return await inFakeTime(sendLater(service, count, sending), Number.POSITIVE_INFINITY);
}

/** Like {@link sendTo}, while something else advances the clock. @param first the ID of the first item */
export async function sendLater(
	service: AnsweringService,
	count: number,
	{ maxWait = 300, ...limits }: Sending,
	first = 0,
): Promise<{ ids: unknown[]; took: number }> {
	const { run } = runOf(
		{ service: async ({ url }) => await service.answer(url.slice(url.lastIndexOf('/') + 1)) },
		{ pace: new Pace({ ...limits, maxWaitSeconds: maxWait }), maxWaitSeconds: maxWait },
	);
	const items = Array.from(
		{ length: count },
		(_, n): Item => ({
			input: { values: { n: first + n }, local: {}, call: undefined, toolLimits: undefined },
			state: { is: 'ready' },
		}),
	);
	const startedAt = Date.now();
	const operationRun = { run, operation: call, items, startedAt, rootMode: 'trigger', continueOnFail: true };
	const node = { credential: 'credential', node: 'Call', run: 0, isTool: false };
	await sendItems(operationRun, new Calls(operationRun, CallBook.of({}, '77'), node));
	const ids = items.map(({ state }) => {
		const item = state.is === 'done' ? (state.items[0] as IDataObject) : undefined;
		return isFailed(state) ? state.error.code : item?.id;
	});
	return { ids, took: Date.now() - startedAt };
}

/**
 * Advances jest's fake clock until the work is done.
 *
 * @param maxTimers after how many timers the work is considered as stuck
 * @throws Error if the work is stuck
 */
export async function inFakeTime<Value>(work: Promise<Value>, maxTimers = 5000): Promise<Value> {
	let over = false;
	const done = work.finally(() => (over = true));
	done.catch(() => undefined);
	for (let timers = 0; timers < maxTimers; timers++) {
		// Let pending promises continue before the clock advances.
		await new Promise((resolve) => setImmediate(resolve));
		if (over) {
			return await done;
		}
		await jest.advanceTimersToNextTimerAsync();
	}
	throw new Error('The work does not end');
}

/** Waits on jest's fake clock. */
export async function wait(ms: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, ms));
}

/** A sequence of numbers from 0 to 1 that looks random and is always the same: the generator of Park and Miller. */
export function noise(): () => number {
	let state = 1;
	return () => {
		state = (state * 48_271) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}

/** Uses a fake clock, except for functions that only yield to the event loop. */
export function useFakeClock(): void {
	jest.useFakeTimers({
		now: Date.UTC(2026, 10, 21, 6, 0, 0, 300),
		doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'],
	});
}
