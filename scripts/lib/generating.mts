import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { root } from './places.mts';

/** The suites that compare generated files, or write them with `GENERATE`: the test files, by name. */
export function generatedSuites(): Map<string, string> {
	const files = globSync('test/**/*.test.mts', { cwd: root }).filter((file) =>
		/from '.*\/docs\/generated\.mts'/.test(readFileSync(join(root, file), 'utf8')),
	);
	return new Map(files.map((file): [string, string] => [basename(file, '.test.mts'), file]).sort());
}

/** The part of the results that jest writes with `--json` which is used here. */
interface Results {
	testResults?: Array<{
		message?: string;
		assertionResults?: Array<{ status: string; title: string; failureMessages?: string[] }>;
	}>;
}

/** One thing to do, by its name: what has to end before it, and what it cannot do without. */
export interface Task {
	/** Tasks that end before this one starts, whether they fail or not. Those that are not there do not count. */
	after: readonly string[];
	/** A task of `after` without which this one cannot run. */
	needs?: string;
	/** @returns the first line of the reason why it failed; undefined if it did not */
	run(): Promise<string | undefined>;
}

/** Why a task failed, or that it could not run; by the name of the task, in the order of the tasks. */
export type Failures = Array<[name: string, reason: string]>;

/** Runs tasks, several at the same time, each after those before it. One that fails stops only those that need it. */
export async function runTasks(tasks: Readonly<Record<string, Task>>, atOnce: number): Promise<Failures> {
	const failures = new Map<string, string>();
	const waiting = new Set(Object.keys(tasks));
	const unfinished = new Set(waiting);
	const runners = new Map<string, Promise<void>>();
	const runOne = async (name: string, { needs = '', run }: Task) => {
		const reason = failures.has(needs) ? `not run: it needs ${needs}` : await run();
		if (reason !== undefined) {
			failures.set(name, reason);
		}
		unfinished.delete(name);
	};
	while (unfinished.size > 0) {
		for (const name of waiting) {
			const task = tasks[name] as Task;
			if (runners.size < atOnce && !task.after.some((other) => unfinished.has(other))) {
				waiting.delete(name);
				runners.set(
					name,
					runOne(name, task).finally(() => runners.delete(name)),
				);
			}
		}
		if (runners.size === 0) {
			throw new Error(`These wait for each other: ${[...waiting].join(', ')}.`);
		}
		await Promise.race(runners.values());
	}
	return Object.keys(tasks).flatMap((name) => {
		const reason = failures.get(name);
		return reason === undefined ? [] : [[name, reason]];
	});
}

/** The first line of the reason why a test file failed, with the test. */
export function reasonOf({ testResults = [] }: Results, status: number): string {
	const firstLine = (text = '') =>
		stripVTControlCharacters(text)
			.split('\n')
			.map((line) => line.trim())
			.find((line) => line !== '' && !line.startsWith('●'));
	const failed = testResults
		.flatMap(({ assertionResults = [] }) => assertionResults)
		.find((one) => one.status === 'failed');
	if (failed) {
		return `${failed.title}: ${firstLine(failed.failureMessages?.[0])}`;
	}
	return firstLine(testResults.find(({ message }) => message)?.message) ?? `ended with status ${status}`;
}
