import type { World } from '../world/world.mts';
import type { HttpError } from './httpErrors.mts';
import { REFUSALS, type Refusal } from './refusal.mts';

/**
 * Counts a request against the window, in real time. A fixed window begins with the first request after the previous
 * window has ended. A sliding window holds the requests of the last seconds; it ends when the oldest request leaves it.
 * @returns whether the request is within the limit
 */
export function countRequest(world: World): boolean {
	openWindow(world);
	if (world.rate.used >= world.options.rateLimit) {
		return false;
	}
	world.rate.used += 1;
	if (world.options.rateWindows === 'sliding') {
		world.rate.counted.push(Date.now());
	}
	return true;
}

/** Returns the rate limit headers of a response. `X-RateLimit-Reset` is in seconds since 1970. */
export function rateHeaders(world: World): Record<string, string> {
	openWindow(world);
	return {
		'X-RateLimit-Limit': String(world.options.rateLimit),
		'X-RateLimit-Remaining': String(world.options.rateLimit - world.rate.used),
		'X-RateLimit-Reset': String(Math.ceil(world.rate.windowEnds / 1000)),
	};
}

/** Returns the 429. For a call that is placed or queued, it has `details.retry_after` in real seconds. */
export function tooManyRequests(world: World, refusal: Refusal): HttpError {
	const retry_after = Math.max(1, Math.ceil((world.rate.windowEnds - Date.now()) / 1000));
	return REFUSALS[refusal].other(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests.', { retry_after });
}

function openWindow(world: World): void {
	const now = Date.now();
	const length = world.options.rateWindow * 1000;
	if (world.options.rateWindows === 'sliding') {
		const counted = world.rate.counted.filter((at) => at > now - length);
		world.rate = { windowEnds: (counted[0] ?? now) + length, used: counted.length, counted };
		return;
	}
	if (now < world.rate.windowEnds) {
		return;
	}
	world.rate = { windowEnds: now + length, used: 0, counted: [] };
}
