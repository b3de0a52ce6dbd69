const { availableParallelism } = require('node:os');

if (Number.parseInt(process.versions.node, 10) < 24) {
	throw new Error(`The tests need Node.js 24, this is ${process.version}: "npm test" brings it along; or "nvm use".`);
}

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
	// Dynamic imports use the file names of dist/.
	moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': ['$1.js', '$1'] },
	// n8n's modules outlive a test file in a process. jest would clear their properties after each file.
	testEnvironmentOptions: { globalsCleanup: 'off' },
	modulePathIgnorePatterns: ['<rootDir>/.cache/'],
};

/** Test files with a real n8n that `npm run test:e2e` leaves to another tier. */
const left = {
	// In the n8n of all other tests, agent.test.mts and exampleAgent.test.mts have the first. How several n8n share a
	// service, which takes four of them, is tested in n8n's engine with each change.
	compat: ['olderTool', 'copies'],
	// Queue mode with its databases takes minutes to start. How much memory a waiting execution needs rarely changes.
	queueMode: ['queueMode'],
	// How n8n can be set up behind a proxy rarely matters for a change.
	deployments: ['deployments'],
	// The workflows that AI models built run for minutes.
	builders: ['builtWorkflows'],
	// The pictures of all examples and of the pages by task are made for documentation.
	screenshots: ['exampleCanvases', 'howToPictures'],
};

/** The tests of the nodes in n8n's engine. */
const inEngine = {
	...common,
	setupFilesAfterEnv: ['<rootDir>/test/integration/anyOrder.mts'],
	testEnvironment: '<rootDir>/test/integration/environment.cjs',
};

/** Those that run the built package: how n8n loads it, and several processes of n8n, each with its own memory. */
const ofBuild = ['loading', 'simulation'].map((folder) => `<rootDir>/test/integration/${folder}/`);

/** The test files that start a real n8n, by tier: none of them is a part of `npm test`. */
const withN8n = {
	e2e: ['**/*'],
	...left,
	compat: ['retry', 'rootOfRun', 'toolItems', 'waiting*', ...left.compat],
	scale: ['consoleLarge', 'largeCampaign', 'manyEvents'],
	screenshots: ['browserRuns', 'consolePictures', ...left.screenshots],
};

const tier = process.env.TEST_TIER ?? '';

module.exports = {
	rootDir: __dirname,
	// A test that hangs fails after this time. A busy machine is no reason to fail.
	testTimeout: 180_000,
	testSequencer: '<rootDir>/test/slowFirst.cjs',
	// Many files mostly wait: for a pause, a time limit, another process. One with n8n and a browser takes 2 GB.
	maxWorkers: tier in withN8n ? 2 : availableParallelism() * 2,
	projects:
		tier in withN8n
			? [
					{
						...common,
						displayName: tier,
						testPathIgnorePatterns: [
							'/node_modules/',
							...(tier === 'e2e' ? Object.values(left).flat() : []).map((file) => `/test/e2e/${file}\\.test`),
						],
						testMatch: withN8n[tier].map((file) => `<rootDir>/test/e2e/${file}.test.mts`),
						testEnvironment: '<rootDir>/test/e2e/environment.cjs',
					},
				]
			: [
					{ ...common, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.mts'] },
					{ ...common, displayName: 'scripts', testMatch: ['<rootDir>/test/scripts/**/*.test.mts'] },
					{
						...common,
						displayName: 'project',
						testMatch: ['<rootDir>/test/project/**/*.test.mts'],
						globalSetup: '<rootDir>/test/buildFirst.cjs',
					},
					{
						...common,
						displayName: 'sandbox',
						testMatch: ['<rootDir>/test/sandbox/**/*.test.mts'],
						testEnvironment: '<rootDir>/test/sandbox/environment.cjs',
					},
					{
						...inEngine,
						displayName: 'integration',
						testMatch: ['<rootDir>/test/integration/**/*.test.mts'],
						testPathIgnorePatterns: ['/node_modules/', ...ofBuild],
						moduleNameMapper: {
							...common.moduleNameMapper,
							'^n8n-workflow$': '<rootDir>/test/integration/n8nWorkflow.cjs',
						},
						setupFilesAfterEnv: [...inEngine.setupFilesAfterEnv, '<rootDir>/test/integration/sources.mts'],
					},
					{
						...inEngine,
						displayName: 'package',
						testMatch: ofBuild.map((folder) => `${folder}**/*.test.mts`),
						globalSetup: '<rootDir>/test/buildFirst.cjs',
					},
				],
};
