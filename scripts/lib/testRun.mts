import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache, root } from './places.mts';
import { runVisibly } from './process.mts';
import { countTests, type JestResults } from './testCounts.mts';

/** One step of a test run: its name, and what Node.js runs. */
export type Step = [name: string, ...commands: string[][]];

const jest = join('node_modules', 'jest', 'bin', 'jest.js');

/**
 * Runs steps one after the other, jest last, and stops at the first that fails. Sets the exit status,
 * ends with one line of counts, and leaves them in `.cache/<name>-summary.json`.
 *
 * @param jestArguments what the user gave, such as `-t "a sentence"`
 */
export async function runTests(name: string, steps: Step[], jestArguments: string[]): Promise<void> {
	process.on('SIGINT', () => process.exit(130));
	process.on('SIGTERM', () => process.exit(143));

	const started = Date.now();
	const jestResults = join(cache, `${name}-results.json`);
	const summary = join(cache, `${name}-summary.json`);
	mkdirSync(cache, { recursive: true });
	for (const file of [jestResults, summary]) {
		rmSync(file, { force: true });
	}

	// A test that fails may leave a server open: the others' results must come all the same.
	const tests = [jest, '--forceExit', '--json', '--outputFile', jestResults, ...jestArguments];
	let failedStep: string | undefined;
	const done: string[] = [];
	for (const [title, ...commands] of [...steps, ['Tests', tests] satisfies Step]) {
		console.log(`\n── ${title} ──`);
		const stepStarted = Date.now();
		const status = await runAll(commands);
		const outcome = status === 0 ? 'passed' : `ended with status ${status}`;
		console.log(`── ${title}: ${outcome} (${seconds(stepStarted)}) ──`);
		if (status !== 0) {
			failedStep = title;
			process.exitCode = status;
			break;
		}
		done.push(title.toLowerCase());
	}

	const counts = countTests(readResults(jestResults), failedStep !== undefined);
	writeFileSync(summary, JSON.stringify(counts));
	const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
	const where = failedStep === undefined ? `${done.join(', ')} passed` : `stopped at: ${failedStep}`;
	console.log(`\n${counts.passed} tests passed, ${counts.failed} failed${skipped}; ${where}; ${seconds(started)}`);
}

async function runAll(commands: string[][]): Promise<number> {
	for (const command of commands) {
		const status = await runVisibly(command, root);
		if (status !== 0) {
			return status;
		}
	}
	return 0;
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
