// Mutation testing: changes the code on which money and security depend, one place at a time, and runs the fast tests.
// Each change must make a test fail. npm run test:mutation -- [folders]; without folders, it uses the folder of this
// week. npm run test:mutation -- integration [--sample 300] [--seed text]: runs the integration tests for a sample of
// changes. The results of each folder are kept in .cache/mutation: only changed code and tests run again. A folder
// fails below the score of Stryker's configuration.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { copied, folders, INTEGRATION } from '../test/mutation/folders.mts';
import { type MutationReport, type Score, scoreInWords, scoreOf } from '../test/mutation/score.mts';
import { cache, root } from './lib/places.mts';
import { runCaptured, runVisibly } from './lib/process.mts';

/** The number of changes for which the integration tests run. */
const SAMPLE = 300;

const tools = join('tools', 'mutation');
const copy = join(cache, 'mutation', 'deliberate');

const inOneLine = (code: string) => code.replaceAll(/\s+/g, ' ');

/** Runs the tests of some folders in the copy. @returns the exit status and output of jest */
async function runTests(names: string[]): Promise<{ status: number; output: string }> {
	process.env.MUTATION_FOLDERS = names.join(',');
	const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	return await runCaptured([jest, '--config', join(tools, 'jest.config.cjs')], copy);
}

/** Copies the files that the tests need. */
function copySources(): void {
	rmSync(copy, { recursive: true, force: true });
	mkdirSync(copy, { recursive: true });
	const installed = join(root, 'sandbox', 'node_modules');
	for (const part of copied) {
		cpSync(join(root, part), join(copy, part), { recursive: true, filter: (source) => source !== installed });
	}
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
}

/**
 * Makes the deliberate change of each folder in the copy. This proves, independently of Stryker, that the tests really
 * run against the changed code.
 *
 * @throws Error if the tests fail without a change, or pass with it
 */
async function checkDeliberateChanges(names: string[]): Promise<void> {
	copySources();
	const { status, output } = await runTests(names);
	if (status !== 0) {
		throw new Error(`The tests fail without any change:\n${output}`);
	}
	for (const name of names) {
		const { path, deliberate } = folders[name];
		const { code, changed } = deliberate;
		const file = join(copy, path, deliberate.file);
		const original = readFileSync(file, 'utf8');
		const [before, after, another] = original.split(code);
		if (after === undefined || another !== undefined) {
			throw new Error(`${file} has to have this code once: ${code}`);
		}
		writeFileSync(file, before + changed + after);
		const withChange = await runTests([name]);
		writeFileSync(file, original);
		const where = `with \`${inOneLine(changed)}\` in place of \`${inOneLine(code)}\` in ${file.slice(copy.length + 1)}`;
		if (withChange.status === 0) {
			throw new Error(`No test fails ${where}`);
		}
		console.log(`A test fails ${where}`);
	}
}

/**
 * Deletes the results of constants that no test noticed, because Stryker reuses them even if a new test covers them.
 *
 * @param known the file in which Stryker keeps the results of a folder
 */
function forgetConstants(known: string): void {
	const results = JSON.parse(readFileSync(known, 'utf8')) as MutationReport;
	for (const file of Object.values(results.files)) {
		file.mutants = file.mutants.filter(
			({ static: isConstant, status }) => !isConstant || !['Survived', 'NoCoverage'].includes(status),
		);
	}
	writeFileSync(known, JSON.stringify(results));
}

/**
 * Runs Stryker on a folder.
 *
 * @returns its exit status and the score
 */
async function mutate(name: string): Promise<Score & { status: number }> {
	process.env.MUTATION_FOLDERS = name;
	const known = join(cache, 'mutation', `${name}.incremental.json`);
	if (existsSync(known)) {
		forgetConstants(known);
	}
	return await runStryker(name, join(tools, 'stryker.config.mjs'));
}

/** Runs Stryker on a sample of changes, with the integration tests. @returns as `mutate` */
async function mutateSample(size: string, seed: string): Promise<Score & { status: number }> {
	process.env.MUTATION_SAMPLE = size;
	process.env.MUTATION_SEED = seed;
	console.log(`A sample of ${size} with --seed ${seed}`);
	return await runStryker(INTEGRATION, join(tools, 'integration', 'stryker.config.mjs'));
}

/** @returns the exit status of Stryker, and the score in its report */
async function runStryker(name: string, config: string): Promise<Score & { status: number }> {
	const report = join(cache, 'mutation', `${name}.json`);
	rmSync(report, { force: true });
	const stryker = join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const status = await runVisibly([stryker, 'run', config], root);
	const files = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as MutationReport).files : {};
	return { status, ...scoreOf({ files }) };
}

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		sample: { type: 'string', default: String(SAMPLE) },
		seed: { type: 'string', default: new Date().toISOString().slice(0, 10) },
	},
});
const all = [...Object.keys(folders), INTEGRATION];
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) {
	throw new Error(`There is no folder ${unknown.join(', ')}. Folders: ${all.join(', ')}.`);
}
/** The default is the folder of this week, because all folders together take over two hours. */
const ofThisWeek = Object.keys(folders)[Math.floor(Date.now() / 604_800_000) % Object.keys(folders).length]!;
const names = positionals.length > 0 ? positionals : [ofThisWeek];
const unitNames = names.filter((name) => name !== INTEGRATION);
if (unitNames.length > 0) {
	await checkDeliberateChanges(unitNames);
}
const lines: string[] = [];
for (const folder of names) {
	console.log(`\n── ${folders[folder]?.path ?? folder} ──`);
	const { status, noticed, all } =
		folder === INTEGRATION ? await mutateSample(values.sample, values.seed) : await mutate(folder);
	process.exitCode ||= status;
	lines.push(`${folder}: ${scoreInWords({ noticed, all })}`);
}
console.log(`\n${lines.join('\n')}\nPages: .cache/mutation/*.html`);
