import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { chartOf } from '../bench/charts.mts';
import { resultsFolder } from '../bench/lab.mts';
import { type Chart, svg, ticks } from '../bench/plot.mts';
import { inMinutes, progress } from '../bench/rounds.mts';
import { type CampaignRun, whatIsWrong } from '../bench/scale/campaign.mts';
import { estimate } from '../bench/scale/estimate.mts';
import { peaks } from '../bench/scale/memoryOverTime.mts';
import { growthSizes, scaleOptions } from '../bench/scale/scaleOptions.mts';
import { scalePage, scalePlot } from '../bench/scale/scalePage.mts';
import type { ScaleResult } from '../bench/scale/scaleResult.mts';
import { duration, perSecond, rateOverTime, recovery } from '../bench/scale/timeline.mts';
import { expectGenerated } from '../docs/generated.mts';

/** So many events in each second, evenly, in milliseconds. */
const evenly = (from: number, to: number, rate: number) =>
	Array.from({ length: (to - from) * rate }, (_, index) => (from + index / rate) * 1000);

test('the size of a run is the full one unless the command line says otherwise', () => {
	expect(scaleOptions([])).toEqual({ contacts: 100_000, workers: [1, 2, 4], goOn: false });
	expect(scaleOptions(['--contacts', '5000', '--workers', '4,1,4'])).toEqual({
		contacts: 5000,
		workers: [1, 4],
		goOn: false,
	});
	expect(() => scaleOptions(['--contacts', '5e3'])).toThrow('--contacts takes positive whole numbers, not "5e3"');
	expect(() => scaleOptions(['--workers', '1,0'])).toThrow('"0"');
	expect(() => scaleOptions(['--contact', '5'])).toThrow();
	expect([100_000, 5000, 1000].map(growthSizes)).toEqual([
		[1000, 10_000, 100_000],
		[500, 5000],
		[100, 1000],
	]);
});

test('a rate is that between the first event and the last, in any order', () => {
	const times = evenly(100, 110, 50).reverse();
	expect([perSecond(times), duration(times)]).toEqual([expect.closeTo(50), expect.closeTo(9.98)]);
	expect(perSecond([5])).toBeNaN();
	expect(rateOverTime([...evenly(0, 4, 10), ...evenly(4, 9, 2)], 2)).toEqual([
		[1, 10],
		[3, 10],
		[5, 2],
		[7, 2],
	]);
});

test('a kill costs the time until nine tenths of the rate are there again', () => {
	const half = [...evenly(0, 100, 40), ...evenly(100, 130, 10), ...evenly(130, 200, 40)];
	expect(recovery(half, 100_000)).toEqual({ before: 40, lowest: 10, backAfter: 29 });
	const never = [...evenly(0, 100, 40), ...evenly(100, 200, 20)];
	expect(recovery(never, 100_000)).toEqual({ before: 40, lowest: 20, backAfter: null });
	// Nothing at all for a time, and a campaign that is over before a rate is known.
	expect(recovery([...evenly(0, 50, 40), ...evenly(75, 100, 40)], 50_000)).toMatchObject({ lowest: 0, backAfter: 24 });
	expect(recovery(evenly(0, 12, 40), 10_000).backAfter).toBeNull();
});

test('a run fails if anybody was called twice or forgotten', () => {
	const numbers = ['+12025000000', '+12025000001', '+12025000002'];
	const [first = '', second = ''] = numbers;
	const rows = numbers.map((number) => ({ number, state: 'queued', message: '' }));
	const right = { contacts: 3, rows, calledNumbers: numbers, refused: 0 };
	expect(whatIsWrong(right)).toEqual([]);
	const changed = (index: number, change: object) =>
		rows.map((row, at) => (at === index ? { ...row, ...change } : row));
	expect(whatIsWrong({ ...right, calledNumbers: [first, second, second] })).toEqual([
		'2 numbers with a call, not 3',
		'1 forgotten, not 0',
	]);
	expect(whatIsWrong({ ...right, calledNumbers: [...numbers, first] })).toEqual(['4 calls, not 3']);
	expect(whatIsWrong({ ...right, refused: 1 })).toEqual(['1 requests refused, not 0']);
	expect(whatIsWrong({ ...right, rows: changed(1, { state: 'unknown' }) })).toEqual(['2 rows that are queued, not 3']);
	expect(whatIsWrong({ ...right, rows: changed(2, { number: first }) })).toEqual(['2 numbers in the ledger, not 3']);
	const twice = { message: 'The campaign had a call to this number already' };
	expect(whatIsWrong({ ...right, rows: changed(0, twice) })).toEqual(['1 sent twice, not 0']);
});

