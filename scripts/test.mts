// Everything that needs no n8n: node scripts/run.mjs test [arguments for jest]
import { join } from 'node:path';

import { cache } from './lib/places.mts';
import { runTests } from './lib/testRun.mts';

const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
/** Checks the types of a project. What the compiler found out about each file stays for the next run. */
const types = (name: string, project: string) => [
	...[tsc, '-p', join(project, 'tsconfig.json')],
	...['--incremental', '--tsBuildInfoFile', join(cache, 'types', `${name}.tsbuildinfo`)],
];

await runTests(
	'test',
	[
		[
			// The build comes first: the lint reads the built nodes too. It checks the types of nodes/ and credentials/.
			['Build', [join('scripts', 'run.mjs'), 'build']],
			['Lint', [join('scripts', 'lint.mts')]],
		],
		[
			['Types', types('test', 'test')],
			['Types of the console', types('console', join('sandbox', 'console'))],
		],
	],
	process.argv.slice(2),
);
