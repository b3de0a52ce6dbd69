import type { WireAnswer, WireRequest } from '../world/variant.mts';
import { about, type Entry } from './entry.mts';
import { failing, inFormat } from './errors.mts';
import { fieldsOf, isFields } from './shapes.mts';

const HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Whole seconds until the rate window ends. */
const secondsLeft = ({ windowEnds }: WireRequest) => Math.max(1, Math.ceil((windowEnds - Date.now()) / 1000));

/** Another form of `X-RateLimit-Reset`. */
function reset(write: (windowEnds: number, request: WireRequest) => string): Pick<Entry, 'answer'> {
	return {
		answer({ headers }, request) {
			if ('x-ratelimit-reset' in headers) {
				headers['x-ratelimit-reset'] = write(request.windowEnds, request);
			}
		},
	};
}

/** Other headers in place of the service's three. */
function instead(
	write: (limit: string, remaining: string, seconds: number) => Record<string, string>,
): Entry['answer'] {
	return ({ headers }, request) => {
		const [limit, remaining] = HEADERS.map((name) => headers[name]);
		if (limit === undefined || remaining === undefined) {
			return;
		}
		for (const name of HEADERS) {
			delete headers[name];
		}
		Object.assign(headers, write(limit, remaining, secondsLeft(request)));
	};
}

/** A `Retry-After` header on each 429. */
function retryAfter(write: (request: WireRequest) => string): Pick<Entry, 'answer'> {
	return {
		answer(answer, request) {
			if (answer.status === 429) {
				answer.headers['retry-after'] = write(request);
			}
		},
	};
}

const resets = about('Unit of `X-RateLimit-Reset`', [
	{
		name: 'limit-reset-seconds-left',
		does: 'states in `X-RateLimit-Reset` how many seconds are left',
		...reset((_ends, request) => String(secondsLeft(request))),
	},
	{
		name: 'limit-reset-milliseconds',
		does: 'states in `X-RateLimit-Reset` the milliseconds since 1970',
		...reset((ends) => String(ends)),
	},
	{
		name: 'limit-reset-http-date',
		does: 'states in `X-RateLimit-Reset` a date of HTTP',
		...reset((ends) => new Date(Math.ceil(ends / 1000) * 1000).toUTCString()),
	},
	{
		name: 'limit-reset-iso-date',
		does: 'states in `X-RateLimit-Reset` a date in ISO 8601',
		...reset((ends) => new Date(ends).toISOString()),
	},
]);

const headers = about('Names of the rate limit headers', [
	{ name: 'limit-without-headers', does: 'sends no headers about the rate limit', answer: instead(() => ({})) },
	{
		name: 'limit-ietf-three-headers',
		does: 'sends `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` in seconds, as an early draft of the IETF',
		answer: instead((limit, remaining, seconds) => ({
			'ratelimit-limit': limit,
			'ratelimit-remaining': remaining,
			'ratelimit-reset': String(seconds),
		})),
	},
	{
		name: 'limit-ietf-one-header',
		does: 'sends one header `RateLimit` with limit, remaining and reset, as a later draft of the IETF',
		answer: instead((limit, remaining, seconds) => ({
			ratelimit: `limit=${limit}, remaining=${remaining}, reset=${seconds}`,
		})),
	},
	{
		name: 'limit-ietf-policy',
		does: 'sends `RateLimit` and `RateLimit-Policy` with `r`, `t`, `q` and `w`, as the current draft of the IETF',
		answer: instead((limit, remaining, seconds) => ({
			'ratelimit-policy': `"default";q=${limit};w=60`,
			ratelimit: `"default";r=${remaining};t=${seconds}`,
		})),
	},
]);

const waits = about('Is there a `Retry-After` header?', [
	{
		name: 'limit-retry-after-seconds',
		does: 'sends `Retry-After` in seconds with a 429',
		...retryAfter((request) => String(secondsLeft(request))),
	},
	{
		name: 'limit-retry-after-date',
		does: 'sends `Retry-After` as a date with a 429',
		...retryAfter(({ windowEnds }) => new Date(Math.ceil(windowEnds / 1000) * 1000).toUTCString()),
	},
]);

/** The 429 without `details`, and with another `retry_after`. */
function withRetryAfter(write: (given: unknown) => unknown) {
	return failing((answer: WireAnswer) => {
		const fields = fieldsOf(answer.body);
		const nested = isFields(fields.error) ? fields.error : undefined;
		const holder = nested ?? fields;
		if (isFields(holder.details)) {
			const { retry_after: given, ...details } = holder.details;
			const written = write(given);
			const changed = { ...holder, details: written === undefined ? details : { ...details, retry_after: written } };
			answer.body = nested ? { ...fields, error: changed } : changed;
		}
	}, 429);
}

const bodies = about('Which body has a 429?', [
	{ name: 'limit-429-flat', does: 'sends each 429 in the flat format', ...inFormat('flat', 429) },
	{ name: 'limit-429-nested', does: 'sends each 429 in the nested format', ...inFormat('nested', 429) },
	{
		name: 'limit-429-authentication',
		does: 'sends each 429 in the authentication format',
		...inFormat('authentication', 429),
	},
	{
		name: 'limit-429-text',
		does: 'sends each 429 as plain text',
		...failing((answer) => {
			answer.body = 'Too Many Requests';
			answer.type = 'text/plain';
		}, 429),
	},
	{
		name: 'limit-retry-after-absent',
		does: 'sends no `retry_after` with a 429',
		...withRetryAfter(() => undefined),
	},
	{
		name: 'limit-retry-after-text',
		does: 'sends the `retry_after` of a 429 as text',
		...withRetryAfter(String),
	},
]);

/** How the rate limit shows. Those that make text of JSON come last. */
export const limits: Entry[] = [
	{
		name: 'limit-sliding',
		question: 'When does a rate window begin?',
		does: 'counts each request for the length of a window',
		options: { rateWindows: 'sliding' },
	},
	...resets,
	...headers,
	...waits,
	...bodies,
];
