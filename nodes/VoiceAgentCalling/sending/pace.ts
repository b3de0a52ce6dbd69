import { sleep } from 'n8n-workflow';

import { ServiceError } from '../../shared/errors/serviceError';
import type { RateLimit } from '../../shared/service/rateLimit';

/** The most requests in flight before the first answer shows what the service allows. */
const UNKNOWN_SERVICE = 5;

/** A wait checks this often whether the run was canceled or stopped. */
const LONGEST_SLEEP_MS = 200;

/** Answers of one window give its end within this range. */
const SAME_WINDOW_MS = 1500;

/** The pauses after refusals grow from the first to the second: the service's own numbers may be wrong. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

const MINUTE_MS = 60_000;

/** A window of the service's rate limit, as far as it is known. */
interface Window {
	remaining: number;
	/** Milliseconds since 1970; undefined: the service does not say, and one request at a time finds out. */
	endsAt: number | undefined;
}

/**
 * The pace of all requests of one run of the node. It sends as fast as the service allows: it counts down what the
 * service says is left in the window, waits for the next window, and sends one request first there. Where the service
 * does not say, the refusals show the window.
 */
export class Pace {
	/** How many requests were sent. */
	requests = 0;

	/** How many requests waited at least 200 ms. */
	waits = 0;

	private readonly interval: number;

	private readonly maxWaitMs: number;

	private nextSlot = 0;

	private inFlight = 0;

	private window: Window | undefined;

	/** Nothing is sent before this moment. */
	private closedUntil = 0;

	/** Nothing is known yet about what the service allows. */
	private unknown = true;

	/** After a wait one request goes first: if that was too early, only one is refused. */
	private probing = false;

	/** Consecutive refusals. */
	private refusals = 0;

	private change: { happened: Promise<void>; notify: () => void } | undefined;

	/**
	 * @param maxRequestsPerMinute the user's own limit; requests are then sent at even intervals
	 * @param maxWaitSeconds the longest wait for the service
	 */
	constructor({ maxRequestsPerMinute, maxWaitSeconds }: { maxRequestsPerMinute?: number; maxWaitSeconds: number }) {
		this.interval = maxRequestsPerMinute === undefined ? 0 : MINUTE_MS / maxRequestsPerMinute;
		this.maxWaitMs = maxWaitSeconds * 1000;
	}

	/**
	 * Waits until a request may be sent, and counts it as in flight.
	 *
	 * @param assertWanted throws when the request is no longer wanted; called repeatedly during a wait
	 * @returns when it is sent, in milliseconds since 1970
	 * @throws ServiceError when the wait for the service would be longer than the user allows
	 */
	async acquire(assertWanted: () => void): Promise<number> {
		let slot: number | undefined;
		const asked = Date.now();
		for (;;) {
			assertWanted();
			const now = Date.now();
			let wait = this.serviceWait(now);
			if (wait > this.maxWaitMs) {
				throw tooLong(wait / 1000);
			}
			if (wait === 0) {
				slot ??= this.takeSlot(now);
				wait = Math.max(0, slot - now);
			}
			if (wait === 0) {
				if (now - asked >= LONGEST_SLEEP_MS) {
					this.waits++;
				}
				this.inFlight++;
				this.requests++;
				return now;
			}
			await this.rest(wait);
		}
	}

	/** Waits. @param assertWanted as in {@link acquire} */
	async sleep(ms: number, assertWanted: () => void): Promise<void> {
		const end = Date.now() + ms;
		for (let now = Date.now(); now < end; now = Date.now()) {
			assertWanted();
			await sleep(Math.min(end - now, LONGEST_SLEEP_MS));
		}
	}

	/**
	 * To be called when a request has ended.
	 *
	 * @param limit what the answer says about the service's limit
	 * @param sentAt what {@link acquire} returned
	 */
	onResponse(limit: RateLimit | undefined, sentAt: number, error: ServiceError | undefined): void {
		const now = Date.now();
		this.inFlight--;
		if (limit !== undefined) {
			this.learn(limit, sentAt, now);
		}
		if (error === undefined || (error.httpStatus !== undefined && error.httpStatus !== 429)) {
			this.unknown = false;
			this.probing = false;
			this.refusals = 0;
		}
		this.notify();
	}

