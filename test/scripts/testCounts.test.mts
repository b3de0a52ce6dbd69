import { join } from 'node:path';

import { countTests, slowestSuites } from '../../scripts/lib/testCounts.mts';

const results = {
	numPassedTests: 7,
	numFailedTests: 2,
	numPendingTests: 1,
	numRuntimeErrorTestSuites: 1,
	testResults: [],
};

test('a file that could not be run counts as a failure beside the failed tests', () => {
	expect(countTests(results, true)).toEqual({ passed: 7, failed: 3, skipped: 1 });
});

test('a step that failed before any test counts as one failure', () => {
	expect(countTests(undefined, true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('no failure is counted when everything passed', () => {
	const good = { ...results, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
	expect(countTests(good, false)).toEqual({ passed: 7, failed: 0, skipped: 1 });
});

describe('the slowest test files', () => {
	const root = join('/', 'project');
	const file = (name: string, seconds: number) => ({
		name: join(root, 'test', name),
		startTime: 5000,
		endTime: 5000 + seconds * 1000,
	});
	const testResults = [file('quick', 0.5), file('slow', 12), file('middle', 3.25)];

	test('are listed with their path in the project and their seconds, the slowest first', () => {
		expect(slowestSuites({ ...results, testResults }, root, 2)).toEqual([
			{ name: join('test', 'slow'), seconds: 12 },
			{ name: join('test', 'middle'), seconds: 3.25 },
		]);
	});

	test('are as many as there are, and none where jest wrote no results', () => {
		expect(slowestSuites({ ...results, testResults }, root, 10)).toHaveLength(3);
		expect(slowestSuites(undefined, root, 10)).toEqual([]);
	});
});
