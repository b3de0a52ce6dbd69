import { spread } from './numbers.mts';
import type { Chart, Series } from './plot.mts';
import type { RowResult } from './result.mts';

/** Names of contenders in the measurements, as the charts show them. */
const shown: Record<string, string> = {
	ours: 'Our node',
	twice: 'Ours with 2N',
	least: 'Least node',
	bare: 'Bare loop',
	http: 'HTTP Request',
	nothing: 'Node that does nothing',
};

/** Returns the chart of a row, where one says more than the table. */
export function chartOf({ title, raw }: RowResult): Chart | undefined {
	switch (title.split('.')[0]) {
		case '1':
			return {
				title: '2,000 calls at 20 ms, by the number of requests in flight',
				x: 'N',
				y: 'Seconds',
				series: timeSeries(raw as Record<string, Array<{ milliseconds: number }>>),
			};
		case '4':
			return {
				title: 'Memory in use, by the number of items',
				x: 'Items',
				y: 'MB',
				series: memorySeries(raw as Record<string, Record<string, Array<{ heap: number }>>>),
			};
		default:
			return undefined;
	}
}

/** Contenders such as "ours 20" that were measured for several N. */
function timeSeries(runs: Record<string, Array<{ milliseconds: number }>>): Series[] {
	const points: Record<string, Array<[number, number]>> = {};
	for (const [contender, results] of Object.entries(runs)) {
		const [, name, n] = /^(.+) (\d+)$/.exec(contender) ?? [];
		if (name && n) {
			const { median } = spread(results.map(({ milliseconds }) => milliseconds / 1000));
			(points[name] ??= []).push([Number(n), median]);
		}
	}
	return named(points);
}

function memorySeries(runs: Record<string, Record<string, Array<{ heap: number }>>>): Series[] {
	const points: Record<string, Array<[number, number]>> = {};
	for (const [name, bySize] of Object.entries(runs)) {
		points[name] = Object.entries(bySize).map(([items, used]) => {
			return [Number(items), spread(used.map(({ heap }) => heap / 1e6)).median];
		});
	}
	return named(points);
}

function named(points: Record<string, Array<[number, number]>>): Series[] {
	return Object.entries(points)
		.filter(([, values]) => values.length > 1)
		.map(([name, values]) => ({
			name: shown[name] ?? name,
			points: values.sort(([left], [right]) => left - right),
		}));
}
