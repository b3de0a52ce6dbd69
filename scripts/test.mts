// Everything that needs no n8n, one step after the other: node scripts/run.mjs test [arguments for jest]
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root } from './lib/places.mts';
import { runVisibly } from './lib/process.mts';
import { countTests, type JestResults } from './lib/testCounts.mts';

const jestResults = join(cache, 'jest-results.json');
const summary = join(cache, 'test-summary.json');

const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
const jest = join('node_modules', 'jest', 'bin', 'jest.js');

/** Each step: its name, and what Node.js runs. The build comes first: the lint reads the built nodes too. */
const steps: Array<[name: string, ...commands: string[][]]> = [
	['Build', [join('scripts', 'run.mjs'), 'build']],
	['Lint', [join('scripts', 'lint.mts')]],
	[
		'Types',
		[tsc, '--noEmit', '-p', 'tsconfig.json'],
		[tsc, '--noEmit', '-p', join('test', 'tsconfig.json')],
	],
	// A test that fails may leave a server open: the others' results must come all the same.
	['Tests', [jest, '--forceExit', '--json', '--outputFile', jestResults, ...process.argv.slice(2)]],
];

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const started = Date.now();
mkdirSync(cache, { recursive: true });
for (const file of [jestResults, summary]) rmSync(file, { force: true });

let failedStep: string | undefined;
const done: string[] = [];
for (const [name, ...commands] of steps) {
	console.log(`\n── ${name} ──`);
	const stepStarted = Date.now();
	const status = await runAll(commands);
	const time = seconds(stepStarted);
	console.log(`── ${name}: ${status === 0 ? 'passed' : `ended with status ${status}`} (${time}) ──`);
	if (status !== 0) {
		failedStep = name;
		process.exitCode = status;
		break;
	}
	done.push(name.toLowerCase());
}

const counts = countTests(readResults(), failedStep !== undefined);
writeFileSync(summary, JSON.stringify(counts));
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
const where = failedStep === undefined ? `${done.join(', ')} passed` : `stopped at: ${failedStep}`;
console.log(
	`\n${counts.passed} tests passed, ${counts.failed} failed${skipped}; ${where}; ${seconds(started)}`,
);

async function runAll(commands: string[][]): Promise<number> {
	for (const command of commands) {
		const status = await runVisibly(command, root);
		if (status !== 0) return status;
	}
	return 0;
}

function readResults(): JestResults | undefined {
	try {
		return JSON.parse(readFileSync(jestResults, 'utf8')) as JestResults;
	} catch {
		return undefined;
	}
}

function seconds(since: number): string {
	return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
