// Breaks each promise of docs/testing.md on purpose: npm run test:promises -- [--others] [words of a promise]
// The test that is named for a promise has to fail. --others also reports which other tests of the same folder fail.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { type Break, broken } from '../test/promises/break.mts';
import { breaks } from '../test/promises/breaks.mts';
import { cache, root } from './lib/places.mts';
import { runCaptured } from './lib/process.mts';

/** What is used of the results that jest writes with `--json`. */
interface Results {
	testResults: Array<{ message: string; assertionResults: Array<{ fullName: string; status: string }> }>;
}

/** Two of them run at the same time, each in a copy of its own. */
const COPIES = 2;
const jest = join('node_modules', 'jest', 'bin', 'jest.js');

/** Copies the project as it is in the work tree. @returns the folder of the copy */
function copyProject(index: number): string {
	const copy = join(cache, 'promises', String(index));
	rmSync(copy, { recursive: true, force: true });
	const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
		cwd: root,
		encoding: 'utf8',
	});
	for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
		mkdirSync(dirname(join(copy, file)), { recursive: true });
		cpSync(join(root, file), join(copy, file));
	}
	for (const folder of ['node_modules', join('sandbox', 'node_modules'), join('tools', 'lint', 'node_modules')]) {
		symlinkSync(join(root, folder), join(copy, folder), 'junction');
	}
	mkdirSync(join(copy, '.cache'));
	for (const tool of ['n8n', 'node24'].filter((name) => existsSync(join(cache, name)))) {
		symlinkSync(join(cache, tool), join(copy, '.cache', tool), 'junction');
	}
	return copy;
}

/** Runs tests in a copy. @returns the full names of those that passed and failed, and the output */
async function runTests(copy: string, args: string[]) {
	const file = join(copy, '.cache', 'promises.json');
	rmSync(file, { force: true });
	const { output } = await runCaptured([jest, '--forceExit', ...args, '--json', '--outputFile', file], copy);
	const { testResults } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : { testResults: [] };
	const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
	const withStatus = (wanted: string) =>
		tests.filter(({ status }) => status === wanted).map(({ fullName }) => fullName);
	return { passed: withStatus('passed'), failed: withStatus('failed'), output };
}

/** The folders with the unit and integration tests of a changed file. */
const testsBeside = (file: string) =>
	['unit', 'integration']
		.map((kind) => join('test', kind, dirname(file).replace(/^nodes\//, '')))
		.filter((folder) => existsSync(join(root, folder)));

const asPattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Breaks a promise in a copy, and mends it. @returns what is wrong, or what else failed */
async function breakPromise(copy: string, one: Break): Promise<{ problem?: string; others: string[] }> {
	const file = join(copy, one.file);
	const original = readFileSync(file, 'utf8');
	writeFileSync(file, broken(original, one));
	try {
		const test = join('test', one.test);
		const { passed, failed, output } = await runTests(copy, [test, '-t', asPattern(one.name)]);
		if (failed.length === 0) {
			const what = passed.length > 0 ? `passes: ${passed.join('; ')}` : `could not be run:\n${output.slice(-3000)}`;
			return { problem: `${one.test} ${what}`, others: [] };
		}
		const others = values.others ? (await runTests(copy, testsBeside(one.file))).failed : [];
		return { others: others.filter((name) => !failed.includes(name)) };
	} finally {
		writeFileSync(file, original);
	}
}

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
const { values, positionals } = parseArgs({
	options: { others: { type: 'boolean', default: false } },
	allowPositionals: true,
});
const words = positionals.join(' ').toLowerCase();
const chosen = breaks.filter((one) => one.promise.toLowerCase().includes(words));
// All changes are tried before the first test is run.
for (const one of breaks) {
	broken(readFileSync(join(root, one.file), 'utf8'), one);
}

const copies = Array.from({ length: COPIES }, (_, index) => copyProject(index + 1));
const files = [...new Set(chosen.map(({ test }) => join('test', test)))];
console.log(`Running ${files.length} test files without a change …`);
const { failed, passed, output } = await runTests(copies[0], files);
if (failed.length > 0 || passed.length === 0) {
	throw new Error(`Tests fail without any change: ${failed.join('; ') || output.slice(-3000)}`);
}
const waiting = [...chosen];
const problems: string[] = [];
await Promise.all(
	copies.map(async (copy) => {
		for (let one = waiting.shift(); one; one = waiting.shift()) {
			const start = Date.now();
			const { problem, others } = await breakPromise(copy, one);
			const seconds = ((Date.now() - start) / 1000).toFixed(0);
			console.log(`${problem ? '✗' : '✓'} ${one.promise} (${seconds} s)${problem ? `\n  ${problem}` : ''}`);
			for (const other of others) {
				console.log(`    also: ${other}`);
			}
			if (problem) {
				problems.push(one.promise);
			}
		}
	}),
);
console.log(`\n${chosen.length - problems.length} of ${chosen.length} broken promises were noticed`);
process.exitCode = problems.length > 0 || chosen.length === 0 ? 1 : 0;
