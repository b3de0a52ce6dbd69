import type { RateLimit } from '../../shared/service/rateLimit';

/** Two stated ends that differ by at most this much belong to the same window. */
const SAME_WINDOW_MS = 1500;

/** The weight of the share in the last window, in requests: if this run was alone in it, and if it was not. */
const UNKNOWN_WEIGHT = 2;
const EARLIER_WEIGHT = 30;

/** With a smaller share, others use the same limit. */
const ALONE = 0.9;

/** Where others use the same limit: how long to wait at most after a window begins, and before its last requests. */
const MAX_JITTER_MS = 200;
const MAX_LAST_JITTER_MS = 500;

/** Of a log that is this many times as long as what the service counts, only the newest entry is kept. */
const FORGOTTEN = 8;

/** How many entries of the log that are no longer used are kept, so that it is seldom copied. */
const LOG_SPACE = 1000;

/** A response that states the rate limit. Times in milliseconds. */
interface Stated {
	sentAt: number;
	now: number;
	/** How many more requests are in flight. */
	inFlight: number;
	/** Whether the service accepted the request, so that it counted it. */
	isAccepted: boolean;
}

/**
 * The window of the service's rate limit, as the responses state it.
 *
 * Other runs may use the same limit at the same time, and a response is the only thing that tells of them. So it
 * compares how fast the window empties with how many requests of its own were counted: that is its share. What others
 * may have sent since the last response is in proportion to what this run had in flight. When no more requests than
 * those are left, it waits for a random time and sends one.
 *
 * A window may slide: each request counts for some time. Then the service accepts the next one when the oldest one
 * leaves the window, whatever end it states. So the window keeps a log of its own requests, and sends another one for
 * each that has left. Runs that share a sliding window thus keep out of each other's way.
 */
export class RateWindow {
	/** Undefined while nothing is known. */
	private remaining: number | undefined;

	/** Milliseconds since 1970; undefined if the service does not state it: then one request at a time is sent. */
	private endsAt: number | undefined;

	/** When the last statement about this window came. */
	private statedAt = 0;

	/** How many requests were left when the first response of this window came. */
	private firstRemaining = 0;

	/** How many requests of this run the service has counted since. */
	private own = 0;

	/** The share of this run in all requests, and that in the last window. */
	private share = 1;
	private earlierShare = 1;
	private earlierWeight = UNKNOWN_WEIGHT;

	/** The maximum number of requests in flight in this round trip and the last one. */
	private peak = 0;
	private earlierPeak = 0;

	private roundSince = -1;

	/** Whether a single request was sent to find out how many are left. */
	private isTrying = false;

	/** Whether nothing shows that others use the same limit. */
	private isAlone = true;

	/** How long to wait after the end, or before the last requests, in milliseconds. */
	private jitter = 0;
	private lastJitter = 0;

	/** When the requests were answered that the service may still count, oldest first, from `oldest` on. */
	private log: number[] = [];
	private oldest = 0;

	/** Whether the statements are those of a sliding window. */
	private slides = false;

	/** How many requests of this run have left a sliding window since the last statement. */
	private freed = 0;

	/** The length of a window, as far as it is known; 0 if it is not. */
	private length = 0;

	get isKnown(): boolean {
		return this.remaining !== undefined;
	}

	/** Whether the window has ended. */
	isOver(now: number): boolean {
		return this.isKnown && this.endsAt !== undefined && now >= this.endsAt + this.jitter;
	}

	/** To be called when the window has ended. In a sliding window only some requests have left it then. */
	close(): void {
		if (this.slides) {
			this.endsAt = undefined;
		} else {
			this.remaining = undefined;
		}
	}

	/** Whether what is in flight may use all that is left. */
	isUsedUp(inFlight: number): boolean {
		return this.remaining !== undefined && this.remaining <= inFlight;
	}

	/** Whether the service accepts no request before the window ends. */
	isClosed(now: number): boolean {
		return this.remaining === 0 && this.freed === 0 && (this.endsAt === undefined || now < this.endsAt);
	}

	/**
	 * How long to wait before another request is sent, in milliseconds.
	 *
	 * @param forResponse what to return where only the responses to the requests in flight can tell
	 */
	wait(inFlight: number, now: number, forResponse: number): number {
		const { remaining, endsAt } = this;
		if (remaining === undefined) {
			return 0;
		}
		this.countLeft(now);
		if (remaining + this.freed - this.usedByOthers > inFlight) {
			return 0;
		}
		// The service may have counted what is in flight already: only the last response says what is left.
		if (inFlight > 0 && (endsAt === undefined || remaining > 0)) {
			return forResponse;
		}
		if (endsAt === undefined) {
			return 0;
		}
		const end = endsAt + this.jitter;
		const next = Math.min(this.nextLeaves() ?? end, end);
		const last = remaining > 0 ? this.statedAt + this.lastJitter : next;
		this.isTrying ||= last <= now;
		return Math.max(0, Math.min(next, last) - now);
	}

