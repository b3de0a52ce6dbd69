import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runJest } from './jest.mts';
import { cache, root } from './places.mts';
import { runCaptured } from './process.mts';
import { countTests, type JestResults, slowestSuites } from './testCounts.mts';

/** One step of a test run: its name, and what Node.js runs. */
export type Step = [name: string, ...commands: string[][]];

const SLOWEST = 10;

/**
 * Runs steps, then jest if all of them passed. Sets the exit status, ends with the slowest test files and one line of
 * counts, and leaves the counts in `.cache/<name>-summary.json`.
 *
 * @param chains run at the same time; the steps of a chain run one after the other, up to the first that fails
 * @param jestArguments what the user gave, such as `-t "a sentence"`
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

/** Runs steps one after the other; gives the name of the one that failed. */
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
		// Other steps run at the same time: the output of one is shown together.
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
