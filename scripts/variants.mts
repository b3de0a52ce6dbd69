// What users do with the nodes, at every service that the sandbox can be, and at sets of them: npm run test:variants
// Writes what came of it into docs/contributing/assumptions.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Cell, withCells } from '../test/variants/table.mts';
import { runJest } from './lib/jest.mts';
import { cache, root } from './lib/places.mts';

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const status = await runJest(['test/integration/variants', 'test/sandbox/variants'], {
	env: { ...process.env, VARIANTS: 'all' },
});
process.exitCode = status;
if (status === 0) {
	const cells = JSON.parse(readFileSync(join(cache, 'variants.json'), 'utf8')) as Cell[];
	const page = join(root, 'docs', 'contributing', 'assumptions.md');
	writeFileSync(page, withCells(readFileSync(page, 'utf8'), cells));
	const said = cells.filter((cell) => cell.is === 'says so').length;
	console.log(`${cells.length} jobs: ${((100 * said) / cells.length).toFixed(1)} % say so, the others work.`);
}
