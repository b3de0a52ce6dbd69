// Runs all checks and tests that do not need n8n: npm test -- [arguments for jest]
import { join } from 'node:path';

import { runTests } from './lib/testRun.mts';

await runTests(
	'test',
	[
		// The lint reads the built nodes, too.
		[['Build and lint', [join('scripts', 'lint.mts'), '--build']]],
		[['Types', [join('node_modules', 'typescript', 'bin', 'tsc'), '-b']]],
	],
	process.argv.slice(2),
);
