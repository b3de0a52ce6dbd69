/** What matters here of the results that jest writes with `--json`. */
export interface JestResults {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	/** Files that could not even be run. */
	numRuntimeErrorTestSuites: number;
}

export interface TestCounts {
	passed: number;
	failed: number;
	skipped: number;
}

/** Counts tests; a file that could not be run, or a step before the tests that failed, counts as one failed. */
export function countTests(results: JestResults | undefined, stepFailed: boolean): TestCounts {
	const passed = results?.numPassedTests ?? 0;
	const skipped = results?.numPendingTests ?? 0;
	const failed = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 0;
	return { passed, failed: failed === 0 && stepFailed ? 1 : failed, skipped };
}