test('the most memory of each process is found', () => {
	const memory = {
		Main: [
			[0, 300],
			[2, 900],
			[4, 400],
		],
		Redis: [[0, 8]],
	} as CampaignRun['memory'];
	expect(peaks(memory)).toEqual({ Main: 900, Redis: 8 });
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

const campaign = (more: Partial<CampaignRun>): CampaignRun => ({
	contacts: 1000,
	executions: 4,
	workers: 1,
	batchSize: 20,
	fill: 2,
	send: 10,
	perSecond: 100,
	rate: [
		[1, 90],
		[3, 110],
	],
	claimed: 7,
	ledgerBytes: 250_000,
	list: { seconds: 0.1, bytes: 150_000 },
	memory: {
		Main: [
			[0, 300],
			[2, 450],
		],
		'Worker 1': [
			[0, 250],
			[2, 310],
		],
		PostgreSQL: [[0, 80]],
	},
	...more,
});

const killed = { before: 80, lowest: 12, backAfter: 21, restart: 9, cutOff: 60, found: 23 };

const result: ScaleResult = {
	...{ machine: 'A machine', versions: 'n8n 2.41.1', date: '2026-11-22', contacts: 1000, minutes: 8 },
	campaigns: [
		campaign({ contacts: 200, executions: 1, perSecond: 60 }),
		campaign({ contacts: 100 }),
		campaign({}),
		campaign({ contacts: 300, kill: true, killed }),
		campaign({ contacts: 200, executions: 1, workers: 2, perSecond: 62 }),
		campaign({ workers: 2, perSecond: 150 }),
		campaign({ contacts: 300, workers: 2, kill: true, killed: { ...killed, backAfter: null } }),
	],
	events: [40, 60, 50].flatMap((executed) => [
		{ workers: 1, webhooks: 1, answered: 70, executed, p95: 30 },
		{ workers: 1, webhooks: 2, answered: 90, executed: executed / 2, p95: 40 },
	]),
};

test('the estimate counts with the best of the largest campaigns and the median of the events', () => {
	const day = estimate(result, 864_000, 24);
	expect(day).toMatchObject({ queued: 10, queueReserve: 15, requestsPerMinute: 600, events: 30 });
	expect(day.eventReserve).toBeCloseTo(50 / 30);
	expect([day.ledgerBytes, day.listBytes]).toEqual([216e6, 129.6e6]);
	expect(estimate(result, 864_000, 12)).toMatchObject({ queued: 20, queueReserve: 7.5, ledgerBytes: 216e6 });
});

test('the page of a scale run has every number that was measured, and says that a small run is small', () => {
	const page = scalePage(result);
	for (const row of [
		'| 200 | 1 | 1 | **60** | 2 s | 10 s | 7 |',
		'| 1,000 | 2 | 4 | **150** | 2 s | 10 s | 7 |',
		'| Worker 1 | 310 | 310 |',
		'| 1 | 300 | 80 | 12 | 21 s | 9 s | 60 | 23 | 0 | 0 |',
		'| 2 | 300 | 80 | 12 | not before the end | 9 s | 60 | 23 | 0 | 0 |',
		'| 1 | 1 | 70 | 30 ms | 50 (40 to 60) |',
		'| 100 | 20 | 20.00 ms | 10.0 ms | 310 MB | 450 MB | 80 MB | 0.3 MB | 0.1 MB in 0.1 s |',
	]) {
		expect(page).toContain(row);
	}
	expect(page).toContain('Measured on 2026-11-22');
	expect(page).toContain('small run with 1,000 contacts');
	expect(
		scalePage({
			...result,
			contacts: 100_000,
			campaigns: result.campaigns.map((run) => ({ ...run, contacts: run.contacts * 100 })),
		}),
	).not.toContain('small run');
	expect(page).not.toMatch(/NaN|undefined|Infinity/);
});

test('docs/scale.md and its picture are what the program writes from the stored result, and exist only with it', () => {
	const stored = join(resultsFolder, 'scale.json');
	const isStored = existsSync(stored);
	expect(existsSync(join(root, 'docs', 'scale.md'))).toBe(isStored);
	if (isStored) {
		const measured = JSON.parse(readFileSync(stored, 'utf8')) as ScaleResult;
		expectGenerated('docs/scale.md', scalePage(measured));
		expectGenerated('docs/images/scale.svg', scalePlot(measured));
	}
});
