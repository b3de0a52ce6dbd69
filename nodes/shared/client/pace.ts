import { sleep } from 'n8n-workflow';

import { ServiceError } from '../errors/serviceError';
import { isOutage } from './itemErrors';
import type { RateLimit } from './rateLimit';

/** How many requests are in flight at first, and at most where the user sets no number. */
const FIRST_LIMIT = 5;
const MAX_LIMIT = 50;

/** A latency has risen that is so many times the lowest one, and this many milliseconds more. */
const RISE_FACTOR = 2;
const MIN_RISE_MS = 10;

/** With half as many in flight, the latency falls at least to this share if requests waited in a queue. */
const SHARE_WITH_HALF = 0.75;

/** The minimum number of responses of which the latency is taken. */
const MIN_RESPONSES = 8;

/** How often a wait checks whether the run was canceled or stopped. */
const CHECK_INTERVAL_MS = 200;

/** The pauses after consecutive 429s, because the times that the service states may be wrong. */
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

const MINUTE_MS = 60_000;

/**
 * How many requests may be in flight: additive increase and multiplicative decrease, as in TCP (Chiu and Jain, 1989).
 * Each success adds one until something speaks against it, then each round of successes does. A 429, 502, 503 or 504, or
 * no response halves the number, once for all requests that were in flight.
 *
 * Where the user sets no maximum, so does a latency that has risen: requests wait in a queue of the service. If it is
 * the same with half as many, it has another cause: the number is as before, and the latency counts as the lowest one.
 *
 * Times are in milliseconds of the monotonic clock.
 */
class InFlightLimit {
	/** The number, with the fractions that successes add. */
	private exact: number;

	private readonly max: number;

	private readonly followsLatency: boolean;

	/** Whether each success adds one. */
	private isStarting = true;

	/** When it was halved. What was sent before says nothing about the half. */
	private halvedAt = 0;

	/** A round: since when, of how many responses, and the latencies so far of what was sent in it. */
	private round = { since: 0, size: MIN_RESPONSES, latencies: [] as number[] };

	/** The lowest median latency of a round. */
	private lowest = Number.POSITIVE_INFINITY;

	/** The last round, if it halved the number for its latency. */
	private slowRound: { limit: number; latency: number } | undefined;

	constructor(max: number | undefined) {
		this.max = max ?? MAX_LIMIT;
		this.followsLatency = max === undefined;
		this.exact = Math.min(FIRST_LIMIT, this.max);
	}

	get value(): number {
		return Math.floor(this.exact);
	}

	/** @param inFlight how many requests were in flight, with this one */
	onSuccess(sentAt: number, now: number, inFlight: number): void {
		const { since, size, latencies } = this.round;
		const added = this.isStarting ? Number(sentAt > since) : 1 / this.value;
		// Where fewer are sent than may be, it is not known whether the service copes with more.
		if (sentAt >= this.halvedAt && 2 * inFlight >= this.value) {
			this.exact = Math.min(this.max, this.exact + added);
		}
		if (sentAt > since && latencies.push(now - sentAt) >= size) {
			this.onRound(median(latencies), now);
		}
	}

	onFailure(sentAt: number, now: number): void {
		if (sentAt >= this.halvedAt) {
			this.slowRound = undefined;
			this.halve(now);
		}
	}

	/** @param latency the median of the round */
	private onRound(latency: number, now: number): void {
		const { slowRound } = this;
		this.slowRound = undefined;
		if (slowRound !== undefined && latency > SHARE_WITH_HALF * slowRound.latency) {
			this.exact = slowRound.limit;
			this.lowest = latency;
		} else if (!this.followsLatency || latency <= RISE_FACTOR * this.lowest + MIN_RISE_MS || this.value === 1) {
			this.lowest = Math.min(this.lowest, latency);
		} else if (this.isStarting) {
			// Most of these were sent when fewer were in flight: the next round shows the latency with this number.
			this.isStarting = false;
		} else {
			this.slowRound = { limit: this.exact, latency };
			this.halve(now);
		}
		this.startRound(now);
	}

	private halve(now: number): void {
		this.exact = Math.max(1, this.exact / 2);
		this.isStarting = false;
		this.halvedAt = now;
		this.startRound(now);
	}

	private startRound(now: number): void {
		this.round = { since: now, size: Math.max(MIN_RESPONSES, this.value), latencies: [] };
	}
}

/** The window of the service's rate limit, as the last responses stated it. */
interface Window {
	/** How many requests are left. */
	left: number;
	/** Infinite if the service does not state it. */
	endsAt: number;
	/** When the last response came. */
	statedAt: number;
	/** How many were left when the first response came. */
	leftAtFirst: number;
	/** How many requests of this run were accepted since. */
	own: number;
}

