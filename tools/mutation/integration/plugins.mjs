// Stryker plugins for the integration tests. Stryker's own runner for jest loads all test files for each change; this one
// loads those that reach it, and ends with the first that fails.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CheckStatus } from '@stryker-mutator/api/check';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';

import { sampleOf } from '../../../test/mutation/sample.mts';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Runs test files in Stryker's copy of the project. @returns the results of jest; undefined if it did not end in time */
async function runTests(args, env, timeout) {
	mkdirSync('.cache', { recursive: true });
	const folder = mkdtempSync(resolve('.cache', 'tests-'));
	const outputFile = join(folder, 'results.json');
	const jest = join('node_modules', 'jest', 'bin', 'jest.js');
	const config = ['--config', join('tools', 'mutation', 'integration', 'jest.config.cjs')];
	const output = ['--json', '--outputFile', outputFile, '--forceExit'];
	try {
		const child = spawn(process.execPath, [jest, ...config, ...output, ...args], {
			env: { ...process.env, ...env, MUTATION_COVERAGE: args.length === 0 ? folder : '' },
			stdio: 'ignore',
			timeout,
			killSignal: 'SIGKILL',
		});
		const signal = await new Promise((done, fail) => child.on('error', fail).on('close', (_code, by) => done(by)));
		if (signal !== null) {
			return undefined;
		}
		const coverage = readdirSync(folder).filter((name) => name !== 'results.json');
		return { ...readJson(outputFile), coverage: coverage.map((name) => readJson(join(folder, name))) };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Each test file is one test for Stryker. */
class TestFiles {
	static inject = [];

	capabilities() {
		return { reloadEnvironment: true };
	}

	async dryRun({ timeout }) {
		const results = await runTests([], {}, timeout);
		if (results === undefined) {
			return { status: DryRunStatus.Timeout };
		}
		const tests = results.testResults.map(({ name, status, message, startTime, endTime }) => ({
			id: name,
			name,
			fileName: name,
			timeSpentMs: endTime - startTime,
			status: status === 'passed' ? TestStatus.Success : TestStatus.Failed,
			failureMessage: message,
		}));
		const mutantCoverage = { static: {}, perTest: {} };
		for (const { static: atLoad, perTest } of results.coverage) {
			Object.assign(mutantCoverage.static, atLoad);
			Object.assign(mutantCoverage.perTest, perTest);
		}
		return { status: DryRunStatus.Complete, tests, mutantCoverage };
	}

	async mutantRun({ activeMutant, testFilter, timeout }) {
		const args = ['--runInBand', '--bail', '--runTestsByPath', ...testFilter];
		const results = await runTests(args, { __STRYKER_ACTIVE_MUTANT__: activeMutant.id }, timeout);
		if (results === undefined) {
			return { status: MutantRunStatus.Timeout };
		}
		const failed = results.testResults.find(({ status }) => status === 'failed');
		const nrOfTests = results.testResults.length;
		return failed === undefined
			? { status: MutantRunStatus.Survived, nrOfTests }
			: { status: MutantRunStatus.Killed, nrOfTests, killedBy: [failed.name], failureMessage: failed.message };
	}
}

/** Leaves out the changes that are not in the sample: in the report they are as if they did not compile. */
class Sample {
	static inject = [];

	async init() {}

	group(mutants) {
		return [mutants.map(({ id }) => id)];
	}

	check(mutants) {
		const { MUTATION_SAMPLE, MUTATION_SEED } = process.env;
		const chosen = sampleOf(mutants, Number(MUTATION_SAMPLE), MUTATION_SEED);
		const left = { status: CheckStatus.CompileError, reason: 'not in the sample' };
		return Object.fromEntries(mutants.map(({ id }) => [id, chosen.has(id) ? { status: CheckStatus.Passed } : left]));
	}
}

export const strykerPlugins = [
	declareClassPlugin(PluginKind.TestRunner, 'testFiles', TestFiles),
	declareClassPlugin(PluginKind.Checker, 'sample', Sample),
];
