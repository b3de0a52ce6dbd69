// The integration tests, as they run for each change of the sample.
const { projects } = require('../../../jest.config.cjs');

const { displayName: _name, ...integration } = projects.find(({ displayName }) => displayName === 'integration');

/** @type {import('jest').Config} */
module.exports = {
	...integration,
	testEnvironment: '<rootDir>/tools/mutation/integration/environment.cjs',
	testSequencer: '<rootDir>/tools/mutation/integration/fastFirst.cjs',
	// Changed code can hang.
	testTimeout: 60_000,
};
