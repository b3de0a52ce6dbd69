/** @type {import('jest').Config} */
const common = {
	rootDir: __dirname,
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'cjs', 'js', 'json'],
	transform: {
		'\\.m?ts$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
		],
	},
	// Dynamic imports use the file names of dist/.
	moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': ['$1.js', '$1'] },
	modulePathIgnorePatterns: ['<rootDir>/.cache/'],
};

/** Starts a real n8n, so it is not part of `npm test`. */
const e2e = { ...common, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.test.mts'] };

module.exports = {
	projects:
		process.env.TEST_TIER === 'e2e'
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
						// Test files share n8n's modules: jest must not delete their globals after a file.
						testEnvironmentOptions: { globalsCleanup: 'off' },
					},
				],
};
