// The packed package in a real n8n: node scripts/run.mjs test:e2e [arguments for jest]
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './lib/places.mts';
import { runTests } from './lib/testRun.mts';

const folder = join(cache, 'e2e');
// What an earlier run left is for whoever looked into its failures.
rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

// The jest configuration has two tiers.
process.env.TEST_TIER = 'e2e';

await runTests(
	'e2e',
	[['Package', [join('scripts', 'run.mjs'), 'pack', folder]]],
	process.argv.slice(2),
);
