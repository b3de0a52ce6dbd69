import { sleep } from 'n8n-workflow';

import { ServiceError } from '../../shared/errors/serviceError';
import type { RateLimit } from '../../shared/service/rateLimit';
import { Concurrency } from './concurrency';
import { RateWindow } from './rateWindow';

/** The maximum number of requests in flight while nothing is known about the service's rate limit. */
const MAX_FIRST_REQUESTS = 5;

/** How often a wait checks whether the run was canceled or stopped. */
const CHECK_INTERVAL_MS = 200;

/** The backoff after consecutive 429s: the times that the service states may be wrong. */
const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

const MINUTE_MS = 60_000;

/** What the user sets. */
interface PaceSettings {
	maxRequestsPerMinute?: number;
	maxConcurrentRequests?: number;
	maxWaitSeconds: number;
}

/**
 * The rate limiter for all requests of one run of the node. It allows as many requests as the service says are left in
 * the current window, then waits for the next window and sends a single request first. Where the service does not state
 * its limit, 429s start a backoff.
 */
export class Pace {
	/** How many requests were sent again after an error other than a 429. */
	repeats = 0;

	/** How long requests waited for the service's rate limit, in milliseconds. Waits at the same time count once. */
	limitedMs = 0;

	/** The limit that the user sets. */
	readonly maxRequestsPerMinute: number | undefined;

	/** How many requests may be in flight. */
	readonly concurrency: Concurrency;

	private readonly interval: number;

	private readonly maxWaitMs: number;

	/** When the limit that the user sets allows the next request. */
	private nextSlot = 0;

	/** The end of what {@link limitedMs} counts. */
	private limitedUntil = 0;

	private inFlight = 0;

	private readonly window = new RateWindow();

	/** Nothing is sent before this moment. */
	private closedUntil = 0;

	/**
	 * How many requests may be in flight while the window is unknown. It grows with each success: until the first 429 it
	 * doubles, then it grows by one in each round of requests. A 429 halves it.
	 */
	private allowance = MAX_FIRST_REQUESTS;

	/** Whether there was a 429. */
	private wasRefused = false;

	/** After a wait a single request is sent first, so that at most one is refused if that was too early. */
	private probing = false;

	/** The number of consecutive 429s. */
	private refusals = 0;

	private nextChange: { happened: Promise<void>; notify: () => void } | undefined;

	/**
	 * @param maxRequestsPerMinute the limit that the user sets; requests are then sent at even intervals
	 * @param maxConcurrentRequests how many requests may be in flight; undefined for as many as the service copes with
	 * @param maxWaitSeconds the maximum wait for the service
	 */
	constructor({ maxRequestsPerMinute, maxConcurrentRequests, maxWaitSeconds }: PaceSettings) {
		this.concurrency = new Concurrency(maxConcurrentRequests);
		this.maxRequestsPerMinute = maxRequestsPerMinute;
		this.interval = maxRequestsPerMinute === undefined ? 0 : MINUTE_MS / maxRequestsPerMinute;
		this.maxWaitMs = maxWaitSeconds * 1000;
	}

	/**
	 * Waits until a request may be sent, and counts it as in flight.
	 *
	 * @param assertWanted throws when the request is no longer wanted; called repeatedly during a wait
	 * @returns the time at which it is sent, in milliseconds since 1970
	 * @throws ServiceError `RATE_LIMIT_EXCEEDED` where the wait would exceed the maximum; what `assertWanted` throws
	 */
	async acquire(assertWanted: () => void): Promise<number> {
		for (;;) {
			assertWanted();
			const now = Date.now();
			let wait = this.serviceWait(now);
			const isLimited = this.isLimited(now);
			if (wait > this.maxWaitMs) {
				throw tooLong(wait / 1000);
			}
			if (wait === 0) {
				wait = Math.max(0, this.nextSlot - now);
			}
			if (wait === 0) {
				// A timer that fires late does not slow the run down, and a stall leads to no burst.
				this.nextSlot = (now - this.nextSlot < this.interval ? this.nextSlot : now) + this.interval;
				this.inFlight++;
				return now;
			}
			await this.waitForChange(wait);
			if (isLimited) {
				this.countLimited(now);
			}
		}
	}

	/** Waits some milliseconds. @param assertWanted as in {@link acquire} */
	async sleep(ms: number, assertWanted: () => void): Promise<void> {
		const end = Date.now() + ms;
		for (let now = Date.now(); now < end; now = Date.now()) {
			assertWanted();
			await sleep(Math.min(end - now, CHECK_INTERVAL_MS));
		}
	}

	/**
	 * To be called when a request has ended, successful or not.
	 *
	 * @param limit the rate limit that the response states
	 * @param sentAt the return value of {@link acquire}
	 */
	onResponse(limit: RateLimit | undefined, sentAt: number, error: ServiceError | undefined): void {
		const now = Date.now();
		this.concurrency.onEnd({ sentAt, now, inFlight: this.inFlight, error });
		this.inFlight--;
		if (limit !== undefined) {
			this.window.update(limit, { sentAt, now, inFlight: this.inFlight, isAccepted: error?.httpStatus !== 429 });
		}
		if (error === undefined || (error.httpStatus !== undefined && error.httpStatus !== 429)) {
			this.allowance += this.wasRefused ? 1 / this.allowance : this.allowance;
			this.probing = false;
			this.refusals = 0;
		}
		this.notify();
	}

	/**
	 * To be called after a 429.
	 *
	 * @param retryAfterSeconds how long the response asks to wait, if it does
	 * @param sentAt the return value of {@link acquire}
	 * @returns the milliseconds until the next request
	 */
	tooMany(retryAfterSeconds: number | undefined, sentAt: number): number {
		const now = Date.now();
		this.wasRefused = true;
		this.probing = true;
		// Refusals of requests that were in flight at the same time count as one.
		if (sentAt >= this.closedUntil) {
			this.allowance = Math.max(1, Math.floor(Math.min(this.allowance, this.inFlight) / 2));
			const endIsKnown = retryAfterSeconds !== undefined || this.window.isClosed(now);
			const pause = MIN_BACKOFF_MS * 2 ** (this.refusals++ - (endIsKnown ? 1 : 0));
			this.closedUntil = now + jittered(Math.min(MAX_BACKOFF_MS, pause));
		}
		this.closedUntil = Math.max(this.closedUntil, now + (retryAfterSeconds ?? 0) * 1000);
		this.notify();
		return this.serviceWait(now);
	}

	/** How long to wait before the next request, in milliseconds. */
	private serviceWait(now: number): number {
		if (now < this.closedUntil) {
			return this.closedUntil - now;
		}
		if (this.window.isOver(now)) {
			this.probing ||= this.window.isUsedUp(this.inFlight);
			this.window.close();
		}
		if (this.inFlight >= this.concurrency.limit || (this.inFlight > 0 && this.probing)) {
			return CHECK_INTERVAL_MS;
		}
		if (this.inFlight >= Math.floor(this.allowance) && !this.window.isKnown) {
			return CHECK_INTERVAL_MS;
		}
		return this.window.wait(this.inFlight, now, CHECK_INTERVAL_MS);
	}

	/** Whether the rate limit allows no request now, and not only none at the same time as others. */
	private isLimited(now: number): boolean {
		return now < this.closedUntil || this.window.isClosed(now);
	}

	/** Counts a wait for the rate limit that has ended just now. */
	private countLimited(since: number): void {
		const now = Date.now();
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