	/**
	 * To be called after a 429.
	 *
	 * @param askedSeconds how long it asks to wait, if it does
	 * @returns the milliseconds until the next request
	 */
	tooMany(askedSeconds: number | undefined, sentAt: number): number {
		const now = Date.now();
		this.unknown = false;
		this.probing = true;
		// Requests in flight at the same time are refused together: that is one refusal.
		if (sentAt >= this.closedUntil) {
			const isTold = askedSeconds !== undefined || this.window?.remaining === 0;
			const pause = FIRST_PAUSE_MS * 2 ** (this.refusals++ - (isTold ? 1 : 0));
			this.closedUntil = now + jittered(Math.min(LONGEST_PAUSE_MS, pause));
		}
		this.closedUntil = Math.max(this.closedUntil, now + (askedSeconds ?? 0) * 1000);
		this.notify();
		return this.serviceWait(now);
	}

	/** How long to wait for the service, in milliseconds. */
	private serviceWait(now: number): number {
		if (now < this.closedUntil) {
			return this.closedUntil - now;
		}
		const { endsAt } = this.window ?? {};
		if (this.window !== undefined && endsAt !== undefined && now >= endsAt) {
			this.probing ||= this.window.remaining <= this.inFlight;
			this.window = undefined;
		}
		if (this.inFlight > 0 && this.probing) {
			return LONGEST_SLEEP_MS;
		}
		if (this.inFlight >= UNKNOWN_SERVICE && this.unknown) {
			return LONGEST_SLEEP_MS;
		}
		if (this.window === undefined || this.window.remaining > this.inFlight) {
			return 0;
		}
		if (endsAt !== undefined) {
			return endsAt - now;
		}
		return this.inFlight > 0 ? LONGEST_SLEEP_MS : 0;
	}

	private learn({ remaining, first, endsAt, rounded }: RateLimit, sentAt: number, now: number): void {
		if (endsAt !== undefined && endsAt <= now) {
			return;
		}
		// A window that began with this request lasts whole seconds, which gives its end more exactly.
		const begunNow = now + Math.floor(((endsAt ?? now) - sentAt) / 1000) * 1000;
		const end = endsAt !== undefined && first && rounded ? Math.min(endsAt, begunNow) : endsAt;
		const { window } = this;
		const between = end === undefined || window?.endsAt === undefined ? undefined : end - window.endsAt;
		const isNew = between === undefined ? this.inFlight === 0 : between > SAME_WINDOW_MS;
		if (window === undefined || isNew) {
			this.window = { remaining, endsAt: end };
		} else if (between === undefined || between >= -SAME_WINDOW_MS) {
			// Otherwise it is a late answer from the window before.
			window.remaining = Math.min(window.remaining, remaining);
			if (end !== undefined) {
				window.endsAt = Math.min(window.endsAt ?? end, end);
			}
		}
	}

	private takeSlot(now: number): number {
		const slot = Math.max(now, this.nextSlot);
		this.nextSlot = slot + this.interval;
		return slot;
	}

	/** Waits, at most until something changes. */
	private async rest(ms: number): Promise<void> {
		if (this.change === undefined) {
			let notify = () => {};
			const happened = new Promise<void>((resolve) => (notify = resolve));
			this.change = { happened, notify };
		}
		await Promise.race([sleep(Math.min(ms, LONGEST_SLEEP_MS)), this.change.happened]);
	}

	private notify(): void {
		this.change?.notify();
		this.change = undefined;
	}
}

/** Between half of a pause and all of it, so that waiting clients do not return at the same moment. */
export function jittered(ms: number): number {
	return ms * (0.5 + Math.random() / 2);
}

/** The error for a wait that is longer than the user allows. @param seconds how long the wait would be */
export function tooLong(seconds: number, cause?: ServiceError): ServiceError {
	const wait = Math.ceil(seconds);
	return new ServiceError(cause?.message ?? 'The service takes no more requests for now', {
		code: cause?.code ?? 'RATE_LIMIT_EXCEEDED',
		advice: `Run this again in ${wait} ${wait === 1 ? 'second' : 'seconds'}, or raise 'Max Wait' so that the node waits by itself.`,
		httpStatus: cause?.httpStatus,
		accepted: 'no',
		body: cause?.body,
	});
}
