// Stryker plugins for the integration tests. Stryker's own runner for jest loads all test files for each change; this one
// loads those that reach it, and ends with the first that fails.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckStatus } from '@stryker-mutator/api/check';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';

import { sampleOf } from '../../../test/mutation/sample.mts';

/** Runs test files in Stryker's copy of the project. @returns the status, undefined after the time limit, and the output */
async function runTests(args, env, timeout) {
	const jest = join('node_modules', 'jest', 'bin', 'jest.js');
	const config = join('tools', 'mutation', 'integration', 'jest.config.cjs');
	const child = spawn(process.execPath, [jest, '--config', config, '--forceExit', ...args], {
		env: { ...process.env, ...env },
		stdio: ['ignore', 'ignore', 'pipe'],
		timeout,
		killSignal: 'SIGKILL',
	});
	let output = '';
	child.stderr.setEncoding('utf8').on('data', (text) => {
		output += text;
	});
	const status = await new Promise((done, fail) =>
		child.on('error', fail).on('close', (code) => done(code ?? undefined)),
	);
	return { status, output };
}

/** Each test file is one test for Stryker. */
class TestFiles {
	static inject = [];

	capabilities() {
		return { reloadEnvironment: true };
	}

	async dryRun({ timeout }) {
		const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
		const file = join(folder, 'results.json');
		try {
			const { status } = await runTests(['--json', '--outputFile', file], { MUTATION_COVERAGE: folder }, timeout);
			if (status === undefined) {
				return { status: DryRunStatus.Timeout };
			}
			const { testResults } = readJson(file);
			rmSync(file);
			const tests = testResults.map(({ name, status, message, startTime, endTime }) => ({
				id: name,
				name,
				fileName: name,
				timeSpentMs: endTime - startTime,
				status: status === 'passed' ? TestStatus.Success : TestStatus.Failed,
				failureMessage: message,
			}));
			return { status: DryRunStatus.Complete, tests, mutantCoverage: coverageIn(folder) };
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	}

	/** With --bail, jest ends at the first test file that fails. */
	async mutantRun({ activeMutant: { id }, testFilter, timeout }) {
		const args = ['--runInBand', '--bail', '--runTestsByPath', ...testFilter];
		const { status, output } = await runTests(args, { __STRYKER_ACTIVE_MUTANT__: id }, timeout);
		if (status === undefined) {
			return { status: MutantRunStatus.Timeout };
		}
		const nrOfTests = testFilter.length;
		if (status === 0) {
			return { status: MutantRunStatus.Survived, nrOfTests };
		}
		const [, failed] = /^FAIL (\S+)/m.exec(output) ?? [];
		const killedBy = testFilter.filter((file) => failed !== undefined && file.endsWith(failed));
		return { status: MutantRunStatus.Killed, nrOfTests, killedBy, failureMessage: output };
	}
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Puts together what the environment has written for each test file. */
function coverageIn(folder) {
	const coverage = { static: {}, perTest: {} };
	for (const name of readdirSync(folder)) {
		const ofFile = readJson(join(folder, name));
		Object.assign(coverage.static, ofFile.static);
		Object.assign(coverage.perTest, ofFile.perTest);
	}
	return coverage;
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
