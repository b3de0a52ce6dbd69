import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { cache, root } from './places.mts';
import { runCaptured, runVisibly } from './process.mts';

/** A step of a test run: its name, and the arguments for Node.js. */
export type Step = [name: string, ...commands: string[][]];

const SLOWEST = 10;

/**
 * Runs steps, then jest if all of them passed. Sets the exit status, ends with the slowest test files and one line of
 * counts, and leaves the counts in `.cache/<name>-summary.json`.
 *
 * @param chains chains that run at the same time; the steps of a chain run one after the other, until one fails
 * @param jestArguments arguments of the user, such as `-t "a sentence"`
 */
export async function runTests(name: string, chains: Step[][], jestArguments: string[]): Promise<void> {
	process.on('SIGINT', () => process.exit(130));
	process.on('SIGTERM', () => process.exit(143));

	const started = Date.now();
	const resultsFile = join(cache, `${name}-results.json`);
	const summary = join(cache, `${name}-summary.json`);
	mkdirSync(cache, { recursive: true });
	for (const file of [resultsFile, summary]) {
		rmSync(file, { force: true });
	}

	const failed = (await Promise.all(chains.map(runChain))).filter((title) => title !== undefined);
	if (failed.length === 0) {
		console.log('\n── Tests ──');
		const testsStarted = Date.now();
		const status = await runJest(['--json', '--outputFile', resultsFile, ...jestArguments]);
		printOutcome('Tests', status, testsStarted);
		if (status !== 0) {
			failed.push('Tests');
		}
	}

	const results = readResults(resultsFile);
	printSlowest(results);
	const counts = countTests(results, failed.length > 0);
	writeFileSync(summary, JSON.stringify(counts));
	const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
	const done = [...chains.flat().map(([title]) => title.toLowerCase()), 'tests'].join(', ');
	const where = failed.length === 0 ? `${done} passed` : `stopped at: ${failed.join(', ')}`;
	console.log(`\n${counts.passed} tests passed, ${counts.failed} failed${skipped}; ${where}; ${seconds(started)}`);
}

/** Runs steps one after the other. @returns the name of the failed step */
async function runChain(steps: Step[]): Promise<string | undefined> {
	for (const [title, ...commands] of steps) {
		const started = Date.now();
		let status = 0;
		let output = '';
		for (const command of commands) {
			const ended = await runCaptured(command, root);
			status = ended.status;
			output += ended.output;
			if (status !== 0) {
				break;
			}
		}
		// Other steps run at the same time, so the output of a step is printed at once.
		process.stdout.write(`\n── ${title} ──\n${output}`);
		printOutcome(title, status, started);
		if (status !== 0) {
			return title;
		}
	}
	return undefined;
}

function printOutcome(title: string, status: number, started: number): void {
	if (status !== 0) {
		process.exitCode = status;
	}
	const outcome = status === 0 ? 'passed' : `ended with status ${status}`;
	console.log(`── ${title}: ${outcome} (${seconds(started)}) ──`);
}

function printSlowest(results: JestResults | undefined): void {
	const slowest = slowestSuites(results, root, SLOWEST);
	if (slowest.length > 0) {
		const lines = slowest.map((suite) => `${suite.seconds.toFixed(1).padStart(7)} s  ${suite.name}`);
		console.log(`\nThe slowest test files:\n${lines.join('\n')}`);
	}
}

function readResults(file: string): JestResults | undefined {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as JestResults;
	} catch {
		return undefined;
	}
}

function seconds(since: number): string {
	return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

/** The used parts of the results that jest writes with `--json`. */
export interface JestResults {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests: number;
	/** The number of files that could not be run. */
	numRuntimeErrorTestSuites: number;
	/** One result per file; the times are in milliseconds since 1970. */
	testResults: Array<{ name: string; startTime: number; endTime: number }>;
}

export interface TestCounts {
	passed: number;
	failed: number;
	skipped: number;
}

/** Counts tests. A file that could not be run counts as one failed test; so does a failed step before the tests. */
export function countTests(results: JestResults | undefined, stepFailed: boolean): TestCounts {
	const passed = results?.numPassedTests ?? 0;
	const skipped = results?.numPendingTests ?? 0;
	const failed = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 0;
	return { passed, failed: failed === 0 && stepFailed ? 1 : failed, skipped };
}

/** How long a test file took. */
interface SuiteTime {
	/** Its path in the project. */
	name: string;
	seconds: number;
}

/** Returns the slowest test files, the slowest first. @param root the project's folder */
function slowestSuites(results: JestResults | undefined, root: string, count: number): SuiteTime[] {
	return (results?.testResults ?? [])
		.map(({ name, startTime, endTime }) => ({ name: relative(root, name), seconds: (endTime - startTime) / 1000 }))
		.sort((one, other) => other.seconds - one.seconds)
		.slice(0, count);
}

const jest = join('node_modules', 'jest', 'bin', 'jest.js');

/** How long a worker may take to free its memory at the end: a gigabyte takes seconds on a busy machine. */
const EXIT_SECONDS = 20;

/** Jest's message about a worker that had to be killed because a server, socket, timer or process was left open. */
const STAYED = 'A worker process has failed to exit gracefully';

/**
 * Runs jest in the project's folder.
 *
 * @returns its status; 1 if the tests passed but left something open
 */
export async function runJest(args: string[], { env }: { env?: NodeJS.ProcessEnv } = {}): Promise<number> {
	let stayed = false;
	let rest = '';
	const onError = (text: string) => {
		rest += text;
		stayed ||= rest.includes(STAYED);
		rest = rest.slice(-STAYED.length);
	};
	const status = await runVisibly([jest, `--workerGracefulExitTimeout=${EXIT_SECONDS * 1000}`, ...args], root, {
		env,
		onError,
	});
	return status === 0 && stayed ? 1 : status;
}