/** What the user sets. */
interface PaceSettings {
	maxRequestsPerMinute?: number;
	maxConcurrentRequests?: number;
	maxWaitSeconds: number;
}

/**
 * The pace of all requests of one run of the node. It keeps to the rate limit that the service states, and leaves others
 * with the same limit their share. It looks only at the monotonic clock: nobody can set that back.
 */
export class Pace {
	/** How many requests were sent again after an error other than a 429. */
	repeats = 0;

	/** How long requests waited for the service's rate limit, in milliseconds. Waits at the same time count once. */
	limitedMs = 0;

	/** How many requests the service accepts in a window, which is about a minute; undefined if it does not say. */
	requestsPerMinute: number | undefined;

	/** The end of what {@link limitedMs} counts. */
	private limitedUntil = 0;

	private readonly inFlightLimit: InFlightLimit;

	private readonly intervalMs: number;

	private readonly maxWaitMs: number;

	/** When the limit that the user sets allows the next request. */
	private nextSlot = Number.NEGATIVE_INFINITY;

	private inFlight = 0;

	private lastWindow: Window | undefined;

	/** Nothing is sent before this moment. */
	private closedUntil = 0;

	/** After a wait a single request is sent first, so that at most one is refused if that was too early. */
	private isProbing = false;

	/** The number of consecutive 429s. */
	private refusals = 0;

	private nextChange: { happened: Promise<void>; notify: () => void } | undefined;

	/**
	 * @param maxRequestsPerMinute the limit that the user sets; requests are then sent at even intervals
	 * @param maxConcurrentRequests how many requests may be in flight; undefined for as many as the service copes with
	 * @param maxWaitSeconds the maximum wait for the service
	 */
	constructor({ maxRequestsPerMinute, maxConcurrentRequests, maxWaitSeconds }: PaceSettings) {
		this.inFlightLimit = new InFlightLimit(maxConcurrentRequests);
		this.intervalMs = maxRequestsPerMinute === undefined ? 0 : MINUTE_MS / maxRequestsPerMinute;
		this.maxWaitMs = maxWaitSeconds * 1000;
	}

	/** How many requests may be in flight now. */
	get limit(): number {
		return this.inFlightLimit.value;
	}

	/** For how many milliseconds nothing is sent, because of the service's rate limit. */
	get closedMs(): number {
		return Math.max(0, this.closedUntil - performance.now());
	}

	/**
	 * Waits until a request may be sent, and counts it as in flight.
	 *
	 * @param throwIfUnwanted throws when the request is no longer wanted; called repeatedly during a wait
	 * @returns when it is sent, for {@link onResponse}
	 * @throws ServiceError `RATE_LIMIT_EXCEEDED` where the wait would exceed the maximum; what `throwIfUnwanted` throws
	 */
	async acquire(throwIfUnwanted: () => void): Promise<number> {
		for (;;) {
			throwIfUnwanted();
			const now = performance.now();
			const closedMs = Math.max(0, this.closedUntil - now);
			if (closedMs > this.maxWaitMs) {
				throw tooLong(closedMs / 1000);
			}
			const wait = closedMs || (this.isFree(now) ? Math.max(0, this.nextSlot - now) : CHECK_INTERVAL_MS);
			if (wait === 0) {
				// A timer that fires late does not slow the run down, and a stall leads to no burst.
				this.nextSlot = (now - this.nextSlot < this.intervalMs ? this.nextSlot : now) + this.intervalMs;
				this.inFlight++;
				return now;
			}
			await this.waitForChange(wait);
			if (closedMs > 0) {
				this.countLimited(now);
			}
		}
	}

	/** Waits some milliseconds. @param throwIfUnwanted as in {@link acquire} */
	async sleep(ms: number, throwIfUnwanted: () => void): Promise<void> {
		const end = performance.now() + ms;
		for (let now = performance.now(); now < end; now = performance.now()) {
			throwIfUnwanted();
			await sleep(Math.min(end - now, CHECK_INTERVAL_MS));
		}
	}

	/** Counts one more request in a turn of {@link acquire}. */
	addRequest(): void {
		this.nextSlot += this.intervalMs;
	}

	/** To be called when the turn of {@link acquire} is over. */
	release(): void {
		this.inFlight--;
		this.notify();
	}

