import type { Variant, WireRequest } from '../world/variant.mts';
import { failing } from './errors.mts';
import { about, eachObject, response } from './shapes.mts';

/** Returns the whole seconds until the rate window ends. */
const secondsLeft = ({ windowEnds }: WireRequest) => String(Math.max(1, Math.ceil((windowEnds - Date.now()) / 1000)));

/** The rate limit. */
export const limits: Variant[] = [
	...about('When does a rate window begin?', {
		'limit-sliding': { does: 'counts each request for the length of a window', options: { rateWindows: 'sliding' } },
	}),
	...about('Unit of `X-RateLimit-Reset`', {
		'limit-reset-seconds-left': response(
			'states in `X-RateLimit-Reset` how many seconds are left',
			({ headers }, request) => {
				if ('x-ratelimit-reset' in headers) {
					headers['x-ratelimit-reset'] = secondsLeft(request);
				}
			},
		),
	}),
	...about('Names of the rate limit headers', {
		'limit-without-headers': response('sends no headers about the rate limit', ({ headers }) => {
			for (const name of Object.keys(headers).filter((one) => one.startsWith('x-ratelimit-'))) {
				delete headers[name];
			}
		}),
	}),
	...about('Is there a `Retry-After` header?', {
		'limit-retry-after-seconds': failing('sends `Retry-After` in seconds with a 429', 429, ({ headers }, request) => {
			headers['retry-after'] = secondsLeft(request);
		}),
	}),
	...about('Which body has a 429?', {
		'limit-retry-after-absent': failing('sends no `retry_after` with a 429', 429, (refusal) => {
			refusal.body = eachObject(refusal.body, ({ retry_after: _seconds, ...fields }) => fields);
		}),
		'limit-429-text': failing('sends each 429 as plain text', 429, (refusal) => {
			Object.assign(refusal, { body: 'Too Many Requests', type: 'text/plain' });
		}),
	}),
];
