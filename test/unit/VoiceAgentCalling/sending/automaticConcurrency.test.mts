import fc from 'fast-check';

import { type Capacity, CapacityService } from './capacityService.mts';
import { noise, sendTo, useFakeClock } from './modelService.mts';

// A simulation keeps the processor busy: beside other programs it takes minutes.
jest.setTimeout(300_000);

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

/** Services by how they behave, and the highest mean of requests in flight that they should have. */
const services: Record<string, [highest: number, capacity: () => Capacity]> = {
	'that is fast': [50, () => ({ workers: 1000, process: () => ({ ms: 20 }) })],
	'that is slow': [50, () => ({ workers: 1000, process: () => ({ ms: 1500 }) })],
	'with latencies between 10 and 300 ms': [
		50,
		() => {
			const random = noise();
			return { workers: 1000, process: () => ({ ms: 10 + 290 * random() }) };
		},
	],
	'with a few latencies that are ten times as long': [
		50,
		() => {
			const random = noise();
			return { workers: 1000, process: () => ({ ms: random() < 0.1 ? 600 : 60 }) };
		},
	],
	'that processes 8 at the same time': [20, () => ({ workers: 8, process: () => ({ ms: 100 }) })],
	'that processes one at a time': [10, () => ({ workers: 1, process: () => ({ ms: 50 }) })],
	'that gets slower with each request in flight': [
		15,
		() => ({ workers: 1000, process: (_, inFlight) => ({ ms: 50 * (1 + (inFlight / 12) ** 2) }) }),
	],
	'that gets five times as slow at some time': [
		50,
		() => ({ workers: 1000, process: (elapsed) => ({ ms: elapsed < 400 ? 40 : 200 }) }),
	],
	'that loses capacity at some time': [
		20,
		() => ({
			workers: 1000,
			process: (elapsed, inFlight) => ({ ms: elapsed < 400 ? 40 : 40 * Math.max(1, inFlight / 6) }),
		}),
	],
};

async function send(capacity: Capacity, count: number, maxConcurrentRequests?: number) {
	const service = new CapacityService(capacity);
	const { took } = await sendTo(service, count, { maxConcurrentRequests });
	const later = service.inFlightAt.slice(service.inFlightAt.length / 2);
	return { service, took, inFlight: later.reduce((sum, { inFlight }) => sum + inFlight, 0) / later.length };
}

