import { countTests } from '../../scripts/lib/testCounts.mts';

const results = { numPassedTests: 7, numFailedTests: 2, numPendingTests: 1, numRuntimeErrorTestSuites: 1 };

test('a file that could not be run counts as a failure beside the failed tests', () => {
	expect(countTests(results, true)).toEqual({ passed: 7, failed: 3, skipped: 1 });
});

test('a step that failed before any test counts as one failure', () => {
	expect(countTests(undefined, true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('nothing is made up when all went well', () => {
	const good = { ...results, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
	expect(countTests(good, false)).toEqual({ passed: 7, failed: 0, skipped: 1 });
});
