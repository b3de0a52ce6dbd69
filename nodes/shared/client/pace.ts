import { sleep } from 'n8n-workflow';

import { ServiceError } from '../errors/serviceError';
import { isOutage } from './itemErrors';
import type { RateLimit } from './rateLimit';

/** The limit of requests in flight at the start, and its maximum if the user does not set one. */
const FIRST_LIMIT = 5;
const MAX_LIMIT = 50;

/** A latency counts as risen above this multiple of the lowest latency plus these milliseconds. */
const RISE_FACTOR = 2;
const MIN_RISE_MS = 10;

/** If requests waited in a queue, the latency falls at least to this share with half as many in flight. */
const SHARE_WITH_HALF = 0.75;

/** The minimum number of responses from which a latency is computed. */
const MIN_RESPONSES = 8;

/** How often a wait checks whether the run was canceled or stopped. */
const CHECK_INTERVAL_MS = 200;

/** The shortest and longest pause after consecutive 429s: the times that the service states may be wrong. */
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

const MINUTE_MS = 60_000;

/**
 * Limits how many requests may be in flight, by additive increase and multiplicative decrease as in TCP (Chiu and Jain,
 * 1989). At first each success raises the limit by one; after the first sign of overload, each round of successes does.
 * A 429, 502, 503 or 504, or a missing response halves the limit, once for all requests that were in flight.
 *
 * If the user sets no maximum, a risen latency also halves the limit, because requests then wait in a queue of the
 * service. If half the limit does not lower the latency, it has another cause: the limit is restored, and the latency
 * counts as the lowest one from then on.
 *
 * Times are in milliseconds of the monotonic clock.
 */
class InFlightLimit {
	/** The limit, with the fractions that successes add. */
	private exact: number;

	private readonly max: number;

	private readonly followsLatency: boolean;

	/** Whether each success adds one. */
	private isStarting = true;

	/** When the limit was halved. Requests that were sent earlier show nothing about the new limit. */
	private halvedAt = 0;

	/** The present round: its start, its number of responses, and the latencies so far of requests sent in it. */
	private round = { since: 0, size: MIN_RESPONSES, latencies: [] as number[] };

	/** The lowest median latency of a round. */
	private lowest = Number.POSITIVE_INFINITY;

	/** The last round, if its latency halved the limit. */
	private slowRound: { limit: number; latency: number } | undefined;

	constructor(max: number | undefined) {
		this.max = max ?? MAX_LIMIT;
		this.followsLatency = max === undefined;
		this.exact = Math.min(FIRST_LIMIT, this.max);
	}

	get value(): number {
		return Math.floor(this.exact);
	}

