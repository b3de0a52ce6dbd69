import type { ServiceError } from '../../shared/errors/serviceError';
import { isVerdict } from './itemErrors';

/** How many requests are in flight at first, and at most, where the user sets no number. */
const FIRST_LIMIT = 5;
const MAX_LIMIT = 50;

/** The latency has risen where the median of a round is this many times the lowest one. */
const RISE_FACTOR = 2;

/** Below this many milliseconds, a change of the latency means nothing. */
const LOW_LATENCY_MS = 10;

/** A reduction for a risen latency is undone where it leaves less than this share of the throughput. */
const KEPT_THROUGHPUT = 0.8;

/** The service cannot cope either after so many errors 500 in a row, or in a round of which they are this share. */
const ERRORS_IN_A_ROW = 3;
const MIN_ERRORS = 4;
const ERROR_SHARE = 0.5;

/** The minimum number of responses in a round: while the limit doubles, and otherwise. */
const MIN_RESPONSES_DOUBLING = 3;
const MIN_RESPONSES = 8;

/** What tells how the service copes: a request that has ended, with or without a response. Times in milliseconds. */
export interface Ended {
	/** When the request was sent. */
	sentAt: number;
	now: number;
	/** How many requests were in flight, with this one. */
	inFlight: number;
	error: ServiceError | undefined;
}

/** The limit before it was reduced because the latency had risen. */
interface Reduced {
	limit: number;
	threshold: number;
	/** The median latency in milliseconds. */
	latency: number;
}

/**
 * How many requests may be in flight: a number that the user sets, or one that follows the service.
 *
 * The latter is the congestion control of TCP (RFC 5681; additive increase and multiplicative decrease after Chiu and
 * Jain, 1989), with rounds in place of round-trip times: in a round, about as many requests as the limit are sent and
 * answered. It starts with 5. While nothing speaks against it, each round doubles the limit (slow start) up to the
 * threshold, and then adds 1 (congestion avoidance), up to 50. A 429, a 502, 503 or 504, or no response halves it, once
 * for all requests that were in flight, and sets the threshold to the half. So do other server errors, but only several
 * of them: single ones may come from the data of an item. Where no request succeeds after that, the next
 * one reduces the limit to 1 and keeps the threshold, so that it recovers fast after an outage.
 *
 * The latency counts as in TCP Vegas, which compares it with the lowest one: where the median of a round is twice the
 * lowest median, requests wait in a queue, and the limit is halved. By Little's law that costs no throughput where the
 * service is the cause. Where it does, the latency has another cause, such as a busy n8n or a slower kind of request:
 * the reduction is undone, and the latency counts as the new lowest one.
 */
export class Concurrency {
	/** How many requests may be in flight now. */
	limit: number;

	private readonly isAutomatic: boolean;

	/** Up to here the limit doubles with each round. */
	private threshold = MAX_LIMIT;

	/** The lowest median latency of a round. */
	private lowest = Number.POSITIVE_INFINITY;

	/** The latencies of the requests that were sent in this round. */
	private latencies: number[] = [];

	private roundSince = 0;

	/** The maximum number of requests in flight in this round. */
	private mostInFlight = 0;

	/** Whether the latency had risen in the last round. */
	private isSlow = false;

	private reduced: Reduced | undefined;

	/** The number of other server errors than 502, 503 and 504: in this round, and since the last success. */
	private errors = 0;
	private errorsInARow = 0;

	/** When a failure reduced the limit. Requests that were sent before do not reduce it again. */
	private reducedAt = -1;

	/** Whether no request has succeeded since. */
	private isFailing = false;

	/** @param fixed the number that the user sets; undefined for one that follows the service */
	constructor(fixed: number | undefined) {
		this.isAutomatic = fixed === undefined;
		this.limit = fixed ?? FIRST_LIMIT;
	}