	/**
	 * To be called when a request of a turn has ended, successful or not.
	 *
	 * @param sentAt the return value of {@link acquire}
	 * @param stated the rate limit that the response states
	 */
	onResponse(sentAt: number, stated: RateLimit | undefined, error: ServiceError | undefined): void {
		const now = performance.now();
		const isRefused = error?.httpStatus === 429;
		if (error !== undefined && isOverload(error)) {
			this.inFlightLimit.onFailure(sentAt, now);
		} else {
			if (sentAt >= this.closedUntil) {
				this.isProbing = false;
				this.refusals = 0;
			}
			// An error 500 may come from the data of an item.
			if ((error?.httpStatus ?? 0) < 500) {
				this.inFlightLimit.onSuccess(sentAt, now, this.inFlight);
			}
		}
		if (isRefused) {
			// Refusals of requests that were in flight at the same time count as one.
			const pause = sentAt < this.closedUntil ? 0 : MIN_PAUSE_MS * 2 ** this.refusals++;
			this.close(now + Math.max(jittered(Math.min(MAX_PAUSE_MS, pause)), (error.retryAfter ?? 0) * 1000));
		}
		if (stated !== undefined) {
			this.requestsPerMinute = stated.limit;
			this.takeOver(stated, sentAt, now, isRefused ? 0 : 1);
		}
	}

	/** Takes over what a response states. @param accepted how many requests the service counted with it */
	private takeOver({ remaining, endsIn }: RateLimit, sentAt: number, now: number, accepted: 0 | 1): void {
		const window = this.windowAt(now);
		const isOver = endsIn !== undefined && endsIn <= 0;
		if (isOver && window !== undefined) {
			return;
		}
		const endsAt = endsIn === undefined || isOver ? Number.POSITIVE_INFINITY : now + endsIn;
		this.lastWindow = {
			// The service may have counted this request before that of the last response: the lower number counts.
			left: window && sentAt < window.statedAt ? Math.min(window.left, remaining) : remaining,
			endsAt: window ? Math.min(window.endsAt, endsAt) : endsAt,
			statedAt: now,
			leftAtFirst: window ? window.leftAtFirst : remaining,
			own: window ? window.own + accepted : 0,
		};
		if (this.lastWindow.left === 0 && this.lastWindow.endsAt < Number.POSITIVE_INFINITY) {
			this.close(this.lastWindow.endsAt);
		}
	}

	private close(until: number): void {
		this.closedUntil = Math.max(this.closedUntil, until);
		this.isProbing = true;
	}

	private windowAt(now: number): Window | undefined {
		return this.lastWindow !== undefined && now < this.lastWindow.endsAt ? this.lastWindow : undefined;
	}

	/** Whether another request may be in flight. */
	private isFree(now: number): boolean {
		return this.inFlight === 0 || (!this.isProbing && this.inFlight < Math.min(this.limit, this.leftForThis(now)));
	}

	/** What is left in the window for this run: the same share as it had in what was used so far. */
	private leftForThis(now: number): number {
		const { left = Number.POSITIVE_INFINITY, leftAtFirst = left, own = 0 } = this.windowAt(now) ?? {};
		const used = leftAtFirst - left;
		return used > own ? (left * own) / used : left;
	}

	/** Counts a wait for the rate limit that has ended just now. */
	private countLimited(since: number): void {
		const now = performance.now();
		this.limitedMs += Math.max(0, now - Math.max(since, this.limitedUntil));
		this.limitedUntil = now;
	}

	/**
	 * Waits until the time is over or the state changes. The end of the time of one request ends the waits of all, so that
	 * they continue in the order in which they asked, however long each has to wait.
	 */
	private async waitForChange(ms: number): Promise<void> {
		if (this.nextChange === undefined) {
			let notify = () => {};
			const happened = new Promise<void>((resolve) => (notify = resolve));
			this.nextChange = { happened, notify };
		}
		const change = this.nextChange;
		void sleep(Math.min(ms, CHECK_INTERVAL_MS)).then(() => {
			if (this.nextChange === change) {
				this.notify();
			}
		});
		await change.happened;
	}

	private notify(): void {
		this.nextChange?.notify();
		this.nextChange = undefined;
	}
}

/** Whether the service does not cope: a refusal for its rate limit, an outage, or no response. */
function isOverload(error: ServiceError): boolean {
	const { httpStatus } = error;
	return httpStatus === undefined || httpStatus === 429 || isOutage(error);
}

function median(values: readonly number[]): number {
	return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)];
}

/** A random duration between half of `ms` and `ms`, so that waiting clients do not retry at the same time. */
export function jittered(ms: number): number {
	return ms * (0.5 + Math.random() / 2);
}

/** The error for a wait that would exceed the maximum. @param seconds how long the wait would be */
export function tooLong(seconds: number, cause?: ServiceError): ServiceError {
	const wait = Math.ceil(seconds);
	return new ServiceError(cause?.message ?? 'The service accepts no more requests for now', {
		code: cause?.code ?? 'RATE_LIMIT_EXCEEDED',
		advice: `Run this again in ${wait} ${wait === 1 ? 'second' : 'seconds'}. Where the operation has the collection Sending, a higher Max Wait lets the node wait.`,
		httpStatus: cause?.httpStatus,
		accepted: 'no',
		body: cause?.body,
	});
}
