import type { IDataObject } from 'n8n-workflow';

import { sendItems } from '../../../../nodes/VoiceAgentCalling/execution/sendItems.ts';
import { defineOperation } from '../../../../nodes/VoiceAgentCalling/operation/defineOperation.ts';
import { failed, type Item } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import { Pace } from '../../../../nodes/VoiceAgentCalling/sending/pace.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';
import { SharedReads } from '../../../../nodes/VoiceAgentCalling/sending/sharedReads.ts';

/** The format of X-RateLimit-Reset. */
export type ResetUnit =
	| 'seconds rounded up'
	| 'seconds rounded down'
	| 'milliseconds'
	| 'ISO'
	| 'seconds left'
	| 'absent';

/** Where a 429 response says how long to wait. */
export type RefusalTells = 'nested' | 'flat' | 'header' | 'date' | 'nothing';

/** The behavior of a model service. */
export interface Model {
	limit: number;
	windowMs: number;
	unit: ResetUnit;
	tells: RefusalTells;
	/** How far its clock is ahead of n8n's, in milliseconds. */
	skewMs: number;
	/** Returns the next latency in milliseconds; called once for the request and once for the response. */
	latency(): number;
}

/** A service with a rate limit in fixed windows. It uses jest's fake clock. */
export class ModelService {
	answered = 0;
	wasted = 0;
	mostInFlight = 0;
	/** The number of accepted requests per window. */
	readonly windows: number[] = [];
	private readonly model: Model;
	private inFlight = 0;
	private endsAt = 0;

	constructor(model: Model) {
		this.model = model;
	}

	/** Replaces n8n's HTTP helper. */
	async answer({
		url,
	}: {
		url: string;
	}): Promise<{ statusCode: number; headers: Record<string, string>; body: IDataObject }> {
		this.inFlight++;
		this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
		await pause(this.model.latency());
		const accepted = this.accept();
		const headers = this.headers();
		await pause(this.model.latency());
		this.inFlight--;
		if (accepted) {
			return { statusCode: 200, headers, body: { id: url.split('/').at(-1) } };
		}
		const { wait } = this;
		const rejection = this.rejection(wait);
		return { statusCode: 429, headers: { ...headers, ...rejection.headers }, body: rejection.body };
	}

	private get wait(): number {
		return Math.max(1, Math.ceil((this.endsAt - Date.now()) / 1000));
	}

	private accept(): boolean {
		const now = Date.now();
		if (now >= this.endsAt) {
			this.endsAt = now + this.model.windowMs;
			this.windows.push(0);
		}
		const used = this.windows.at(-1) ?? 0;
		if (used >= this.model.limit) {
			this.wasted++;
			return false;
		}
		this.windows[this.windows.length - 1] = used + 1;
		this.answered++;
		return true;
	}

	private headers(): Record<string, string> {
		const { limit, skewMs } = this.model;
		const left = limit - (this.windows.at(-1) ?? 0);
		const date = new Date(Date.now() + skewMs).toUTCString();
		return { date, 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(left), ...this.reset() };
	}

	private reset(): Record<string, string> {
		const { unit, skewMs } = this.model;
		if (unit === 'absent') {
			return {};
		}
		const end = this.endsAt + skewMs;
		const value = {
			'seconds rounded up': Math.ceil(end / 1000),
			'seconds rounded down': Math.floor(end / 1000),
			milliseconds: end,
			ISO: new Date(end).toISOString(),
			'seconds left': Math.ceil((this.endsAt - Date.now()) / 1000),
		}[unit];
		return { 'x-ratelimit-reset': String(value) };
	}

	private rejection(seconds: number): { headers: Record<string, string>; body: IDataObject } {
		const message = 'Too many requests.';
		const at = new Date(Math.ceil((Date.now() + this.model.skewMs) / 1000) * 1000 + seconds * 1000).toUTCString();
		return {
			nested: {
				headers: {},
				body: { error: { code: 'RATE_LIMIT_EXCEEDED', message, details: { retry_after: seconds } } },
			},
			flat: { headers: {}, body: { message, retry_after: seconds } },
			header: { headers: { 'retry-after': String(seconds) }, body: { message } },
			date: { headers: { 'retry-after': at }, body: { message } },
			nothing: { headers: {}, body: { message } },
		}[this.model.tells];
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

/** A service that takes the place of n8n's HTTP helper. */
export interface AnsweringService {
	answer(options: { url: string }): Promise<{ statusCode: number; headers: Record<string, string>; body: IDataObject }>;
}

/** Sends items to the service like the node. @returns for each item its ID or error code, and the milliseconds taken */
export async function sendTo(service: AnsweringService, count: number, sending: Sending): ReturnType<typeof sendLater> {
	return await inFakeTime(sendLater(service, count, sending), Number.POSITIVE_INFINITY);
}

/** Like {@link sendTo}, while something else advances the clock. @param first the ID of the first item */
export async function sendLater(
	service: AnsweringService,
	count: number,
	{ maxConcurrentRequests, maxRequestsPerMinute, maxWait = 300 }: Sending,
	first = 0,
): Promise<{ ids: unknown[]; took: number; pace: Pace }> {
	const context: IDataObject = {};
	const pace = new Pace({ maxRequestsPerMinute, maxConcurrentRequests, maxWaitSeconds: maxWait });
	const items = Array.from(
		{ length: count },
		(_, n): Item => ({
			input: { values: { n: first + n }, local: {}, callLimits: undefined },
		}),
	);
	const startedAt = Date.now();
	await sendItems({
		run: {
			caller: {
				helpers: {
					httpRequestWithAuthentication: async (_: string, options: { url: string }) => await service.answer(options),
				},
			} as never,
			connection: { base: new URL('http://127.0.0.1/'), testCallsOnly: false, secrets: [] },
			pace,
			sent: new SentRequests(context, 0),
			timeoutSeconds: 60,
			maxWaitSeconds: maxWait,
			remembered: new SharedReads(),
			notes: new Set(),
		},
		operation: call,
		items,
		context,
		continueOnFail: true,
		stopped: false,
		isCanceled: () => false,
	});
	const ids = items.map(({ outcome }) => {
		if (outcome === undefined) {
			return undefined;
		}
		return failed(outcome) ? outcome.error.code : (outcome.items[0] as IDataObject).id;
	});
	return { ids, took: Date.now() - startedAt, pace };
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

async function pause(ms: number): Promise<void> {
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
