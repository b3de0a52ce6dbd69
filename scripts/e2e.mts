// Tests the packed package in a real n8n: node scripts/run.mjs test:e2e [arguments for jest]
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cache, userFolders } from './lib/places.mts';
import { runTests } from './lib/testRun.mts';

const folder = join(cache, 'e2e');
// Earlier runs leave their folders for debugging; remove them now.
mkdirSync(userFolders, { recursive: true });
const leftovers = readdirSync(userFolders).filter((name) => name.startsWith('e2e-'));
for (const oldFolder of [folder, ...leftovers.map((name) => join(userFolders, name))]) {
	rmSync(oldFolder, { recursive: true, force: true, maxRetries: 3 });
}

// Selects the end-to-end tests in the jest configuration.
process.env.TEST_TIER = 'e2e';

await runTests('e2e', [[['Package', [join('scripts', 'run.mjs'), 'pack', folder]]]], process.argv.slice(2));
