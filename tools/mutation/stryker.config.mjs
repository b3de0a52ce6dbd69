// Stryker changes one place of the nodes after the other (a mutant), and runs the tests: one of them has to fail.

const cache = '.cache/mutation';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'jest',
	jest: { configFile: 'tools/mutation/jest.config.cjs', enableFindRelatedTests: true },
	coverageAnalysis: 'perTest',
	plugins: ['@stryker-mutator/jest-runner', './tools/mutation/textsForPeople.mjs'],
	ignorers: ['textsForPeople'],
	// What a test run needs is copied.
	ignorePatterns: ['*', '!nodes/**', '!test/unit/**', '!tools/mutation/*.cjs', '!jest.config.cjs', '!package.json'],
	incremental: true,
	incrementalFile: `${cache}/incremental.json`,
	tempDirName: `${cache}/copies`,
	reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	jsonReporter: { fileName: `${cache}/report.json` },
	htmlReporter: { fileName: `${cache}/report.html` },
	thresholds: { high: 95, low: 90, break: 85 },
	concurrency: 2,
	timeoutMS: 10_000,
};
