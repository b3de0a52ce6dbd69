import { sleep } from 'n8n-workflow';

import { ServiceError } from '../../shared/errors/serviceError';
import type { RateLimit } from '../../shared/service/rateLimit';

/** How many requests may be under way before the first answer has told what the service allows. */
const UNKNOWN_SERVICE = 5;

/** How soon a wait notices that the run was cancelled or stopped. */
const LONGEST_SLEEP_MS = 200;

/** The ends of one window, told by several answers, lie closer together than this. */
const SAME_WINDOW_MS = 1500;

/** The shortest pauses after refusals, each longer than the one before: what the service tells may be wrong. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

const MINUTE_MS = 60_000;

/** A window of the service's limit, as far as it is known. */
interface Window {
	remaining: number;
	/** Milliseconds since 1970; absent: the service does not tell, and one request at a time finds out. */
	endsAt: number | undefined;
}

/**
 * The pace of all requests of one run of the node. It sends as fast as the service lets it: it counts down what the
 * service says is left in the window, waits for the next window, and lets one request go first there. A window that
 * the service does not tell is found by the refusals.
 */
export class Pace {
	/** How many requests were sent. */
	requests = 0;

	/** How many requests had to wait for their turn, for a fifth of a second at least. */
	waits = 0;

	private readonly interval: number;

	private readonly maxWaitMs: number;

	private nextSlot = 0;

	private underWay = 0;

	private window: Window | undefined;

	/** Nothing is sent before this moment. */
	private closedUntil = 0;

	/** Nothing is known about what the service allows. */
	private unknown = true;

	/** After a wait one request goes first: if it is too early, it is the only one. */
	private oneFirst = false;

	/** Refusals one after the other. */
	private refusals = 0;

	private news: { told: Promise<void>; tell: () => void } | undefined;

	/**
	 * @param maxRequestsPerMinute the user's own ceiling; requests then go out at even distances
	 * @param maxWaitSeconds the longest wait for the service
	 */
	constructor({ maxRequestsPerMinute, maxWaitSeconds }: { maxRequestsPerMinute?: number; maxWaitSeconds: number }) {
		this.interval = maxRequestsPerMinute === undefined ? 0 : MINUTE_MS / maxRequestsPerMinute;
		this.maxWaitMs = maxWaitSeconds * 1000;
	}

	/**
	 * Waits until a request may go out, and counts it as under way.
	 *
	 * @param assertWanted throws when the request is no longer wanted; asked again and again during a wait
	 * @returns the moment at which it goes out
	 * @throws ServiceError when the service would have to be waited for longer than the user allows
	 */
	async turn(assertWanted: () => void): Promise<number> {
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
				this.underWay++;
				this.requests++;
				return now;
			}
			await this.rest(wait);
		}
	}

	/** Waits some milliseconds. @param assertWanted as in {@link turn} */
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
	 * @param limit what the answer tells about the service's limit
	 * @param sentAt what {@link turn} gave
	 */
	heard(limit: RateLimit | undefined, sentAt: number, error: ServiceError | undefined): void {
		const now = Date.now();
		this.underWay--;
		if (limit !== undefined) {
			this.learn(limit, sentAt, now);
		}
		if (error === undefined || (error.httpStatus !== undefined && error.httpStatus !== 429)) {
			this.unknown = false;
			this.oneFirst = false;
			this.refusals = 0;
		}
		this.tell();
	}

	/**
	 * To be called when the service gets too many requests.
	 *
	 * @param askedSeconds how long it asks to wait, if it does
	 * @returns the milliseconds until the next request
	 */
	tooMany(askedSeconds: number | undefined, sentAt: number): number {
		const now = Date.now();
		this.unknown = false;
		this.oneFirst = true;
		// Those that were under way together are refused together: that is one refusal.
		if (sentAt >= this.closedUntil) {
			const isTold = askedSeconds !== undefined || this.window?.remaining === 0;
			const pause = FIRST_PAUSE_MS * 2 ** (this.refusals++ - (isTold ? 1 : 0));
			this.closedUntil = now + jittered(Math.min(LONGEST_PAUSE_MS, pause));
		}
		this.closedUntil = Math.max(this.closedUntil, now + (askedSeconds ?? 0) * 1000);
		this.tell();
		return this.serviceWait(now);
	}

	/** How long the service has to be waited for, in milliseconds. */
	private serviceWait(now: number): number {
		if (now < this.closedUntil) {
			return this.closedUntil - now;
		}
		const { endsAt } = this.window ?? {};
		if (this.window !== undefined && endsAt !== undefined && now >= endsAt) {
			this.oneFirst ||= this.window.remaining <= this.underWay;
			this.window = undefined;
		}
		if (this.underWay > 0 && this.oneFirst) {
			return LONGEST_SLEEP_MS;
		}
		if (this.underWay >= UNKNOWN_SERVICE && this.unknown) {
			return LONGEST_SLEEP_MS;
		}
		if (this.window === undefined || this.window.remaining > this.underWay) {
			return 0;
		}
		if (endsAt !== undefined) {
			return endsAt - now;
		}
		return this.underWay > 0 ? LONGEST_SLEEP_MS : 0;
	}

	private learn({ remaining, first, endsAt, rounded }: RateLimit, sentAt: number, now: number): void {
		if (endsAt !== undefined && endsAt <= now) {
			return;
		}
		// A window that began with this request lasts whole seconds, so that its end can be told more exactly.
		const begunNow = now + Math.floor(((endsAt ?? now) - sentAt) / 1000) * 1000;
		const end = endsAt !== undefined && first && rounded ? Math.min(endsAt, begunNow) : endsAt;
		const { window } = this;
		const between = end === undefined || window?.endsAt === undefined ? undefined : end - window.endsAt;
		const isNew = between === undefined ? this.underWay === 0 : between > SAME_WINDOW_MS;
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

	/** Waits, but no longer than until something changes. */
	private async rest(ms: number): Promise<void> {
		if (this.news === undefined) {
			let tell = () => {};
			const told = new Promise<void>((resolve) => (tell = resolve));
			this.news = { told, tell };
		}
		await Promise.race([sleep(Math.min(ms, LONGEST_SLEEP_MS)), this.news.told]);
	}

	private tell(): void {
		this.news?.tell();
		this.news = undefined;
	}
}

/** Between half of a pause and all of it, so that those who wait do not come back together. */
export function jittered(ms: number): number {
	return ms * (0.5 + Math.random() / 2);
}

/** The error for a wait that the user does not allow. */
export function tooLong(seconds: number, cause?: ServiceError): ServiceError {
	const wait = Math.ceil(seconds);
	return new ServiceError(cause?.message ?? 'The service takes no more requests for now', {
		code: cause?.code ?? 'RATE_LIMIT_EXCEEDED',
		advice: `Run this again in ${wait} ${wait === 1 ? 'second' : 'seconds'}, or raise 'Max Wait' so that the node waits by itself.`,
		httpStatus: cause?.httpStatus,
		taken: 'no',
		body: cause?.body,
	});
}
