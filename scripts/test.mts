// Everything that needs no n8n: node scripts/run.mjs test [arguments for jest]
import { join } from 'node:path';

import { cache } from './lib/places.mts';
import { runTests } from './lib/testRun.mts';

const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
// What the compiler found out about each file stays for the next run.
const incremental = ['--incremental', '--tsBuildInfoFile', join(cache, 'types', 'test.tsbuildinfo')];

await runTests(
	'test',
	[
		[
			// The build comes first: the lint reads the built nodes too. It checks the types of nodes/ and credentials/.
			['Build', [join('scripts', 'run.mjs'), 'build']],
			['Lint', [join('scripts', 'lint.mts')]],
		],
		[['Types', [tsc, '-p', join('test', 'tsconfig.json'), ...incremental]]],
	],
	process.argv.slice(2),
);
