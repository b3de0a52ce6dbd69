const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
const common = {
	rootDir: __dirname,
	cacheDirectory: '<rootDir>/.cache/jest',
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'cjs', 'js', 'json'],
	transform: {
		'\\.m?ts$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
		],
	},
	// A dynamic import names the file as it is called in dist/.
	moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': ['$1.js', '$1'] },
	// n8n's modules outlive a test file in a process. jest would clear their properties after each file.
	testEnvironmentOptions: { globalsCleanup: 'off' },
	modulePathIgnorePatterns: ['<rootDir>/.cache/'],
};

/** Starts a real n8n, so it is not a part of `npm test`. */
const e2e = { ...common, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.test.mts'] };

const isE2e = process.env.TEST_TIER === 'e2e';

module.exports = {
	// A test that hangs fails after this time. A busy machine is no reason to fail.
	testTimeout: 60_000,
	// Many files mostly wait: for a pause, a time limit, another process.
	...(!isE2e && { maxWorkers: availableParallelism() + 1, testSequencer: '<rootDir>/test/slowFirst.cjs' }),
	projects: isE2e
		? [e2e]
		: [
				{ ...common, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.mts'] },
				{ ...common, displayName: 'scripts', testMatch: ['<rootDir>/test/scripts/**/*.test.mts'] },
				{ ...common, displayName: 'project', testMatch: ['<rootDir>/test/project/**/*.test.mts'] },
				{ ...common, displayName: 'sandbox', testMatch: ['<rootDir>/test/sandbox/**/*.test.mts'] },
				{
					...common,
					displayName: 'integration',
					testMatch: ['<rootDir>/test/integration/**/*.test.mts'],
					setupFilesAfterEnv: ['<rootDir>/test/integration/anyOrder.mts'],
					testEnvironment: '<rootDir>/test/integration/environment.cjs',
				},
			],
};
