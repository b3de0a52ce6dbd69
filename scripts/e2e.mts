// Tests the packed package in a real n8n: npm run test:e2e -- [tier] [arguments for jest]
// npm run screenshots and npm run test:compat run a tier, too.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cache, userFolders } from './lib/places.mts';
import { runTests } from './lib/testRun.mts';
import { preparePrograms } from './setup/programs.mjs';

/** The programs that each tier of jest.config.cjs needs besides n8n. */
const needsOf = new Map([
	['e2e', ['chromium']],
	['builders', []],
	['compat', []],
	['deployments', ['nginx']],
	['queueMode', ['databases']],
	['scale', ['chromium']],
	['screenshots', ['chromium', 'ffmpeg']],
]);

const [first = '', ...rest] = process.argv.slice(2);
const [tier, jestArguments] = needsOf.has(first) ? [first, rest] : ['e2e', process.argv.slice(2)];
// Selects the test files in jest.config.cjs, and the size of the tests that differ between tiers.
process.env.TEST_TIER = tier;

for (const need of needsOf.get(tier) ?? []) {
	Object.assign(process.env, await preparePrograms(need, process.env));
}

const folder = join(cache, 'e2e');
// Earlier runs leave their folders for debugging: they are removed now. A run with the same n8n can reuse its
// preparation.
mkdirSync(userFolders, { recursive: true });
const isLeft = (name: string) => name.startsWith('e2e-') && !(process.env.KEEP_PREPARED && name === 'e2e-prepared');
const leftovers = readdirSync(userFolders).filter(isLeft);
for (const oldFolder of [folder, ...leftovers.map((name) => join(userFolders, name))]) {
	rmSync(oldFolder, { recursive: true, force: true, maxRetries: 3 });
}

const firstStart = [join('test', 'e2e', 'prepare.mts'), folder];
await runTests(tier, [[['Package and first start of n8n', firstStart]]], jestArguments);
