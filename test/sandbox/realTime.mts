/** The shift of real time, in milliseconds. */
let skipped = 0;

// Importing this file is enough to restore real time after each test.
afterEach(() => {
	jest.restoreAllMocks();
	skipped = 0;
});

/** Moves the sandbox's real time (`Date.now`) forward for the rest of the test. */
export function skipRealTime(ms: number): void {
	const { Date: itsDate } = globalThis.sandbox.itsGlobal;
	const now = itsDate.now;
	skipped += ms;
	if (!jest.isMockFunction(now)) {
		jest.spyOn(itsDate, 'now').mockImplementation(() => now() + skipped);
	}
}
