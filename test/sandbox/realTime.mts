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
