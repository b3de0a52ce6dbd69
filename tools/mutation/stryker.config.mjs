// Stryker changes one place of a folder after the other (a mutant), and runs the tests: one of them has to fail.
// scripts/mutation.mts runs it for each folder.
import { copied, filesOf, folders } from '../../test/mutation/folders.mts';

const name = process.env.MUTATION_FOLDERS;
const cache = '.cache/mutation';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: filesOf(folders[name]),
	testRunner: 'jest',
	jest: { configFile: 'tools/mutation/jest.config.cjs', enableFindRelatedTests: true },
	coverageAnalysis: 'perTest',
	plugins: ['@stryker-mutator/jest-runner', './tools/mutation/textsForPeople.mjs'],
	ignorers: ['textsForPeople', 'examples'],
	ignorePatterns: ['*', ...copied.flatMap((path) => [`!${path}`, `!${path}/**`]), 'sandbox/node_modules'],
	incremental: true,
	incrementalFile: `${cache}/${name}.incremental.json`,
	tempDirName: `${cache}/copies`,
	reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	jsonReporter: { fileName: `${cache}/${name}.json` },
	htmlReporter: { fileName: `${cache}/${name}.html` },
	thresholds: { high: 95, low: 90, break: 85 },
	concurrency: 2,
	timeoutMS: 5000,
};
