/**
 * From here on, a timer of a second or more does not keep this process from ending. The node sleeps until a wait's time is
 * up, also when its test has ended; n8n, too, ends with process.exit(), whatever timers there are.
 */
const LONG_MS = 1000;

const start = globalThis.setTimeout;
const stop = globalThis.clearTimeout;

/** Timers of jest, such as the time limit of a test, of Node.js and of requests: they go by the real time. */
const REAL = /[\\/](jest-circus|follow-redirects|axios)[\\/]|node:internal/;

/** The other long timers that have not rung: when they are due by the clock of this process, and what they do then. */
const pending = new Map<unknown, { at: number; ring: () => void }>();

/** The file whose code has called `setTimeout`. The stack as a text would cost as much time as all else in a test. */
function fileOfCaller(): string {
	const { prepareStackTrace, stackTraceLimit } = Error;
	Error.prepareStackTrace = (_error, [, , caller]) => String(caller?.getFileName());
	Error.stackTraceLimit = 3;
	const file = String(new Error('Who starts the timer').stack);
	Object.assign(Error, { prepareStackTrace, stackTraceLimit });
	return file;
}

globalThis.setTimeout = Object.assign(
	((callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
		if (!(Number(ms) >= LONG_MS)) {
			return start(callback, ms, ...args);
		}
		const ring = () => {
			pending.delete(timer);
			callback(...args);
		};
		const timer = start(ring, ms).unref();
		if (!REAL.test(fileOfCaller())) {
			pending.set(timer, { at: Date.now() + Number(ms), ring });
		}
		return timer;
	}) as typeof start,
	start,
);

globalThis.clearTimeout = (timer) => {
	pending.delete(timer);
	stop(timer);
};

/** Lets the long timers ring that are due after the clock was moved. */
export function ringDueTimers(): void {
	for (const [timer, { at, ring }] of [...pending]) {
		if (at <= Date.now() && pending.has(timer)) {
			stop(timer as NodeJS.Timeout);
			ring();
		}
	}
}
