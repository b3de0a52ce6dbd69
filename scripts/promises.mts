// Breaks each promise of docs/contributing/promises.md on purpose: npm run test:promises -- [--e2e] [--others] [--why] [words of a promise]
// The test that is named for a promise has to fail. --e2e breaks the promises that only a real n8n or a browser proves,
// in place of the others. --others also reports which other tests of the same folder fail, --why how the test failed.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { type Break, breaks, broken, isEndToEnd } from '../test/promises/breaks.mts';
import { cache, root } from './lib/places.mts';
import { runCaptured } from './lib/process.mts';
import { prepareNode } from './setup/install.mjs';
import { prepare } from './setup/needs.mjs';

/** What is used of the results that jest writes with `--json`. */
interface Results {
	testResults: Array<{ assertionResults: Array<{ fullName: string; status: string; failureMessages: string[] }> }>;
}

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
	for (const tool of ['n8n', 'node24', 'oldVersions'].filter((name) => existsSync(join(cache, name)))) {
		symlinkSync(join(cache, tool), join(copy, '.cache', tool), 'junction');
	}
	return copy;
}

/** Runs tests in a copy. @returns the full names of those that passed and failed, and the output */
async function runTests(copy: string, args: string[]) {
	const file = join(copy, '.cache', values.e2e ? 'e2e-results.json' : 'promises.json');
	rmSync(file, { force: true });
	const command = values.e2e
		? [join('scripts', 'e2e.mts'), 'e2e', ...args]
		: [jest, '--forceExit', ...args, '--json', '--outputFile', file];
	const { output } = await runCaptured(command, copy);
	const { testResults } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : { testResults: [] };
	const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
	const withStatus = (wanted: string) =>
		tests.filter(({ status }) => status === wanted).map(({ fullName }) => fullName);
	const why = tests.flatMap(({ failureMessages }) => failureMessages.join('\n').split('\n').slice(0, 30)).join('\n');
	return { passed: withStatus('passed'), failed: withStatus('failed'), why, output };
}

/** The folders with the unit and integration tests of a changed file. */
const testsBeside = (file: string) =>
	['unit', 'integration']
		.map((kind) => join('test', kind, dirname(file).replace(/^nodes\//, '')))
		.filter((folder) => existsSync(join(root, folder)));

const asPattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Selects the test that has to fail, and those that it needs before it. */
const patternOf = ({ name, after }: Break) => [...after, name].map(asPattern).join('|');

/** Breaks a promise in a copy, and mends it. @returns what is wrong, or what else failed */
async function breakPromise(copy: string, one: Break): Promise<{ problem?: string; others: string[] }> {
	const file = join(copy, one.file);
	const original = readFileSync(file, 'utf8');
	writeFileSync(file, broken(original, one));
	try {
		const test = join('test', one.test);
		const { passed, failed, why, output } = await runTests(copy, [test, '-t', patternOf(one)]);
		if (values.why) {
			console.log(why);
		}
		const named = `passed: ${passed.join('; ')}; failed: ${failed.join('; ')}`;
		// The tests that it needs before it have to pass.
		if (failed.length === 0 || failed.some((name) => !name.includes(one.name))) {
			const what = passed.length + failed.length > 0 ? named : `could not be run:\n${output.slice(-3000)}`;
			return { problem: `${one.test} ${what}`, others: [] };
		}
		const others = values.others && !values.e2e ? (await runTests(copy, testsBeside(one.file))).failed : [];
		return { others: others.filter((name) => !failed.includes(name)) };
	} finally {
		writeFileSync(file, original);
	}
}

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
const { values, positionals } = parseArgs({
	options: {
		e2e: { type: 'boolean', default: false },
		others: { type: 'boolean', default: false },
		why: { type: 'boolean', default: false },
	},
	allowPositionals: true,
});
const words = positionals.join(' ').toLowerCase();
const ofKind = breaks.filter((one) => isEndToEnd(one) === values.e2e);
const chosen = ofKind.filter((one) => one.promise.toLowerCase().includes(words));
if (chosen.length === 0) {
	throw new Error(`No change breaks a promise with the words “${words}”.`);
}
// All changes are tried before the first test is run.
for (const one of breaks) {
	broken(readFileSync(join(root, one.file), 'utf8'), one);
}

if (values.e2e) {
	const toolchain = await prepareNode();
	await prepare(['n8n', 'oldVersions', 'chromium'], toolchain);
	Object.assign(process.env, toolchain.env);
}
const started = Date.now();
const seconds = (since: number) => ((Date.now() - since) / 1000).toFixed(0);
// Two run at the same time, each in a copy of its own. One n8n with a browser is enough.
const copies = Array.from({ length: values.e2e ? 1 : 2 }, (_, index) => copyProject(index + 1));
const files = [...new Set(chosen.map(({ test }) => join('test', test)))];
console.log(`Running ${files.length} test files without a change …`);
const onlyNamed = values.e2e ? ['-t', chosen.map(patternOf).join('|')] : [];
const { failed, passed, output } = await runTests(copies[0], [...files, ...onlyNamed]);
// All breaks have the same n8n.
process.env.KEEP_PREPARED = 'yes';
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
			console.log(`${problem ? '✗' : '✓'} ${one.promise} (${seconds(start)} s)${problem ? `\n  ${problem}` : ''}`);
			for (const other of others) {
				console.log(`    also: ${other}`);
			}
			if (problem) {
				problems.push(one.promise);
			}
		}
	}),
);
console.log(
	`\n${chosen.length - problems.length} of ${chosen.length} broken promises were noticed (${seconds(started)} s)`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
