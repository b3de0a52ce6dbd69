// The tests that run for each change in the folders that MUTATION_FOLDERS names, separated by commas.
const { projects } = require('../../jest.config.cjs');
const { folders } = require('../../test/mutation/folders.mts');

const unit = projects.find(({ displayName }) => displayName === 'unit');
const tests = process.env.MUTATION_FOLDERS.split(',').flatMap((name) => folders[name].tests);

/** @type {import('jest').Config} */
module.exports = {
	...unit,
	displayName: undefined,
	testMatch: tests.map((folder) => `<rootDir>/test/unit/${folder}/**/*.test.mts`),
	// They take seconds, or compare a generated file.
	testPathIgnorePatterns: [
		'simulatedServices',
		'libraryNumbers',
		'numberingPlans',
		'openings',
		'scheduleByMinutes',
		'timeZonesOfCountries',
		'largeFlows',
	].map((name) => `/${name}\\.test`),
	moduleNameMapper: { ...unit.moduleNameMapper, '^fast-check$': '<rootDir>/tools/mutation/fastCheck.cjs' },
	// Changed code can hang: a test that does is over sooner than by the time limit of Stryker, which starts a new process.
	testTimeout: 6_000,
};
