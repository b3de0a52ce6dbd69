import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { type Circumstances, page } from '../bench/page.mts';
import { atMost, type RowResult } from '../bench/result.mts';

test('docs/contributing/benchmarks.md shows the results that are stored', () => {
	const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
	const stored = JSON.parse(read('test', 'bench', 'results', 'benchmarks.json'));
	const { results, ...circumstances } = stored as Circumstances & { results: RowResult[] };
	expect(read('docs', 'contributing', 'benchmarks.md')).toBe(page(results, circumstances));
});

test('a target is met at its limit, and the page says which was missed', () => {
	const targets = [0.89, 0.9, 1].map((value) => atMost('Less', String(value), value, 0.9));
	const row: RowResult = { title: '5. Loading', how: [], tables: [], targets };
	expect(page([row], { machine: 'A machine', versions: 'Node.js 24', date: '2026-11-21' })).toContain(
		'| 5 | Less | 0.89 | met |\n| 5 | Less | 0.9 | met |\n| 5 | Less | 1 | **missed** |\n\n## 5. Loading',
	);
});
