import { inFakeTime, ModelService, noise, type Rules, sendLater, useFakeClock } from './modelService.mts';

beforeEach(() => {
	useFakeClock();
	jest.spyOn(Math, 'random').mockImplementation(noise());
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

const calls = 1500;
const limit = 500;
const windowMs = 10_000;
const latency = 20;
const everyone = Array.from({ length: calls }, (_, n) => String(n));

/** Sends all calls by several runs at the same time, which know of each other only by the headers of the responses. */
async function sendByRuns(runs: number, rules: Partial<Rules>, maxConcurrentRequests?: number) {
	const random = noise();
	const service = new ModelService({
		windows: 'first',
		limit,
		windowMs,
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
	expect(results.flatMap(({ ids }) => ids)).toEqual(everyone);
	expect([...service.accepted].sort()).toEqual([...everyone].sort());
	return {
		// The minimum: two full windows, and a round trip for the rest.
		times: (Date.now() - startedAt) / ((calls / limit - 1) * windowMs + latency),
		rejected: service.rejected / calls,
	};
}

test.each<[windows: string, runs: number, rules: Partial<Rules>, concurrency?: number]>([
	['windows that begin with a request', 4, {}],
	['windows that begin with a request, 50 at a time in each run', 4, {}, 50],
	['windows of the clock', 2, { windows: 'clock', reset: 'milliseconds' }],
	['a sliding window that states when its newest request leaves it', 8, { windows: 'sliding' }],
	[
		'a sliding window that states when its oldest request leaves it',
		4,
		{ windows: 'sliding', resetsWith: 'oldest', reset: 'milliseconds' },
	],
])(
	'500 requests in 10 seconds, in %s: 1,500 calls by %i runs all succeed once, at most 5 %% rejected, at most 1.15 times the minimum',
	async (_windows, runs, rules, ...[concurrency]) => {
		const { times, rejected } = await sendByRuns(runs, rules, concurrency);
		expect(rejected).toBeLessThanOrEqual(0.05);
		expect(times).toBeLessThanOrEqual(1.15);
	},
);

test.each<[service: string, mostTimes: number, rules: Partial<Rules>, concurrency?: number]>([
	['states the second', 1.1, {}],
	['states the date, by a clock that is an hour ahead', 1.15, { reset: 'iso', aheadMs: 3_600_300 }, 20],
	['states the seconds left, and not how long to wait', 1.1, { reset: 'left', retryAfter: 'nowhere' }, 5],
	['has a sliding window', 1.1, { windows: 'sliding', resetsWith: 'oldest' }],
	['says nothing of its windows', 1.6, { reset: 'none', retryAfter: 'nowhere' }, 20],
])(
	'1,500 calls by one run, if the service %s: at most 1 %% rejected, %d times the minimum',
	async (_service, mostTimes, rules, ...[concurrency]) => {
		const { times, rejected } = await sendByRuns(1, rules, concurrency);
		expect(rejected).toBeLessThanOrEqual(0.01);
		expect(times).toBeLessThanOrEqual(mostTimes);
	},
);
