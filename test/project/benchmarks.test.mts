import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { type Circumstances, page } from '../bench/page.mts';
import type { RowResult } from '../bench/result.mts';

test('docs/contributing/benchmarks.md shows the results that are stored', () => {
	const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
	const stored = JSON.parse(read('test', 'bench', 'results', 'benchmarks.json'));
	const { results, ...circumstances } = stored as Circumstances & { results: RowResult[] };
	expect(read('docs', 'contributing', 'benchmarks.md')).toBe(page(results, circumstances));
});
