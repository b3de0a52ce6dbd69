// Importing this file is enough: real time is itself again after each test.
afterEach(() => {
	jest.restoreAllMocks();
});

/** Moves real time forward, as `Date.now` shows it, for the rest of the test. */
export function skipRealTime(ms: number): void {
	const now = Date.now;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
}

/**
 * Makes each timer of exactly `ms` end after 100 ms, for the rest of the test.
 * @returns how many timers it has shortened so far
 */
export function shortenTimers(ms: number): () => number {
	const start = globalThis.setTimeout;
	let shortened = 0;
	jest.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, wait?: number) => {
		if (wait !== ms) {
			return start(work, wait);
		}
		shortened += 1;
		return start(work, 100);
	}) as typeof setTimeout);
	return () => shortened;
}