describe('Automatic', () => {
	test.each(Object.entries(services))(
		'with a service %s: at least 80 %% of the throughput of the best number, and no flood',
		async (_name, [highest, capacity]) => {
			const fixed: number[] = [];
			for (const number of [1, 2, 5, 8, 12, 20, 50]) {
				fixed.push((await send(capacity(), 2000, number)).took);
			}
			const automatic = await send(capacity(), 2000);
			expect(automatic.service.answered).toBe(2000);
			expect(automatic.took).toBeLessThanOrEqual(Math.min(...fixed) / 0.8);
			expect(automatic.service.mostInFlight).toBeLessThanOrEqual(50);
			expect(automatic.inFlight).toBeLessThanOrEqual(highest);
		},
	);

	/** Answers with 503 in the last second of each 20. */
	const flapping = (): Capacity => ({
		workers: 1000,
		process: (elapsed) => ({ ms: 100, status: elapsed % 20_000 > 19_000 ? 503 : 200 }),
	});

	test('with a service that is down again and again: few calls run into an outage, and it recovers fast', async () => {
		const { service, took } = await send(flapping(), 20_000);
		expect(service.rejected / 20_000).toBeLessThanOrEqual(0.01);
		// 50 at a time, each for 100 ms, and the outages.
		const minimum = (20_000 / 50) * 100 * (20 / 19);
		expect(took).toBeLessThanOrEqual(minimum / 0.75);
	});

	test.each([0.03, 0.1, 0.2])(
		'with a service that fails with 500 for the data of some items (%d): faster than five at a time',
		async (share) => {
			const failing = (): Capacity => {
				const random = noise();
				return { workers: 1000, process: () => ({ ms: 300, status: random() < share ? 500 : 200 }) };
			};
			const automatic = await send(failing(), 1500);
			expect(automatic.service.rejected).toBeGreaterThan(0);
			expect(automatic.took).toBeLessThan((await send(failing(), 1500, 5)).took);
		},
	);

	test('with a service that answers every request with 500: no more than at first', async () => {
		const { service } = await send({ workers: 1000, process: () => ({ ms: 50, status: 500 }) }, 200);
		expect(service.mostInFlight).toBe(5);
	});

	test.each([
		['Automatic', undefined],
		['a number that is set', 40],
	])('%s: one at a time while the service is down, and more again afterwards', async (_name, number) => {
		const { service } = await send(
			{ workers: 1000, process: (elapsed) => ({ ms: 50, status: elapsed > 500 && elapsed < 2500 ? 503 : 200 }) },
			4000,
			number,
		);
		const most = (from: number, to: number) =>
			Math.max(...service.inFlightAt.filter(({ elapsed }) => elapsed > from && elapsed < to).map((at) => at.inFlight));
		expect(most(0, 500)).toBe(number ?? 50);
		expect(most(1200, 2500)).toBe(1);
		expect(most(4500, 5000)).toBeGreaterThanOrEqual(20);
	});

	test('requests that failed at the same time count once', async () => {
		// The first 20 that have 20 beside them fail.
		let failures = 0;
		const { service } = await send(
			{
				workers: 1000,
				process: (_elapsed, inFlight) => ({ ms: 50, status: inFlight >= 20 && failures++ < 20 ? 503 : 200 }),
			},
			400,
		);
		expect(service.rejected).toBe(20);
		const after = service.inFlightAt.slice(60).map(({ inFlight }) => inFlight);
		expect(Math.min(...after.slice(0, 100))).toBeGreaterThanOrEqual(5);
	});

	test('begins with five, and no more are sent than a number that is set', async () => {
		const { service } = await send({ workers: 1000, process: () => ({ ms: 20 }) }, 200);
		expect(service.inFlightAt.filter(({ elapsed }) => elapsed < 20)).toHaveLength(5);
		const fixed = await send({ workers: 1000, process: () => ({ ms: 20 }) }, 200, 7);
		expect(fixed.service.mostInFlight).toBe(7);
	});

	const capacities = fc.record({
		workers: fc.integer({ min: 1, max: 200 }),
		ms: fc.integer({ min: 10, max: 2000 }),
		/** The share of the latency that is random. */
		random: fc.double({ min: 0, max: 0.8, noNaN: true }),
		/** How many requests in flight double the latency. */
		doubling: fc.integer({ min: 5, max: 500 }),
		changesAt: fc.integer({ min: 100, max: 20_000 }),
		/** By how much the latency changes then. */
		change: fc.double({ min: 0.2, max: 5, noNaN: true }),
	});

	test('with any service: every item is sent once, never more than 50, and at least half the throughput of 5, 20 and 50', async () => {
		await fc.assert(
			fc.asyncProperty(capacities, async ({ workers, ms, random, doubling, changesAt, change }) => {
				const capacity = (): Capacity => {
					const next = noise();
					return {
						workers,
						process: (elapsed, inFlight) => ({
							ms: ms * (1 - random * next()) * Math.max(1, inFlight / doubling) * (elapsed < changesAt ? 1 : change),
						}),
					};
				};
				const automatic = await send(capacity(), 500);
				expect(automatic.service.answered).toBe(500);
				expect(automatic.service.mostInFlight).toBeLessThanOrEqual(50);
				for (const number of [5, 20, 50]) {
					expect(automatic.took).toBeLessThanOrEqual(2 * (await send(capacity(), 500, number)).took);
				}
			}),
			{ numRuns: 40, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
		);
	});
});
