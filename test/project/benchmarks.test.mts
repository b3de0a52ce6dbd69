import { percentile, ratio, show, spread } from '../bench/numbers.mts';
import { page } from '../bench/page.mts';
import { atLeast, atMost, type RowResult } from '../bench/result.mts';

test('a median is the value in the middle, or between the two there, whatever the order', () => {
	expect(spread([5, 1, 3])).toEqual({ median: 3, low: 1, high: 5 });
	expect(spread([4, 1, 3, 2])).toEqual({ median: 2.5, low: 1, high: 4 });
});

test('a ratio is taken in each round, so that a slow machine slows both', () => {
	expect(ratio([10, 200, 30], [20, 400, 60])).toEqual({ median: 0.5, low: 0.5, high: 0.5 });
});

test('a percentile is one of the values, and so many percent are not above it', () => {
	const values = Array.from({ length: 200 }, (_, index) => 200 - index);
	expect([50, 95, 99, 100].map((percent) => percentile(values, percent))).toEqual([100, 190, 198, 200]);
	expect([percentile([7], 50), percentile([7], 99), percentile([], 50)]).toEqual([7, 7, NaN]);
});

test('a target is met at its limit, from above and from below', () => {
	expect([0.89, 0.9, 1].map((value) => atLeast('', '', value, 0.9).met)).toEqual([false, true, true]);
	expect([0.89, 0.9, 1].map((value) => atMost('', '', value, 0.9).met)).toEqual([true, true, false]);
});

test('a spread is shown where there is one', () => {
	expect(show(spread([1, 2, 4]), 1, ' s')).toBe('2.0 s (1.0 to 4.0)');
	expect(show(spread([100, 100]), 1, ' %')).toBe('100.0 %');
});

test('the page has each target with what was reached, and says which was missed', () => {
	const row: RowResult = {
		title: '5. Loading',
		how: ['In a fresh process.'],
		tables: [{ columns: ['', 'Time'], rows: [['This package', '31 ms']] }],
		targets: [atMost('At most 30 ms', '31 ms', 31, 30), atMost('At most 150 kB', '108 kB', 108, 150)],
		raw: {},
	};
	const text = page([row], { machine: 'A machine', versions: 'Node.js 24', date: '2026-11-21' });
	expect(text).toContain(
		'| Row | Target | Reached |  |\n|---|---|---|---|\n| 5 | At most 30 ms | 31 ms | **missed** |\n| 5 | At most 150 kB | 108 kB | met |',
	);
	expect(text).toContain('## 5. Loading\n\nIn a fresh process.\n\n|  | Time |\n|---|---|\n| This package | 31 ms |\n');
	expect(text).toContain('Measured on 2026-11-21. A machine. Node.js 24.');
});
