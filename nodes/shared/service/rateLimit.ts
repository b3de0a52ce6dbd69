/** What an answer of the service says about its limit ("Limits"). Times in milliseconds since 1970, by n8n's clock. */
export interface RateLimit {
	/** How many more requests the service takes before `endsAt`. */
	remaining: number;
	/** Whether the request was the first in its window, so that the window began with it. */
	first: boolean;
	/** When the window ends, where that is told. Told in whole seconds, it may be up to one too late. */
	endsAt: number | undefined;
	/** Whether `endsAt` was told in whole seconds. */
	rounded: boolean;
}

export type ResponseHeaders = Readonly<Record<string, unknown>>;

/** A number of seconds below this is how many are left; above it, seconds since 1970. */
const A_YEAR_SECONDS = 31_536_000;

/** Seconds since 1970 stay below this until the year 5138. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** A date and time without an offset. */
const WITHOUT_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/**
 * Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset`.
 *
 * @param headers by their names in lower case
 * @param now by n8n's clock
 * @returns undefined where the headers do not tell how many requests are left
 */
export function rateLimitOf(headers: ResponseHeaders, now: number): RateLimit | undefined {
	const remaining = numberIn(headers['x-ratelimit-remaining']);
	const limit = numberIn(headers['x-ratelimit-limit']);
	const endsAt = momentIn(headers['x-ratelimit-reset'], headers, now);
	if (remaining === undefined) {
		return undefined;
	}
	const first = limit !== undefined && remaining === limit - 1;
	return { remaining: Math.max(0, remaining), first, endsAt, rounded: isWhole(headers['x-ratelimit-reset']) };
}

/** How many seconds the `Retry-After` of an answer asks to wait: it holds seconds or a date. */
export function retryAfterOf(headers: ResponseHeaders, now: number): number | undefined {
	const moment = momentIn(headers['retry-after'], headers, now);
	return moment === undefined ? undefined : Math.max(0, (moment - now) / 1000);
}

function numberIn(value: unknown): number | undefined {
	if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) {
		return undefined;
	}
	const number = Number(value);
	return Number.isFinite(number) ? number : undefined;
}

/**
 * The moment that a header tells: as seconds from now, seconds or milliseconds since 1970, or a date. The unit of
 * `X-RateLimit-Reset` is not published, but no value can be read in two ways.
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

/** Whether a header tells a moment in whole seconds. */
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
 * How far the service's clock is ahead of n8n's, in milliseconds. Its `Date` leaves out what is after the whole second,
 * so that it tells no more than a stretch of time; clocks that may be equal are taken for equal.
 */
function ahead(headers: ResponseHeaders, now: number): number {
	const theirs = dateIn(headers.date);
	if (theirs === undefined) {
		return 0;
	}
	return Math.max(0, theirs - now) + Math.min(0, theirs + 1000 - now);
}
