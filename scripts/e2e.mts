// Tests the packed package in a real n8n: npm run test:e2e -- [arguments for jest]
// Also test:scale, screenshots, tour and test:compat, which run some of the same test files in another way.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cache, userFolders } from './lib/places.mts';
import { runTests } from './lib/testRun.mts';

const [tier = 'e2e', ...jestArguments] = process.argv.slice(2);
const folder = join(cache, 'e2e');
// Earlier runs leave their folders for debugging; remove them now. A run with the same n8n can use what was prepared.
mkdirSync(userFolders, { recursive: true });
const isLeft = (name: string) => name.startsWith('e2e-') && !(process.env.KEEP_PREPARED && name === 'e2e-prepared');
const leftovers = readdirSync(userFolders).filter(isLeft);
for (const oldFolder of [folder, ...leftovers.map((name) => join(userFolders, name))]) {
	rmSync(oldFolder, { recursive: true, force: true, maxRetries: 3 });
}

// Selects the test files in jest.config.cjs, and the size of the tests that differ between tiers.
process.env.TEST_TIER = tier;

const prepare = [join('test', 'e2e', 'prepare.mts'), folder];
await runTests(tier, [[['Package and first start of n8n', prepare]]], jestArguments);
