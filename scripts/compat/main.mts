// Runs everything that differs between versions of n8n: npm run test:compat -- [--keep] [version ...]
// Without a version, it runs in all versions that have a lock file. docs/contributing/compatibility.md gets a row for each of them.
// "newest" stands for the newest n8n that npm can install; it runs other tests, and gets no row.
// Each is installed before its run and removed afterwards, unless --keep says otherwise.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { cleanCommit } from '../lib/commit.mts';
import { cache, root } from '../lib/places.mts';
import { runVisibly } from '../lib/process.mts';
import { countTests, type JestResults, type TestCounts } from '../lib/testCounts.mts';
import { installN8n, installNewest, NEWEST, ownVersion, removeN8n, versions } from './install.mts';
import { type CompatRun, PAGE, withRuns } from './versionTable.mts';

/** What n8n's HTTP library reports differs between its versions. */
const TESTS = ['connectionFailures'];

for (const [signal, status] of [
	['SIGINT', 130],
	['SIGTERM', 143],
] as const) {
	process.on(signal, () => process.exit(status));
}

const { values: options, positionals: requested } = parseArgs({
	options: { keep: { type: 'boolean' } },
	allowPositionals: true,
});
const unknown = requested.filter((version) => version !== NEWEST && !versions.includes(version));
if (unknown.length > 0) {
	console.error(`There is no lock file for n8n ${unknown.join(', ')}. Versions: ${versions.join(', ')}, ${NEWEST}.`);
	process.exit(1);
}

/** How many checks passed and failed. */
type Counts = Pick<TestCounts, 'passed' | 'failed'>;

/**
 * Runs the examples and the checks in n8n, tests in n8n's engine, and those tests in n8n that jest.config.cjs lists.
 *
 * @param name of n8n's folder in `.cache`
 * @param tier in jest.config.cjs
 */
async function runWith(version: string, name: string, tier: 'compat' | 'newest'): Promise<Counts> {
	const file = (kind: string) => join(cache, `${tier}-${kind}.json`);
	const [checksFile, testsFile, inN8nFile] = [file('checks'), file('tests'), file('summary')];
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

	const checksStatus = await runVisibly([join('scripts', 'compat', 'run.mts'), version, checksFile], root);
	const checks = read<Counts>(checksFile) ?? { passed: 0, failed: 1 };
	const jest = join('node_modules', 'jest', 'bin', 'jest.js');
	const testsStatus = await runVisibly([jest, ...TESTS, '--forceExit', '--json', '--outputFile', testsFile], root);
	const tests = countTests(read<JestResults>(testsFile), testsStatus !== 0);
	const inN8nStatus = await runVisibly([join('scripts', 'e2e.mts'), tier], root);
	const inN8n = read<Counts>(inN8nFile) ?? { passed: 0, failed: 1 };
	const passed = checks.passed + tests.passed + inN8n.passed;
	const failed = checks.failed + tests.failed + inN8n.failed;
	return { passed, failed: failed === 0 && checksStatus + inN8nStatus !== 0 ? 1 : failed };
}

const commit = cleanCommit(PAGE);
const runs: Array<CompatRun & { wanted: string }> = [];
for (const wanted of requested.length > 0 ? requested : versions) {
	console.log(`\n── n8n ${wanted} on Node.js ${process.versions.node} ──`);
	const platform = `Node.js ${process.versions.node.split('.').slice(0, 2).join('.')}, ${process.platform}`;
	const date = new Date().toISOString().slice(0, 10);
	let counts = { passed: 0, failed: 1 };
	let version = wanted;
	try {
		if (wanted === NEWEST) {
			const newest = await installNewest();
			version = newest.version;
			counts = await runWith(version, newest.name, 'newest');
		} else {
			counts = await runWith(version, await installN8n(version), 'compat');
		}
	} catch (error) {
		console.error(error instanceof Error ? error.message : String(error));
	} finally {
		if (!options.keep) {
			removeN8n(wanted);
		}
	}
	runs.push({ wanted, version, date, platform, commit: commit ?? '', ...counts });
	if (counts.failed > 0) {
		process.exitCode = 1;
	}
}

console.log('');
for (const { wanted, version, passed, failed } of runs) {
	const which = wanted === NEWEST ? ' (the newest that npm can install)' : version === ownVersion ? ' (own)' : '';
	console.log(`n8n ${version}${which}: ${passed} passed, ${failed} failed`);
}
const rows = runs.filter(({ wanted }) => wanted !== NEWEST);
if (rows.length === 0) {
	console.log(`${PAGE} has no row for it.`);
} else if (commit === undefined || cleanCommit(PAGE) !== commit) {
	console.log(`${PAGE} stays as it is: its table names a commit, and there are changes that are not committed.`);
} else {
	const page = join(root, PAGE);
	writeFileSync(page, withRuns(readFileSync(page, 'utf8'), rows, versions));
	console.log(`${PAGE} has the result.`);
}
