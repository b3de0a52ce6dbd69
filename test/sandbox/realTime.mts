/** How far real time was moved, in milliseconds. */
let skipped = 0;

// Importing this file is enough: real time is itself again after each test.
afterEach(() => {
	jest.restoreAllMocks();
	skipped = 0;
});

/** Moves real time forward, as `Date.now` shows it to the sandbox, for the rest of the test. */
export function skipRealTime(ms: number): void {
	const { Date: itsDate } = globalThis.sandbox.itsGlobal;
	const now = itsDate.now;
	skipped += ms;
	if (!jest.isMockFunction(now)) {
		jest.spyOn(itsDate, 'now').mockImplementation(() => now() + skipped);
	}
}

/**
 * Makes each timer of the sandbox of exactly `ms` end after 100 ms, for the rest of the test.
 * @returns how many timers it has shortened so far
 */
export function shortenTimers(ms: number): () => number {
	const { itsGlobal } = globalThis.sandbox;
	const start = itsGlobal.setTimeout;
	let shortened = 0;
	jest.spyOn(itsGlobal, 'setTimeout').mockImplementation(((work: () => void, wait?: number) => {
		if (wait !== ms) {
			return start(work, wait);
		}
		shortened += 1;
		return start(work, 100);
	}) as typeof setTimeout);
	return () => shortened;
}