	/** To be called for each request that has ended. */
	onEnd({ sentAt, now, inFlight, error }: Ended): void {
		if (!this.isAutomatic) {
			return;
		}
		if (now < this.roundSince - 1) {
			// The clock was set back.
			this.startRound(now);
			this.reducedAt = -1;
		}
		this.mostInFlight = Math.max(this.mostInFlight, inFlight);
		const kind = error && failureOf(error);
		if (kind !== undefined) {
			if (sentAt >= this.reducedAt && (kind === 'overload' || this.areTooMany())) {
				this.onFailure(now);
			}
			return;
		}
		this.errorsInARow = 0;
		if (sentAt >= this.reducedAt) {
			this.isFailing = false;
		}
		if (sentAt < this.roundSince) {
			return;
		}
		this.latencies.push(now - sentAt);
		if (this.latencies.length >= this.responsesInRound) {
			this.onRound(median(this.latencies));
			this.startRound(now);
		}
	}

	/** Counts a server error that may come from the data of an item. @returns whether the service fails in general */
	private areTooMany(): boolean {
		this.errors++;
		this.errorsInARow++;
		const isShare = this.errors >= MIN_ERRORS && this.errors >= ERROR_SHARE * (this.errors + this.latencies.length);
		return isShare || this.errorsInARow >= ERRORS_IN_A_ROW;
	}

	private get responsesInRound(): number {
		const isDoubling = this.limit < this.threshold && !this.isSlow && this.reduced === undefined;
		return isDoubling ? Math.max(MIN_RESPONSES_DOUBLING, this.limit / 2) : Math.max(MIN_RESPONSES, this.limit);
	}

	private onFailure(now: number): void {
		const half = halfOf(this.limit);
		if (!this.isFailing) {
			this.threshold = Math.max(2, half);
		}
		this.limit = this.isFailing ? 1 : half;
		this.reducedAt = now;
		this.isFailing = true;
		this.isSlow = false;
		this.reduced = undefined;
		this.startRound(now);
	}

	/** @param latency the median of the round */
	private onRound(latency: number): void {
		const { reduced } = this;
		this.reduced = undefined;
		if (reduced !== undefined && this.limit / latency < (KEPT_THROUGHPUT * reduced.limit) / reduced.latency) {
			this.limit = reduced.limit;
			this.threshold = reduced.threshold;
			this.lowest = latency;
			return;
		}
		this.lowest = Math.min(this.lowest, latency);
		if (this.limit > 1 && latency > RISE_FACTOR * Math.max(this.lowest, LOW_LATENCY_MS)) {
			// The next round shows the latency with this limit alone: the last one also had fewer requests in flight.
			if (!this.isSlow) {
				this.isSlow = true;
				return;
			}
			this.isSlow = false;
			this.reduced = { limit: this.limit, threshold: this.threshold, latency };
			this.limit = halfOf(this.limit);
			this.threshold = this.limit;
			return;
		}
		this.isSlow = false;
		// Where fewer requests are sent than the limit allows, it is not known whether the service copes with more.
		if (2 * this.mostInFlight >= this.limit) {
			const next = this.limit < this.threshold ? Math.min(2 * this.limit, this.threshold) : this.limit + 1;
			this.limit = Math.min(next, MAX_LIMIT);
		}
	}

	private startRound(now: number): void {
		this.latencies = [];
		this.errors = 0;
		// Requests of the same millisecond may have been sent before the limit was reduced.
		this.roundSince = this.reduced === undefined ? now : now + 1;
		this.mostInFlight = 0;
	}
}

/** What an error says about the service; undefined if the service copes. */
function failureOf(error: ServiceError): 'overload' | 'error' | undefined {
	const { httpStatus } = error;
	if (httpStatus === undefined || httpStatus === 429) {
		return 'overload';
	}
	if (httpStatus < 500 || isVerdict(error)) {
		return undefined;
	}
	return [502, 503, 504].includes(httpStatus) ? 'overload' : 'error';
}

function halfOf(limit: number): number {
	return Math.max(1, Math.floor(limit / 2));
}

function median(values: readonly number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	return sorted[Math.floor(sorted.length / 2)];
}
