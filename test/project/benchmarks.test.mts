import { chartOf } from '../bench/charts.mts';
import { percentile, ratio, show, spread } from '../bench/numbers.mts';
import { page } from '../bench/page.mts';
import { type Chart, svg, ticks } from '../bench/plot.mts';
import { atLeast, atMost, type RowResult } from '../bench/result.mts';
import { inMinutes, progress } from '../bench/rounds.mts';

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

test('the progress of a row says the round and the time that is left', () => {
	expect(progress(1, 5, 0)).toBe('round 1 of 5');
	expect(progress(3, 5, 240)).toBe('round 3 of 5, about 6 min left');
	expect([10, 80, 3000].map(inMinutes)).toEqual(['less than a minute', 'about 1 min', 'about 50 min']);
});

test('an axis has a few round numbers, and none of the values lies beyond it', () => {
	expect([97, 2.3, 0, 1000, 0.04].map(ticks)).toEqual([
		[0, 20, 40, 60, 80, 100],
		[0, 0.5, 1, 1.5, 2, 2.5],
		[0, 0.2, 0.4, 0.6, 0.8, 1],
		[0, 200, 400, 600, 800, 1000],
		[0, 0.01, 0.02, 0.03, 0.04],
	]);
});

const chart: Chart = {
	title: 'Rate & <time>',
	x: 'Seconds',
	y: 'Calls',
	series: [
		{
			name: '1 worker',
			points: [
				[0, 0],
				[100, 50],
			],
		},
		{
			name: '2 workers',
			points: [
				[0, 100],
				[50, 25],
			],
		},
	],
};

test('a chart draws each point at its place, and follows the color scheme of the reader', () => {
	const text = svg([chart, chart]);
	const lines = [...text.matchAll(/<polyline [^>]*points="([^"]+)"/g)].map(([, points = '']) =>
		points.split(' ').map((point) => point.split(',').map(Number)),
	);
	expect(lines).toHaveLength(4);
	const [first, second] = lines as [number[][], number[][]];
	const [left, bottom] = first[0]!;
	const [right, top] = [first[1]![0]!, second[0]![1]!];
	expect(first[1]).toEqual([right, (bottom! + top) / 2]);
	expect(second).toEqual([
		[left, top],
		[(left! + right) / 2, bottom! + (top - bottom!) / 4],
	]);
	expect(text).toContain('Rate &amp; &lt;time>');
	expect(text).toContain('prefers-color-scheme: dark');
	// Every element is closed, so that it is a picture at all.
	const open = [...text.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)].reduce<string[]>((stack, [, end, name, alone]) => {
		if (end) {
			expect(stack.pop()).toBe(name);
		} else if (!alone) {
			stack.push(name!);
		}
		return stack;
	}, []);
	expect(open).toEqual([]);
});

test('the chart of a row shows the medians of those that were measured for several N', () => {
	const run = (...times: number[]) => times.map((milliseconds) => ({ milliseconds }));
	const raw = {
		'ours 20': run(3000, 1000, 2000),
		'ours 5': run(9000),
		'HTTP Request, all at once': run(1),
		'bare 5': run(4),
	};
	const row = { title: '1. Time', how: [], tables: [], targets: [], raw };
	expect(chartOf(row)?.series).toEqual([
		{
			name: 'Our node',
			points: [
				[5, 9],
				[20, 2],
			],
		},
	]);
	expect(chartOf({ ...row, title: '1b. Time' })).toBeUndefined();
});
