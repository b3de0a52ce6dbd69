import type { IDataObject } from 'n8n-workflow';

import { sendItems } from '../../../../nodes/VoiceAgentCalling/execution/sendItems.ts';
import { defineOperation } from '../../../../nodes/VoiceAgentCalling/operation/defineOperation.ts';
import { failed, type Outcome } from '../../../../nodes/VoiceAgentCalling/operation/items.ts';
import { Pace } from '../../../../nodes/VoiceAgentCalling/sending/pace.ts';
import { SentRequests } from '../../../../nodes/VoiceAgentCalling/sending/sentRequests.ts';
import { SharedReads } from '../../../../nodes/VoiceAgentCalling/sending/sharedReads.ts';

/** In what form the service tells when its window ends. */
export type ResetUnit =
	| 'seconds rounded up'
	| 'seconds rounded down'
	| 'milliseconds'
	| 'ISO'
	| 'seconds left'
	| 'absent';

/** How a 429 tells how long to wait. */
export type RefusalTells = 'nested' | 'flat' | 'header' | 'date' | 'nothing';

/** What a model of the service does. */
export interface Model {
	limit: number;
	windowMs: number;
	unit: ResetUnit;
	tells: RefusalTells;
	/** How far its clock is ahead of n8n's. */
	skewMs: number;
	/** How long the next request takes to arrive and to be answered. */
	latency(): number;
}

/** A service that keeps to a limit in fixed windows, in the time of jest's fake clock. */
export class ModelService {
	answered = 0;
	wasted = 0;
	mostInFlight = 0;
	/** How many requests each window answered. */
	readonly windows: number[] = [];
	private readonly model: Model;
	private inFlight = 0;
	private endsAt = 0;

	constructor(model: Model) {
		this.model = model;
	}

	/** What n8n's helper does for a node. */
	async answer({
		url,
	}: {
		url: string;
	}): Promise<{ statusCode: number; headers: Record<string, string>; body: IDataObject }> {
		this.inFlight++;
		this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
		await pause(this.model.latency());
		const taken = this.take();
		const headers = this.headers();
		await pause(this.model.latency());
		this.inFlight--;
		if (taken) {
			return { statusCode: 200, headers, body: { id: url.split('/').at(-1) } };
		}
		const { wait } = this;
		const told = this.refusal(wait);
		return { statusCode: 429, headers: { ...headers, ...told.headers }, body: told.body };
	}

	private get wait(): number {
		return Math.max(1, Math.ceil((this.endsAt - Date.now()) / 1000));
	}

	private take(): boolean {
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
		const theirs = this.endsAt + skewMs;
		const told = {
			'seconds rounded up': Math.ceil(theirs / 1000),
			'seconds rounded down': Math.floor(theirs / 1000),
			milliseconds: theirs,
			ISO: new Date(theirs).toISOString(),
			'seconds left': Math.ceil((this.endsAt - Date.now()) / 1000),
		}[unit];
		return { 'x-ratelimit-reset': String(told) };
	}

	private refusal(seconds: number): { headers: Record<string, string>; body: IDataObject } {
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

/** How items are sent, as in Sending. */
export interface Sending {
	maxConcurrentRequests: number;
	maxRequestsPerMinute?: number;
	maxWait?: number;
}

/** Sends that many items to the service, as the node does; gives what became of each, and the milliseconds it took. */
export async function sendTo(
	service: ModelService,
	count: number,
	{ maxConcurrentRequests, maxRequestsPerMinute, maxWait = 300 }: Sending,
): Promise<{ ids: unknown[]; took: number; pace: Pace }> {
	const context: IDataObject = {};
	const pace = new Pace({ maxRequestsPerMinute, maxWaitSeconds: maxWait });
	const outcomes: Array<Outcome | undefined> = Array.from({ length: count }, () => undefined);
	const startedAt = Date.now();
	const work = sendItems({
		run: {
			caller: {
				helpers: {
					httpRequestWithAuthentication: async (_: string, options: { url: string }) => await service.answer(options),
				},
			} as never,
			connection: { base: new URL('http://127.0.0.1/'), sandboxOnly: false, secrets: [] },
			pace,
			sent: new SentRequests(context, 0),
			timeoutSeconds: 60,
			maxWaitSeconds: maxWait,
			remembered: new SharedReads(),
			notes: new Set(),
		},
		operation: call,
		inputs: outcomes.map((_, n) => ({ values: { n }, local: {}, maxCalls: undefined })),
		outcomes,
		context,
		atATime: maxConcurrentRequests,
		goOn: true,
		isCancelled: () => false,
	});
	await inFakeTime(work);
	const ids = outcomes.map((outcome) => {
		if (outcome === undefined) {
			return undefined;
		}
		return failed(outcome) ? outcome.error.code : (outcome.items[0] as IDataObject).id;
	});
	return { ids, took: Date.now() - startedAt, pace };
}

/** Lets jest's fake clock go on until the work is done. */
export async function inFakeTime<Value>(work: Promise<Value>): Promise<Value> {
	let over = false;
	const done = work.finally(() => (over = true));
	done.catch(() => undefined);
	for (;;) {
		// What awaits something goes on first, as far as it gets.
		await new Promise((resolve) => setImmediate(resolve));
		if (over) {
			return await done;
		}
		await jest.advanceTimersToNextTimerAsync();
	}
}

async function pause(ms: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, ms));
}

/** A fake clock that does not stop what only lets others go first. */
export function useFakeClock(): void {
	jest.useFakeTimers({
		now: Date.UTC(2026, 10, 21, 6, 0, 0, 300),
		doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'],
	});
}
