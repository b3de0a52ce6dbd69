import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';

import { readExample } from '../../scripts/lib/examples.mts';

/** A statistics library that the example does not use. */
const { normal } = createRequire(import.meta.url)('jstat') as {
	normal: { cdf(x: number, mean: number, deviation: number): number };
};

type Row = Record<string, string | number | boolean>;
type Report = Record<'comparison' | 'sentence' | 'text', string> & { variants: Array<Record<string, unknown>> };
const report = readExample('compare-two-agents.json').nodes.find(({ name }) => name === 'Report');
const code = compileFunction(String(report?.parameters.jsCode), ['$']) as ($: unknown) => Array<{ json: Report }>;

const PRICES: Record<string, object> = {
	'agent-A': { estimated_cost_per_minute: 0.12, currency: 'USD' },
	'agent-B': { estimated_cost_per_minute: 0.3, currency: 'USD' },
};

/** What the example reports of rows of its table. */
function reportsOf(rows: Row[], prices = PRICES): Report[] {
	const agents = [...new Set(rows.map(({ agent_id }) => String(agent_id)))];
	const nodes: Record<string, object[]> = {
		Rows: rows,
		'Agents in the Table': agents.map((agent_id) => ({ agent_id })),
		'Price per Minute': agents.map((agent) => prices[agent] ?? { result: 'failed', message: 'No price' }),
	};
	return code((name: string) => ({ all: () => nodes[name].map((json) => ({ json })) })).map(({ json }) => json);
}

/** So many rows of a variant. */
function rows(variant: string, count: number, more: Row = {}): Row[] {
	const row = { comparison: 'Greeting', variant, agent_id: `agent-${variant}`, state: 'completed' };
	return Array.from({ length: count }, () => ({ ...row, duration: 60, is_test: false, ...more }));
}

/** Rows of which so many were reached. */
function calls(variant: string, reached: number, count: number): Row[] {
	return [...rows(variant, reached), ...rows(variant, count - reached, { state: 'noAnswer', duration: 0 })];
}

/** The report of two variants. */
function reportOf(a: Row[], b: Row[]): Report {
	return reportsOf([...a, ...b])[0];
}

/** How probable a share so far from a true one is, or one further away: the score test, two-sided. */
function probability(share: number, truth: number, count: number): number {
	const distance = Math.abs(share - truth) / Math.sqrt((truth * (1 - truth)) / count);
	return 2 * (1 - normal.cdf(distance, 0, 1));
}

describe('The interval of the share', () => {
	// The Wilson interval has the true shares that the score test does not reject: 5 % at both of its ends.
	test.each(
		['0/1', '1/1', '1/2', '0/10', '5/10', '10/10', '29/30', '3/100', '81/263', '1/5000', '5000/5000'].map((of) =>
			of.split('/').map(Number),
		),
	)('of %i of %i ends where a true share becomes improbable', (reached, count) => {
		const [{ from, to, share }] = reportOf(calls('A', reached, count), rows('B', 1)).variants;
		expect(share).toBe(reached / count);
		const ends = [...(reached > 0 ? [from] : []), ...(reached < count ? [to] : [])];
		for (const end of ends) {
			expect(probability(reached / count, Number(end), count)).toBeCloseTo(0.05, 6);
		}
		// No share is below none of them, or above all.
		expect([from === 0, to === 1]).toEqual([reached === 0, reached === count]);
	});

	test('without calls is everything from 0 to 1, and there is no share', () => {
		const [, b] = reportOf(rows('A', 1), []).variants;
		expect(b).toMatchObject({ calls: 0, reached: 0, share: null, from: 0, to: 1, mean_seconds: null });
	});
});

describe('The sentence', () => {
	const none = 'No difference can be told: ';
	const twoAgents = [...calls('B', 40, 60), ...rows('B', 40, { agent_id: 'another' })];

	test.each([
		[calls('A', 80, 100), calls('B', 40, 100), 'A reached a larger share than B: the intervals do not overlap ('],
		[calls('A', 40, 100), calls('B', 80, 100), 'B reached a larger share than A: '],
		[calls('A', 30, 30), calls('B', 0, 30), 'A reached a larger share than B: '],
		[calls('A', 55, 100), calls('B', 45, 100), `${none}the intervals overlap (A 45.2 % to 64.4 %, B 35.6 % to 54.8`],
		[calls('A', 29, 29), calls('B', 0, 100), `${none}there are too few calls (A 29, B 100, and 30 each are needed).`],
		[rows('A', 1), [], `${none}there are too few calls (A 1, B 0`],
		[calls('A', 10, 100), twoAgents, `${none}B was more than one agent`],
	])(
		'names a difference only between 30 calls each, of one agent each, whose intervals do not overlap',
		(a, b, said) => {
			expect(reportOf(a, b).sentence.slice(0, said.length)).toBe(said);
		},
	);
});

describe('The report', () => {
	test('has the mean duration of the people reached, and the cost of all calls but test calls', () => {
		const a = [
			...rows('A', 1, { duration: 100 }),
			...rows('A', 1, { duration: 200, is_test: true }),
			...rows('A', 1, { state: 'voicemail', duration: 50 }),
		];
		const { variants, text } = reportOf(a, []);
		expect(variants[0]).toMatchObject({ calls: 3, reached: 2, mean_seconds: 150, cost: 0.3, currency: 'USD' });
		expect(text.split('\n').slice(0, 3)).toEqual([
			'Greeting',
			'A: 3 calls, 2 reached, 66.7 % (95 % interval: 20.8 % to 93.9 %), 150 seconds on average, about 0.30 USD',
			'B: 0 calls, 0 reached, cost unknown',
		]);
	});

	test('does not count what has no outcome as a call, and says how many there are', () => {
		const states = ['calling', 'not called', 'no outcome yet', 'unknown', 'same number', 'cancelled'];
		const a = [...rows('A', 1, { state: 'busy' }), ...states.flatMap((state) => rows('A', 1, { state, duration: 0 }))];
		const { variants, text } = reportOf(a, []);
		expect(variants[0]).toMatchObject({ calls: 1, reached: 0, without_outcome: 6 });
		expect(text).toContain('6 more without an outcome');
	});

	test('has no cost where the price is unknown, and one item for each comparison', () => {
		const all = [...rows('A', 2), ...rows('A', 1, { comparison: 'Greeting (test calls)' })];
		const found = reportsOf(all, {}).map(({ comparison, variants: [a] }) => [comparison, a.calls, a.cost]);
		expect(found).toEqual([
			['Greeting', 2, null],
			['Greeting (test calls)', 1, null],
		]);
	});
});