	/** How many requests others may have sent since the last statement: in proportion to those of this run. */
	private get usedByOthers(): number {
		return Math.max(this.peak, this.earlierPeak) * (1 / this.share - 1);
	}

	/** To be called with what a response states. */
	update({ limit, remaining, first, endsAt: statedEnd, rounded }: RateLimit, stated: Stated): void {
		const { sentAt, now, inFlight, isAccepted } = stated;
		if (isAccepted) {
			this.own++;
			this.log.push(now);
		}
		const isPast = statedEnd !== undefined && statedEnd <= now;
		if (isPast && !this.slides) {
			this.dropOld(now);
			return;
		}
		const endsAt = isPast ? undefined : statedEnd;
		this.measure(endsAt, rounded, now);
		// A window that began with this request lasts whole seconds, which makes its end more precise.
		const endByDuration = now + Math.floor(((endsAt ?? now) - sentAt) / 1000) * 1000;
		const end = endsAt !== undefined && first && rounded ? Math.min(endsAt, endByDuration) : endsAt;
		const difference = end === undefined || this.endsAt === undefined ? undefined : end - this.endsAt;
		const isNew = difference === undefined ? inFlight === 0 : difference > SAME_WINDOW_MS;
		if (this.remaining === undefined || isNew) {
			// The end of a sliding window moves on bit by bit.
			this.slides ||= difference !== undefined && difference < this.length / 2;
			this.forget(limit === undefined ? undefined : limit - remaining);
			this.begin(remaining, end);
		} else if (difference !== undefined && difference < -SAME_WINDOW_MS && sentAt <= this.statedAt) {
			// A late response from the previous window.
			return;
		} else {
			// In a sliding window more may be left than before, but only a request that was sent since can tell.
			this.slides ||= sentAt > this.statedAt && remaining > this.remaining;
			this.remaining = sentAt > this.statedAt ? remaining : Math.min(this.remaining, remaining);
			if (end !== undefined) {
				this.endsAt = Math.min(this.endsAt ?? end, end);
			}
		}
		this.slides &&= isAccepted;
		this.dropOld(now);
		this.freed = 0;
		this.statedAt = now;
		if (this.isTrying || sentAt > this.roundSince) {
			this.roundSince = now;
			this.earlierPeak = this.isTrying ? 0 : this.peak;
			this.peak = 0;
			this.isTrying = false;
			this.estimateShare(inFlight);
		}
		this.peak = Math.max(this.peak, inFlight + 1);
		this.lastJitter = this.isAlone ? 0 : Math.random() * MAX_LAST_JITTER_MS;
	}

	private begin(remaining: number, endsAt: number | undefined): void {
		this.remaining = remaining;
		this.endsAt = endsAt;
		this.firstRemaining = remaining;
		this.own = 0;
		this.earlierWeight = this.isAlone ? UNKNOWN_WEIGHT : EARLIER_WEIGHT;
		this.earlierShare = this.share;
		this.jitter = this.isAlone ? 0 : Math.random() * MAX_JITTER_MS;
	}

	/** @param inFlight how many more requests the service may have counted */
	private estimateShare(inFlight: number): void {
		const all = this.earlierWeight + Math.max(0, this.firstRemaining - (this.remaining ?? 0));
		const own = this.earlierWeight * this.earlierShare + this.own;
		this.share = Math.min(1, own / all);
		this.isAlone = own + inFlight >= ALONE * all;
	}

	private measure(endsAt: number | undefined, rounded: boolean, now: number): void {
		const length = (endsAt ?? now) - now;
		this.length = Math.max(this.length, rounded ? Math.floor(length / 1000) * 1000 : length);
	}

	/** Removes from the log what the service no longer counts. @param counted the number of requests that it counts */
	private forget(counted: number | undefined): void {
		const logged = this.log.length - this.oldest;
		if (counted === undefined || logged <= counted) {
			return;
		}
		this.oldest = this.log.length - (logged > FORGOTTEN * counted ? 1 : counted);
	}

	/** Counts the requests that have left a sliding window since the last statement. */
	private countLeft(now: number): void {
		for (let at = this.nextLeaves(); at !== undefined && at <= now; at = this.nextLeaves()) {
			this.oldest++;
			this.freed++;
		}
	}

	/** Removes from the log what has left the window, as the last statement takes into account. */
	private dropOld(now: number): void {
		while (this.oldest < this.log.length && this.log[this.oldest] + this.length <= now) {
			this.oldest++;
		}
		if (this.oldest >= LOG_SPACE) {
			this.log = this.log.slice(this.oldest);
			this.oldest = 0;
		}
	}

	/** When the oldest request of the log leaves a sliding window; undefined in another one. */
	private nextLeaves(): number | undefined {
		return this.slides && this.oldest < this.log.length ? this.log[this.oldest] + this.length : undefined;
	}
}
