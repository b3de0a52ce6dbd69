import fc from 'fast-check';

import { ModelService, sendTo, useFakeClock } from './modelService.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const models = fc.record({
	limit: fc.integer({ min: 1, max: 60 }),
	windowMs: fc.integer({ min: 300, max: 20_000 }),
	unit: fc.constantFrom('seconds rounded up', 'seconds rounded down', 'milliseconds', 'ISO', 'seconds left', 'absent'),
	tells: fc.constantFrom('nested', 'flat', 'header', 'date', 'nothing'),
	skewMs: fc.oneof(fc.constantFrom(0, 400, -400, 3_600_000, -86_400_000), fc.integer({ min: -5000, max: 5000 })),
	latencies: fc.array(fc.integer({ min: 0, max: 2500 }), { minLength: 1, maxLength: 20 }),
});

test('each item gets its own response, and few requests are rejected, for any limit and order', async () => {
	await fc.assert(
		fc.asyncProperty(
			models,
			fc.integer({ min: 1, max: 20 }),
			fc.integer({ min: 1, max: 150 }),
			async ({ latencies, ...model }, maxConcurrentRequests, count) => {
				let request = 0;
				const service = new ModelService({
					...model,
					latency: () => latencies[request++ % latencies.length] as number,
				});
				const { ids } = await sendTo(service, count, { maxConcurrentRequests });
				expect(ids).toEqual(ids.map((_, n) => String(n)));
				expect(service.answered).toBe(count);
				expect(service.mostInFlight).toBeLessThanOrEqual(maxConcurrentRequests);
				expect(Math.max(...service.windows)).toBeLessThanOrEqual(model.limit);
				// Requests in flight at the first 429, then one per pause; the pauses double until they exceed a window.
				expect(service.wasted).toBeLessThanOrEqual(service.windows.length * (maxConcurrentRequests + 6));
			},
		),
		{ numRuns: 60, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
	);
}, 60_000);

/** A service that refuses nothing. */
const unlimited = {
	limit: 1_000_000,
	windowMs: 60_000,
	unit: 'milliseconds',
	tells: 'nothing',
	skewMs: 0,
} as const;

test('Max Requests per Minute is never exceeded', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.double({ min: 5, max: 6000, noNaN: true }),
			fc.integer({ min: 1, max: 20 }),
			fc.integer({ min: 1, max: 60 }),
			async (maxRequestsPerMinute, maxConcurrentRequests, count) => {
				const service = new ModelService({
					...unlimited,
					latency: () => 5,
				});
				const { took } = await sendTo(service, count, { maxConcurrentRequests, maxRequestsPerMinute });
				expect(took).toBeGreaterThanOrEqual(((count - 1) * 60_000) / maxRequestsPerMinute);
				expect(took).toBeLessThanOrEqual(((count - 1) * 60_000) / maxRequestsPerMinute + count * 11 + 50);
			},
		),
		{ numRuns: 30, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
	);
}, 60_000);

test('a request that takes long does not make the next ones come in a burst', async () => {
	const begun: number[] = [];
	const service = new ModelService({
		...unlimited,
		// Of each request first, then of its response.
		latency: () => (begun.push(Date.now()) === 1 ? 30_000 : 5),
	});
	await sendTo(service, 20, { maxConcurrentRequests: 1, maxRequestsPerMinute: 60 });
	const sent = begun.filter((_at, index) => index % 2 === 0);
	const pauses = sent.slice(1).map((at, index) => at - sent[index]!);
	expect(pauses).toHaveLength(19);
	expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000);
});