	/** @param inFlight how many requests were in flight, including this one */
	onSuccess(sentAt: number, now: number, inFlight: number): void {
		const { since, size, latencies } = this.round;
		const added = this.isStarting ? Number(sentAt > since) : 1 / this.value;
		// If the limit is not used, it is unknown whether the service copes with more.
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

	/** @param latency the median latency of the round */
	private onRound(latency: number, now: number): void {
		const { slowRound } = this;
		this.slowRound = undefined;
		if (slowRound !== undefined && latency > SHARE_WITH_HALF * slowRound.latency) {
			this.exact = slowRound.limit;
			this.lowest = latency;
		} else if (!this.followsLatency || latency <= RISE_FACTOR * this.lowest + MIN_RISE_MS || this.value === 1) {
			this.lowest = Math.min(this.lowest, latency);
		} else if (this.isStarting) {
			// Most of these were sent with fewer requests in flight: the next round shows the latency at this limit.
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
	/** When the last response arrived. */
	statedAt: number;
	/** How many requests were left when the first response arrived. */
	leftAtFirst: number;
	/** How many requests of this run have been accepted since then. */
	own: number;
}

/** The user's settings. */
interface PaceSettings {
	maxRequestsPerMinute?: number;
	maxConcurrentRequests?: number;
	maxWaitSeconds: number;
}

/**
 * Sets the pace of all requests of one run of the node. It respects the rate limit that the service states, and leaves
 * their share to other clients under the same limit. It uses only the monotonic clock, which cannot be set back.
 */
export class Pace {
	/** How many requests were sent again after an error other than 429. */
	repeats = 0;

	/** How long requests waited for the service's rate limit, in milliseconds. Simultaneous waits count once. */
	limitedMs = 0;

	/** How many requests the service accepts in a window, which is about a minute; undefined if it does not state it. */
	requestsPerMinute: number | undefined;

	/** The moment up to which {@link limitedMs} has counted. */
	private limitedUntil = 0;

	private readonly inFlightLimit: InFlightLimit;

	private readonly intervalMs: number;

	private readonly maxWaitMs: number;

	/** When the user's limit allows the next request. */
	private nextSlot = Number.NEGATIVE_INFINITY;

	private inFlight = 0;

	private lastWindow: Window | undefined;

	/** Nothing is sent before this moment. */
	private closedUntil = 0;

	/** After a wait, a single request is sent first, so that at most one is refused if the wait was too short. */
	private isProbing = false;

	/** The number of consecutive 429s. */
	private refusals = 0;

	private nextChange: { happened: Promise<void>; notify: () => void } | undefined;

	/**
	 * @param maxRequestsPerMinute the user's limit; requests are then sent at even intervals
	 * @param maxConcurrentRequests how many requests may be in flight; undefined to adapt to what the service copes with
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

	/** The milliseconds for which the service's rate limit still forbids requests. */
	get closedMs(): number {
		return Math.max(0, this.closedUntil - performance.now());
	}

	/**
	 * Waits until a request may be sent, and counts it as in flight.
	 *
	 * @param throwIfUnwanted throws when the request is no longer wanted; called repeatedly during a wait
	 * @returns the time at which the request is sent, for {@link onResponse}
	 * @throws ServiceError `RATE_LIMIT_EXCEEDED` if the wait would exceed the maximum; or the error of `throwIfUnwanted`
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
				// A timer that fires late must not slow the run down, and a stall must not cause a burst.
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

	/** Counts one more request within a turn that {@link acquire} gave. */
	addRequest(): void {
		this.nextSlot += this.intervalMs;
	}

	/** Ends the turn that {@link acquire} gave. */
	release(): void {
		this.inFlight--;
		this.notify();
	}

	/**
	 * Records that a request of a turn has ended, successfully or not.
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
			// An error 500 may be caused by the data of an item.
			if ((error?.httpStatus ?? 0) < 500) {
				this.inFlightLimit.onSuccess(sentAt, now, this.inFlight);
			}
		}
		if (isRefused) {
			// Refusals of requests that were in flight together count as one.
			const pause = sentAt < this.closedUntil ? 0 : MIN_PAUSE_MS * 2 ** this.refusals++;
			this.close(now + Math.max(jittered(Math.min(MAX_PAUSE_MS, pause)), (error.retryAfter ?? 0) * 1000));
		}
		if (stated !== undefined) {
			this.requestsPerMinute = stated.limit;
			this.takeOver(stated, sentAt, now, isRefused ? 0 : 1);
		}
	}

	/** Takes over the limit that a response states. @param accepted whether the service accepted the request */
	private takeOver({ remaining, endsIn }: RateLimit, sentAt: number, now: number, accepted: 0 | 1): void {
		const window = this.windowAt(now);
		const isOver = endsIn !== undefined && endsIn <= 0;
		if (isOver && window !== undefined) {
			return;
		}
		const endsAt = endsIn === undefined || isOver ? Number.POSITIVE_INFINITY : now + endsIn;
		this.lastWindow = {
			// The service may have counted this request before the one of the last response, so the lower number counts.
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

	/** Returns how many requests this run may still send in the window: in proportion to its share of past requests. */
	private leftForThis(now: number): number {
		const { left = Number.POSITIVE_INFINITY, leftAtFirst = left, own = 0 } = this.windowAt(now) ?? {};
		const used = leftAtFirst - left;
		return used > own ? (left * own) / used : left;
	}

	/** Counts a wait for the rate limit that ends now. */
	private countLimited(since: number): void {
		const now = performance.now();
		this.limitedMs += Math.max(0, now - Math.max(since, this.limitedUntil));
		this.limitedUntil = now;
	}

	/**
	 * Waits until the time is over or the state changes. The first wait that ends wakes all the others, so that requests
	 * continue in the order in which they called {@link acquire}, however long each of them has to wait.
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

/** Whether an error shows that the service is overloaded: a refusal for its rate limit, an outage, or no response. */
function isOverload(error: ServiceError): boolean {
	const { httpStatus } = error;
	return httpStatus === undefined || httpStatus === 429 || isOutage(error);
}

function median(values: readonly number[]): number {
	return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)];
}

/** Returns a random duration between half of `ms` and `ms`, so that waiting clients do not all retry together. */
export function jittered(ms: number): number {
	return ms * (0.5 + Math.random() / 2);
}

/** Creates the error for a wait that would exceed the maximum. @param seconds how long the wait would be */
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
