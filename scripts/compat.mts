// Runs all checks whose results can differ between versions of n8n: npm run test:compat -- [--keep] [version ...]
// Without a version, it uses all versions with a lock file. Write the counts into docs/contributing/compatibility.md.
// Each version is installed before its run and, without --keep, removed afterwards.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installN8n, ownVersion, removeN8n, versions } from './lib/compatChecks.mts';
import { cache, root } from './lib/places.mts';
import { runVisibly } from './lib/process.mts';
import { countTests, type JestResults, type TestCounts } from './lib/testRun.mts';

/** The tests of the errors that n8n's HTTP library reports, which differ between its versions. */
const TESTS = ['connectionFailures'];

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const { values: options, positionals: requested } = parseArgs({
	options: { keep: { type: 'boolean' } },
	allowPositionals: true,
});
const unknown = requested.filter((version) => !versions.includes(version));
if (unknown.length > 0) {
	console.error(`There is no lock file for n8n ${unknown.join(', ')}. Versions: ${versions.join(', ')}.`);
	process.exit(1);
}

/** How many checks passed and failed. */
type Counts = Pick<TestCounts, 'passed' | 'failed'>;

/**
 * Runs the examples and the checks in n8n, tests in n8n's engine, and the tests in n8n that jest.config.cjs lists.
 *
 * @param name the name of n8n's folder in `.cache`
 */
async function runWith(version: string, name: string): Promise<Counts> {
	const [checksFile, testsFile, inN8nFile] = ['checks', 'tests', 'summary'].map((kind) =>
		join(cache, `compat-${kind}.json`),
	) as [string, string, string];
	for (const old of [checksFile, testsFile, inN8nFile]) {
		rmSync(old, { force: true });
	}
	process.env.N8N_TO_TRY = name;
	process.env.N8N_MODULES = join(cache, name, 'node_modules', 'n8n', 'package.json');
	const read = <T,>(file: string): T | undefined => {
		try {
			return JSON.parse(readFileSync(file, 'utf8')) as T;
		} catch {
			return undefined;
		}
	};

	const checksStatus = await runVisibly([join('scripts', 'lib', 'compatRun.mts'), version, checksFile], root);
	const checks = read<Counts>(checksFile) ?? { passed: 0, failed: 1 };
	const jest = join('node_modules', 'jest', 'bin', 'jest.js');
	const testsStatus = await runVisibly([jest, ...TESTS, '--forceExit', '--json', '--outputFile', testsFile], root);
	const tests = countTests(read<JestResults>(testsFile), testsStatus !== 0);
	const inN8nStatus = await runVisibly([join('scripts', 'e2e.mts'), 'compat'], root);
	const inN8n = read<Counts>(inN8nFile) ?? { passed: 0, failed: 1 };
	const passed = checks.passed + tests.passed + inN8n.passed;
	const failed = checks.failed + tests.failed + inN8n.failed;
	return { passed, failed: failed === 0 && checksStatus + inN8nStatus !== 0 ? 1 : failed };
}

const lines: string[] = [];
for (const version of requested.length > 0 ? requested : versions) {
	console.log(`\n── n8n ${version} on Node.js ${process.versions.node} ──`);
	let counts = { passed: 0, failed: 1 };
	try {
		counts = await runWith(version, await installN8n(version));
	} catch (error) {
		console.error(error instanceof Error ? error.message : String(error));
	} finally {
		if (!options.keep) {
			removeN8n(version);
		}
	}
	lines.push(
		`n8n ${version}${version === ownVersion ? ' (own)' : ''}: ${counts.passed} passed, ${counts.failed} failed`,
	);
	process.exitCode ||= counts.failed > 0 ? 1 : 0;
}
console.log(`\n${lines.join('\n')}`);
