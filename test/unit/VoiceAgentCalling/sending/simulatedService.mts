import type { AnsweringService } from './modelService.mts';

/** How a service limits requests. */
export interface Rules {
	/** `clock`: windows that start at multiples of the window. `first`: at the first request. `sliding`: any span. */
	windows: 'clock' | 'first' | 'sliding';
	/** When a sliding window states to be reset: when its newest request leaves it, or the oldest one. */
	resetsWith?: 'newest' | 'oldest';
	limit: number;
	windowMs: number;
	/** Other clients with the same token: a request of theirs counts every so many milliseconds. */
	othersEveryMs: number | undefined;
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

/**
 * A service that keeps a list of the requests it counted, and answers from nothing but that list. It runs on jest's fake
 * clock.
 */
export class SimulatedService implements AnsweringService {
	/** The last part of the paths of accepted requests, in order. */
	readonly accepted: string[] = [];
	/** When requests were rejected. */
	readonly rejectedAt: number[] = [];
	/** The requests of this client that are under way. */
	inFlight = 0;
	mostInFlight = 0;
	/** Whether there was a moment at which all requests of a window were used. */
	wasFull = false;
	private readonly rules: Rules;
	private readonly startedAt = Date.now();
	/** When requests were counted, in order: those of this client and of others. */
	private counted: number[] = [];
	private countedOthers = 0;
	private windowStart: number | undefined;

	constructor(rules: Rules) {
		this.rules = rules;
	}

	async answer({ url }: { url: string }): ReturnType<AnsweringService['answer']> {
		this.inFlight++;
		this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
		await wait(this.rules.delay());
		const isAccepted = this.count(Date.now());
		const name = url.slice(url.lastIndexOf('/') + 1);
		if (isAccepted) {
			this.accepted.push(name);
		} else {
			this.rejectedAt.push(Date.now());
		}
		const headers = this.headers(Date.now());
		const seconds = Math.max(1, Math.ceil((this.nextFree(Date.now()) - Date.now()) / 1000));
		await wait(this.rules.delay());
		this.inFlight--;
		if (isAccepted) {
			return { statusCode: 200, headers, body: { id: name } };
		}
		const { retryAfter } = this.rules;
		return {
			statusCode: 429,
			headers: retryAfter === 'header' ? { ...headers, 'retry-after': String(seconds) } : headers,
			body: {
				error: {
					code: 'RATE_LIMIT_EXCEEDED',
					message: 'Too many requests',
					details: retryAfter === 'body' ? { retry_after: seconds } : {},
				},
			},
		};
	}

	/** Counts a request, unless the window is full. */
	private count(now: number): boolean {
		this.countOthers(now);
		return this.add(now);
	}

	private countOthers(now: number): void {
		const { othersEveryMs } = this.rules;
		if (othersEveryMs === undefined) {
			return;
		}
		for (;;) {
			const at = this.startedAt + this.countedOthers * othersEveryMs;
			if (at > now) {
				return;
			}
			this.countedOthers++;
			this.add(at);
		}
	}

	private add(now: number): boolean {
		const { windows, windowMs } = this.rules;
		if (windows === 'first' && (this.windowStart === undefined || now >= this.windowStart + windowMs)) {
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
		if (windows === 'first') {
			return this.windowStart ?? now;
		}
		// In a sliding window, a request leaves exactly one window after it came.
		return windows === 'clock' ? Math.floor(now / windowMs) * windowMs : now - windowMs + 1;
	}

	/** The index of the first request that counts in the current window. */
	private first(now: number): number {
		const begin = this.begin(now);
		let [low, high] = [0, this.counted.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.counted[middle] as number) < begin) {
				low = middle + 1;
			} else {
				high = middle;
			}
		}
		return low;
	}

	private used(now: number): number {
		return this.counted.length - this.first(now);
	}

	/** When the next request is accepted, or when the window ends. */
	private nextFree(now: number): number {
		const { windows, windowMs, limit } = this.rules;
		if (windows !== 'sliding') {
			return this.begin(now) + windowMs;
		}
		return this.used(now) < limit ? now : (this.counted.at(-limit) as number) + windowMs;
	}

	private headers(now: number): Record<string, string> {
		const { states, limit, aheadMs } = this.rules;
		const date = new Date(now + aheadMs).toUTCString();
		if (states === 'nothing') {
			return { date };
		}
		const remaining = String(Math.max(0, limit - this.used(now)));
		const stated = { date, 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': remaining };
		return states === 'remaining' ? stated : { ...stated, ...this.resetHeader(now) };
	}

	private resetHeader(now: number): Record<string, string> {
		const { reset, aheadMs, windows, resetsWith = 'newest', windowMs } = this.rules;
		const oldest = this.counted[this.first(now)] ?? now;
		const slidingEnd = (resetsWith === 'newest' ? now : oldest) + windowMs;
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
		return value === undefined ? {} : { 'x-ratelimit-reset': value };
	}
}

async function wait(ms: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, ms));
}
