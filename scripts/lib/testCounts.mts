import { relative } from 'node:path';

/** The part of the results that jest writes with `--json` which is used here. */
export interface JestResults {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	/** Files that could not be run. */
	numRuntimeErrorTestSuites: number;
	/** One for each file; the times are milliseconds since 1970. */
	testResults: Array<{ name: string; startTime: number; endTime: number }>;
}

export interface TestCounts {
	passed: number;
	failed: number;
	skipped: number;
}

/** Counts tests. A file that could not be run counts as one failed test, and so does a failed step before the tests. */
export function countTests(results: JestResults | undefined, stepFailed: boolean): TestCounts {
	const passed = results?.numPassedTests ?? 0;
	const skipped = results?.numPendingTests ?? 0;
	const failed = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 0;
	return { passed, failed: failed === 0 && stepFailed ? 1 : failed, skipped };
}

/** How long a test file took. */
export interface SuiteTime {
	/** Its path in the project. */
	name: string;
	seconds: number;
}

/** The test files that took longest, the slowest first. @param root the project's folder */
export function slowestSuites(results: JestResults | undefined, root: string, count: number): SuiteTime[] {
	return (results?.testResults ?? [])
		.map(({ name, startTime, endTime }) => ({ name: relative(root, name), seconds: (endTime - startTime) / 1000 }))
		.sort((one, other) => other.seconds - one.seconds)
		.slice(0, count);
}
