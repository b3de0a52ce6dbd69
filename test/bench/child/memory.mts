/** Milliseconds between two samples, but at least five times the duration of a sample. */
const minimumPause = 1000;
const pausePerSample = 5;

/**
 * Samples the used heap, always right after a garbage collection, so that garbage does not count.
 *
 * @returns a function that stops and returns the peak above the first sample, in bytes
 */
export function watchMemory(): { stop(): number } {
	const inUse = () => {
		globalThis.gc?.();
		return process.memoryUsage().heapUsed;
	};
	const before = inUse();
	let peak = before;
	let timer: NodeJS.Timeout;
	const sample = () => {
		const started = performance.now();
		peak = Math.max(peak, inUse());
		timer = setTimeout(sample, Math.max(minimumPause, pausePerSample * (performance.now() - started)));
	};
	sample();
	return {
		stop() {
			clearTimeout(timer);
			sample();
			clearTimeout(timer);
			return peak - before;
		},
	};
}
