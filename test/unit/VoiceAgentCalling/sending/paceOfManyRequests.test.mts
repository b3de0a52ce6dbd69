import { type Model, ModelService, sendTo, useFakeClock } from './modelService.mts';

beforeEach(() => {
	useFakeClock();
	// Removes the randomness of the pauses.
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

const units = ['seconds rounded up', 'seconds rounded down', 'milliseconds', 'ISO', 'seconds left', 'absent'] as const;

/** 500 requests in 10 seconds, each answered after 20 milliseconds. */
const limited = (changes: Partial<Model> = {}) =>
	new ModelService({
		limit: 500,
		windowMs: 10_000,
		unit: 'seconds rounded up',
		tells: 'nested',
		skewMs: 0,
		latency: () => 10,
		...changes,
	});

/** The minimum time for 2,500 requests: four full windows, and then the rest. */
const ideal = (concurrency: number) => 4 * 10_000 + (500 / concurrency) * 20;

const all = Array.from({ length: 2500 }, (_, n) => String(n));

async function sendAll(service: ModelService, concurrency: number) {
	const { ids, took } = await sendTo(service, all.length, { maxConcurrentRequests: concurrency });
	expect(ids).toEqual(all);
	expect(service.mostInFlight).toBeLessThanOrEqual(concurrency);
	return { wasted: service.wasted / all.length, times: took / ideal(concurrency) };
}

describe('2,500 requests all succeed with a limit of 500 in 10 seconds', () => {
	const settings = units.flatMap((unit) => [5, 50].map((concurrency) => [unit, concurrency] as const));

	test.each(settings)(
		'X-RateLimit-Reset as %s, %i at a time: at most 1 % rejected, at most 10 % slower than the minimum',
		async (unit, concurrency) => {
			const { wasted, times } = await sendAll(limited({ unit }), concurrency);
			expect(wasted).toBeLessThanOrEqual(0.01);
			expect(times).toBeLessThanOrEqual(1.1);
		},
	);

	test.each(units.slice(0, -1))('X-RateLimit-Reset as %s, while a 429 does not say how long to wait', async (unit) => {
		const { wasted, times } = await sendAll(limited({ unit, tells: 'nothing' }), 5);
		expect(wasted).toBeLessThanOrEqual(0.01);
		expect(times).toBeLessThanOrEqual(1.1);
	});

	test.each(units.slice(0, -1).flatMap((unit) => [3_600_300, -1200].map((skewMs) => [unit, skewMs] as const)))(
		'X-RateLimit-Reset as %s, from a clock that is %i ms ahead',
		async (unit, skewMs) => {
			const { wasted, times } = await sendAll(limited({ unit, skewMs }), 20);
			expect(wasted).toBeLessThanOrEqual(0.01);
			expect(times).toBeLessThanOrEqual(1.15);
		},
	);

	test('without any information about the window: slower, but at most 1 % rejected', async () => {
		const { wasted, times } = await sendAll(limited({ unit: 'absent', tells: 'nothing' }), 20);
		expect(wasted).toBeLessThanOrEqual(0.01);
		expect(times).toBeLessThanOrEqual(1.6);
	});
});

test.each([5, 20, 50])('up to the limit, no item fails for a short Max Wait with %i at a time', async (concurrency) => {
	const service = limited({ limit: 40, windowMs: 60_000, latency: () => 400 });
	const { ids } = await sendTo(service, 40, { maxConcurrentRequests: concurrency, maxWait: 5 });
	expect(ids).toEqual(all.slice(0, 40));
	expect(service.wasted).toBe(0);
});

test('sends at equal intervals with Max Requests per Minute', async () => {
	const service = limited();
	const { ids, took } = await sendTo(service, 31, { maxConcurrentRequests: 10, maxRequestsPerMinute: 60 });
	expect(ids).toEqual(all.slice(0, 31));
	expect(took / 1000).toBeCloseTo(30, 0);
	expect(service.mostInFlight).toBe(1);
});
