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
	// A dynamic import names the file as it is called in dist/.
	moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': ['$1.js', '$1'] },
	modulePathIgnorePatterns: ['<rootDir>/.cache/'],
};

/** The test files that start a real n8n, by tier: none of them is a part of `npm test`. */
const withN8n = {
	e2e: ['**/*'],
	scale: ['largeCampaign', 'manyEvents', 'queueMode'],
	screenshots: ['browserExamples'],
};

const tier = process.env.TEST_TIER ?? '';

module.exports = {
	...(tier in withN8n && { maxWorkers: 2, testSequencer: './test/e2e/longestFirst.cjs' }),
	projects:
		tier in withN8n
			? [
					{
						...common,
						displayName: tier,
						testMatch: withN8n[tier].map((file) => `<rootDir>/test/e2e/${file}.test.mts`),
						testEnvironment: '<rootDir>/test/e2e/environment.cjs',
					},
				]
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
						// Between two test files jest would otherwise take n8n's modules apart, which outlive a file on purpose.
						testEnvironmentOptions: { globalsCleanup: 'off' },
					},
				],
};
