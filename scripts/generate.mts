// Writes every generated file: npm run generate -- [names of suites]
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';

import { generatedSuites, reasonOf, runTasks, type Task } from './lib/generating.mts';
import { cache, root } from './lib/places.mts';
import { runCaptured } from './lib/process.mts';
import { buildIfChanged } from './setup/dist.mjs';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

/** The folders that hold generated files. */
const folders = ['docs', 'nodes', 'test/docs'];

/** The suites that write code of the nodes, which all others load. */
const code = ['numberingPlans', 'openApiDocument'];

/** The suites that read what others write. What recordedRuns writes is built into dist/, which errorTable loads. */
const reads: Record<string, string[]> = { operationsPage: ['recordedRuns'], errorTable: ['recordedRuns'] };

const suites = generatedSuites();

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !suites.has(name));
if (unknown.length > 0) {
	throw new Error(`There is no suite ${unknown.join(', ')}. Suites: ${[...suites.keys()].join(', ')}.`);
}

process.env.GENERATE = '1';
const started = Date.now();
const results = join(cache, 'generate');
mkdirSync(results, { recursive: true });

async function build(): Promise<string | undefined> {
	try {
		await buildIfChanged();
		return undefined;
	} catch (error) {
		const { message } = error as Error;
		console.log(message);
		return message.split('\n').find((line) => /error/i.test(line)) ?? message;
	}
}

/**
 * Runs one suite in a process of its own. jest prints that a worker did not exit if that takes more than half a second
 * after the last test, as it does on a busy machine; without workers there is nothing to wait for.
 */
async function runSuite(name: string, file: string): Promise<string | undefined> {
	const outputFile = join(results, `${name}.json`);
	rmSync(outputFile, { force: true });
	const jest = [join('node_modules', 'jest', 'bin', 'jest.js'), '--runInBand', '--json', '--outputFile', outputFile];
	const { status, output } = await runCaptured([...jest, '--runTestsByPath', file], root);
	process.stdout.write(output.replace(/^\{"numFailedTestSuites".*\n?/m, ''));
	return status === 0 ? undefined : reasonOf(read(outputFile), status);
}

function read(file: string): Parameters<typeof reasonOf>[0] {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return {};
	}
}

const tasks: Record<string, Task> = {};
for (const [name, file] of suites) {
	if (chosen.length > 0 && !chosen.includes(name)) {
		continue;
	}
	const before = code.includes(name) ? [] : [...code, ...(reads[name] ?? [])];
	// The integration tests run the built nodes.
	const needs = file.includes(`${sep}integration${sep}`) ? 'build' : undefined;
	if (needs) {
		tasks.build = { after: code, run: build };
	}
	tasks[name] = { after: needs ? [...before, needs] : before, needs, run: async () => await runSuite(name, file) };
}
const failures = await runTasks(tasks, availableParallelism());

/** The suites leave a file alone that is up to date. */
const written = folders.flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((file) => statSync(file).mtimeMs >= started)
		.map((file) => file.slice(root.length + 1)),
);
console.log(written.length === 0 ? '\nNothing changed.' : `\nChanged:\n${written.join('\n')}`);
if (failures.length > 0) {
	console.log(`\nFailed:\n${failures.map(([name, reason]) => `${name}: ${reason}`).join('\n')}`);
	process.exitCode = 1;
}
