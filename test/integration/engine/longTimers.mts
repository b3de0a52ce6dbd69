/**
 * From here on, a timer of a second or more does not keep this process from ending. The node sleeps until a wait's time is
 * up, also when its test has ended; n8n, too, ends with process.exit(), whatever timers there are.
 */
const LONG_MS = 1000;

const start = globalThis.setTimeout;

globalThis.setTimeout = Object.assign(
	((callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
		const timer = start(callback, ms, ...args);
		return Number(ms) >= LONG_MS ? timer.unref() : timer;
	}) as typeof start,
	start,
);
