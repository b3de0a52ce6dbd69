/** The rate limit that a response states. Times are milliseconds since 1970, by n8n's clock. */
export interface RateLimit {
	/** How many requests the service accepts in a window, if stated. */
	limit?: number;
	/** How many more requests the service accepts before `endsAt`. */
	remaining: number;
	/** Whether the request was the first in its window, so that the window began with it. */
	first: boolean;
	/** When the window ends, if stated; up to one second too late where `rounded`. */
	endsAt: number | undefined;
	/** Whether `endsAt` was stated in whole seconds. */
	rounded: boolean;
}

/** The headers of a response, by their names in lower case. */
export type ResponseHeaders = Readonly<Record<string, unknown>>;

/** A smaller number is the seconds that are left; a larger one, a point in time. */
const A_YEAR_SECONDS = 31_536_000;

/** A smaller number is in seconds since 1970 (until the year 5138); a larger one, in milliseconds. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** A date and time without an offset. */
const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/**
 * Parses `X-RateLimit-Limit`, `-Remaining` and `-Reset`.
 *
 * @param now by n8n's clock, in milliseconds since 1970
 * @returns undefined without a valid `X-RateLimit-Remaining`
 */
export function rateLimitOf(headers: ResponseHeaders, now: number): RateLimit | undefined {
	const remaining = countIn(headers['x-ratelimit-remaining']);
	const limit = countIn(headers['x-ratelimit-limit']);
	const endsAt = momentIn(headers['x-ratelimit-reset'], headers, now);
	if (remaining === undefined) {
		return undefined;
	}
	const first = limit !== undefined && remaining === limit - 1;
	return { limit, remaining: Math.max(0, remaining), first, endsAt, rounded: isWhole(headers['x-ratelimit-reset']) };
}

/** How many seconds `Retry-After` asks to wait; it holds seconds or a date. @param now in milliseconds since 1970 */
export function retryAfterOf(headers: ResponseHeaders, now: number): number | undefined {
	const moment = momentIn(headers['retry-after'], headers, now);
	return moment === undefined ? undefined : Math.max(0, (moment - now) / 1000);
}

/** A number of requests. A service that refills its limit bit by bit may state a fraction. */
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
 * The point in time that a header states: as seconds from now, seconds or milliseconds since 1970, or a date. The unit
 * of `X-RateLimit-Reset` is not published, but no value is ambiguous.
 *
 * @returns milliseconds since 1970 by n8n's clock
 */
function momentIn(value: unknown, headers: ResponseHeaders, now: number): number | undefined {
	const number = numberIn(value);
	if (number !== undefined && number < 0) {
		return undefined;
	}
	if (number !== undefined && number < A_YEAR_SECONDS) {
		return now + number * 1000;
	}
	if (number !== undefined) {
		return (number < FIRST_MILLISECONDS ? number * 1000 : number) - ahead(headers, now);
	}
	const moment = dateIn(value);
	return moment === undefined ? undefined : moment - ahead(headers, now);
}

/** Whether a header states a point in time in whole seconds. */
function isWhole(value: unknown): boolean {
	const number = numberIn(value) ?? dateIn(value) ?? 0;
	return Number.isInteger(number < FIRST_MILLISECONDS ? number : number / 1000);
}

function dateIn(value: unknown): number | undefined {
	if (typeof value !== 'string') {
		return undefined;
	}
	const text = value.trim();
	const moment = Date.parse(WITHOUT_OFFSET.test(text) ? `${text.replace(' ', 'T')}Z` : text);
	return Number.isNaN(moment) ? undefined : moment;
}

/**
 * How far the service's clock is ahead of n8n's, in milliseconds. The header `Date` has whole seconds, so the
 * difference is only known within one second; clocks that may be equal count as equal.
 */
function ahead(headers: ResponseHeaders, now: number): number {
	const theirs = dateIn(headers.date);
	if (theirs === undefined) {
		return 0;
	}
	return Math.max(0, theirs - now) + Math.min(0, theirs + 1000 - now);
}
