import { timeIn } from '../lib/time';

/** The rate limit that a response states. */
export interface RateLimit {
	/** How many more requests the service accepts in this window. */
	remaining: number;
	/** The milliseconds until the window ends, if stated; negative after its end. Up to a second too large. */
	endsIn: number | undefined;
	/** How many requests the service accepts in a window, if stated. */
	limit: number | undefined;
}

/** The headers of a response, by their names in lower case. */
export type ResponseHeaders = Readonly<Record<string, unknown>>;

/** A smaller number counts the seconds that are left; a larger one is a point in time. */
const A_YEAR_SECONDS = 31_536_000;

/**
 * Parses `X-RateLimit-Limit`, `-Remaining` and `-Reset`.
 *
 * @param now by n8n's clock, in milliseconds since 1970
 * @param tookMs how long the request took, in milliseconds
 * @returns undefined without a valid `X-RateLimit-Remaining`
 */
export function rateLimitOf(headers: ResponseHeaders, now: number, tookMs: number): RateLimit | undefined {
	const remaining = countIn(headers['x-ratelimit-remaining']);
	const reset = headers['x-ratelimit-reset'];
	const endsAt = momentIn(reset, headers, now);
	if (remaining === undefined) {
		return undefined;
	}
	const endsIn = endsAt === undefined ? undefined : endsAt - now;
	// A window that began with this request lasts whole seconds, so its end is known more exactly than the stated second.
	const limit = countIn(headers['x-ratelimit-limit']);
	const isFirst = limit === remaining + 1;
	const isRefined = endsIn !== undefined && isFirst && isWhole(reset);
	return {
		remaining: Math.max(0, remaining),
		limit,
		endsIn: isRefined ? Math.min(endsIn, Math.floor((endsIn + tookMs) / 1000) * 1000) : endsIn,
	};
}

/**
 * Parses `Retry-After`, which is in seconds or a date.
 *
 * @param now in milliseconds since 1970
 * @returns seconds to wait
 */
export function retryAfterOf(headers: ResponseHeaders, now: number): number | undefined {
	const moment = momentIn(headers['retry-after'], headers, now);
	return moment === undefined ? undefined : Math.max(0, (moment - now) / 1000);
}

/** Parses a number of requests. A service that refills its limit bit by bit may state a fraction. */
function countIn(value: unknown): number | undefined {
	const number = numberIn(value);
	return number === undefined ? undefined : Math.floor(number);
}

function numberIn(value: unknown): number | undefined {
	if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) {
		return undefined;
	}
	const number = Number(value);
	return Number.isFinite(number) ? number : undefined;
}

/**
 * Parses the point in time that a header states: as seconds from now, seconds or milliseconds since 1970, or a date.
 * The unit of `X-RateLimit-Reset` is not published, but every value is unambiguous.
 *
 * @returns milliseconds since 1970 by n8n's clock
 */
function momentIn(value: unknown, headers: ResponseHeaders, now: number): number | undefined {
	const number = numberIn(value);
	if (number !== undefined && number < A_YEAR_SECONDS) {
		return number < 0 ? undefined : now + number * 1000;
	}
	const time = timeIn(value);
	return time === undefined ? undefined : time - ahead(headers, now);
}

/** Whether a header states a point in time in whole seconds. */
function isWhole(value: unknown): boolean {
	return Number.isInteger((timeIn(value) ?? 0) / 1000);
}

/**
 * Returns how far the service's clock is ahead of n8n's, in milliseconds. The header `Date` has whole seconds, so the
 * difference is known only to within one second; clocks that may be equal count as equal.
 */
function ahead(headers: ResponseHeaders, now: number): number {
	const theirs = timeIn(headers.date);
	if (theirs === undefined) {
		return 0;
	}
	return Math.max(0, theirs - now) + Math.min(0, theirs + 1000 - now);
}
