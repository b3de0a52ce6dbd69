import { useEffect, useState } from './lib.js';

/** When each status was first received, by the page's own clock. */
const seen = new WeakMap();

/**
 * Returns the sandbox's time in milliseconds, which is extrapolated from a status every second.
 * @param {{now: string, speed: number} | undefined} status
 * @returns {number | undefined} undefined without a status
 */
export function useNow(status) {
	const [, tick] = useState(0);
	if (status && !seen.has(status)) {
		seen.set(status, performance.now());
	}
	useEffect(() => {
		const timer = setInterval(() => tick((ticks) => ticks + 1), 1000);
		return () => clearInterval(timer);
	}, []);
	return status && Date.parse(status.now) + (performance.now() - seen.get(status)) * status.speed;
}
