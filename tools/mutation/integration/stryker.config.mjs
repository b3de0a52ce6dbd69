// Stryker changes a sample of places in all folders, and runs the integration tests. scripts/mutation.mts runs it.
import { filesOf, folders } from '../../../test/mutation/folders.mts';

const cache = '.cache/mutation';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: Object.values(folders).flatMap(filesOf),
	testRunner: 'testFiles',
	checkers: ['sample'],
	coverageAnalysis: 'perTest',
	ignoreStatic: true,
	plugins: ['./tools/mutation/integration/plugins.mjs', './tools/mutation/textsForPeople.mjs'],
	ignorers: ['textsForPeople', 'examples'],
	ignorePatterns: ['.cache', 'dist', 'docs/images', 'tools/*/node_modules', 'sandbox/node_modules'],
	tempDirName: `${cache}/copies`,
	reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	jsonReporter: { fileName: `${cache}/integration.json` },
	htmlReporter: { fileName: `${cache}/integration.html` },
	concurrency: 2,
	timeoutMS: 60_000,
	dryRunTimeoutMinutes: 60,
};
