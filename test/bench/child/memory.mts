/** How often memory is looked at; a garbage collection of much memory takes a tenth of this. */
const everyMilliseconds = 1000;

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
	const look = () => {
		most = Math.max(most, inUse());
	};
	const timer = setInterval(look, everyMilliseconds);
	return {
		stop() {
			clearInterval(timer);
			look();
			return most - before;
		},
	};
}
