/** How long it is between two looks; where a look takes long, five times as long as it took. */
const leastPause = 1000;
const pauseForLook = 5;

/**
 * Follows how much of the heap is in use, always right after a garbage collection: what is only waiting
 * to be collected says more about the collector than about who made it.
 */
export function watchMemory(): { stop(): number } {
	const inUse = () => {
		globalThis.gc?.();
		return process.memoryUsage().heapUsed;
	};
	const before = inUse();
	let most = before;
	let timer: NodeJS.Timeout;
	const look = () => {
		const started = performance.now();
		most = Math.max(most, inUse());
		timer = setTimeout(look, Math.max(leastPause, pauseForLook * (performance.now() - started)));
	};
	look();
	return {
		stop() {
			clearTimeout(timer);
			look();
			clearTimeout(timer);
			return most - before;
		},
	};
}
