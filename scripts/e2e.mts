// The packed package in a real n8n: node scripts/run.mjs test:e2e [arguments for jest]
// Also test:scale and screenshots, which run some of the same test files in another way.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cache, root, userFolders } from './lib/places.mts';
import { runTests } from './lib/testRun.mts';

const [tier = 'e2e', ...jestArguments] = process.argv.slice(2);
const folder = join(cache, 'e2e');
// What an earlier run left is for whoever looked into its failures.
mkdirSync(userFolders, { recursive: true });
const left = readdirSync(userFolders).filter((name) => name.startsWith('e2e-'));
for (const old of [folder, ...left.map((name) => join(userFolders, name))]) {
	rmSync(old, { recursive: true, force: true, maxRetries: 3 });
}

// jest.config.cjs goes by it, and so do the tests that are larger in one tier than in another.
process.env.TEST_TIER = tier;

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
const tarball = join(folder, `${name}-${version}.tgz`);
const pack = [join('scripts', 'run.mjs'), 'pack', folder];
const prepare = [join('test', 'e2e', 'prepare.mts'), tarball];
await runTests(
	tier,
	[
		['Package', pack],
		['First start of n8n', prepare],
	],
	jestArguments,
);
