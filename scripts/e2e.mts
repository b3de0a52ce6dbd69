// The packed package in a real n8n: node scripts/run.mjs test:e2e [arguments for jest]
import { join } from 'node:path';
import { cache } from './lib/places.mts';
import { runTests } from './lib/testRun.mts';

// The jest configuration has two tiers.
process.env.TEST_TIER = 'e2e';

await runTests(
	'e2e',
	[['Package', [join('scripts', 'run.mjs'), 'pack', join(cache, 'e2e')]]],
	process.argv.slice(2),
);
