// Everything that needs no n8n, one step after the other: node scripts/run.mjs test [arguments for jest]
import { join } from 'node:path';

import { runTests } from './lib/testRun.mts';

const tsc = join('node_modules', 'typescript', 'bin', 'tsc');

await runTests(
	'test',
	[
		// The build comes first: the lint reads the built nodes too.
		['Build', [join('scripts', 'run.mjs'), 'build']],
		['Lint', [join('scripts', 'lint.mts')]],
		['Types', [tsc, '--noEmit', '-p', 'tsconfig.json'], [tsc, '--noEmit', '-p', join('test', 'tsconfig.json')]],
	],
	process.argv.slice(2),
);
