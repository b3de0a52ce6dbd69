// The packed package in a real n8n: node scripts/run.mjs test:e2e [arguments for jest]
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cache, userFolders } from './lib/places.mts';
import { runTests } from './lib/testRun.mts';

const folder = join(cache, 'e2e');
// What an earlier run left is for whoever looked into its failures.
mkdirSync(userFolders, { recursive: true });
const left = readdirSync(userFolders).filter((name) => name.startsWith('e2e-'));
for (const old of [folder, ...left.map((name) => join(userFolders, name))]) {
	rmSync(old, { recursive: true, force: true, maxRetries: 3 });
}

// The jest configuration has two tiers.
process.env.TEST_TIER = 'e2e';

await runTests('e2e', [[['Package', [join('scripts', 'run.mjs'), 'pack', folder]]]], process.argv.slice(2));
