// The tests that run for every changed place: those that import the sources of the mutated folders, and are fast.
const { projects } = require('../../jest.config.cjs');

const unit = projects.find(({ displayName }) => displayName === 'unit');

/** @type {import('jest').Config} */
module.exports = {
	...unit,
	displayName: undefined,
	testMatch: [
		'shared/nodeLink',
		'shared/phoneNumbers',
		'VoiceAgentCalling/execution',
		'VoiceAgentCalling/sending',
		'VoiceAgentCalling/waiting',
		'VoiceAgentCallingTrigger',
	].map((folder) => `<rootDir>/test/unit/${folder}/**/*.test.mts`),
	// It compares a generated file.
	testPathIgnorePatterns: ['numberingPlans\\.test'],
	moduleNameMapper: { ...unit.moduleNameMapper, '^fast-check$': '<rootDir>/tools/mutation/fastCheck.cjs' },
	testTimeout: 20_000,
};
