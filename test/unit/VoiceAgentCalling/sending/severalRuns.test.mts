import { inFakeTime, noise, sendLater, useFakeClock } from './modelService.mts';
import { type Rules, SimulatedService } from './simulatedService.mts';

beforeEach(() => {
	useFakeClock();
	jest.spyOn(Math, 'random').mockImplementation(noise());
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

const calls = 2500;
const limit = 500;
const windowMs = 10_000;
const latency = 20;

/** Sends all calls by several runs at the same time, which know of each other only by the headers of the responses. */
async function sendByRuns(runs: number, rules: Partial<Rules>, maxConcurrentRequests?: number) {
	const random = noise();
	const service = new SimulatedService({
		windows: 'first',
		limit,
		windowMs,
		othersEveryMs: undefined,
		aheadMs: 0,
		reset: 'seconds',
		states: 'all',
		retryAfter: 'body',
		// Between 8 and 32 ms for both ways.
		delay: () => latency * (0.2 + 0.6 * random()),
		...rules,
	});
	const startedAt = Date.now();
	let first = 0;
	const work = Array.from({ length: runs }, async (_, run) => {
		const count = Math.floor((calls + run) / runs);
		first += count;
		return await sendLater(service, count, { maxConcurrentRequests }, first - count);
	});
	const results = await inFakeTime(Promise.all(work), Number.POSITIVE_INFINITY);
	return {
		ids: results.flatMap(({ ids }) => ids),
		accepted: service.accepted,
		// The minimum: four full windows, and a round trip for the rest.
		times: (Date.now() - startedAt) / ((calls / limit - 1) * windowMs + latency),
		rejected: service.rejectedAt.length / calls,
	};
}

const everyone = Array.from({ length: calls }, (_, n) => String(n));

const windows: Record<string, Partial<Rules>> = {
	'in windows that begin with a request': { windows: 'first' },
	'in windows of the clock': { windows: 'clock', reset: 'milliseconds' },
	'in a sliding window that states when its newest request leaves it': { windows: 'sliding' },
	'in a sliding window that states when its oldest request leaves it': { windows: 'sliding', resetsWith: 'oldest' },
	'in a sliding window that states the millisecond': {
		windows: 'sliding',
		resetsWith: 'oldest',
		reset: 'milliseconds',
	},
};

describe.each(Object.entries(windows))('500 requests in 10 seconds, %s', (_name, rules) => {
	test.each([2, 4, 8])(
		'2,500 calls by %i runs: all succeed once, at most 5 %% rejected, at most 1.15 times the minimum',
		async (runs) => {
			const { ids, accepted, times, rejected } = await sendByRuns(runs, rules);
			expect(ids).toEqual(everyone);
			expect([...accepted].sort()).toEqual([...everyone].sort());
			expect(rejected).toBeLessThanOrEqual(0.05);
			expect(times).toBeLessThanOrEqual(1.15);
		},
	);

	test('2,500 calls by one run alone: at most 1.1 times the minimum, and 1 % rejected', async () => {
		const { ids, times, rejected } = await sendByRuns(1, rules);
		expect(ids).toEqual(everyone);
		expect(rejected).toBeLessThanOrEqual(0.01);
		expect(times).toBeLessThanOrEqual(1.1);
	});
});

test('four runs with a fixed number of 50 each: the same', async () => {
	const { ids, times, rejected } = await sendByRuns(4, {}, 50);
	expect(ids).toEqual(everyone);
	expect(rejected).toBeLessThanOrEqual(0.05);
	expect(times).toBeLessThanOrEqual(1.15);
});
