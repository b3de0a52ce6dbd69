import fc from '../../../fastCheck.mts';
import type { Answer } from '../../n8n.mts';
import { noise, sendTo, useFakeClock, wait } from './modelService.mts';

// A simulation keeps the processor busy: beside other programs it takes minutes.
jest.setTimeout(300_000);

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

/** How a service copes with requests. */
interface Capacity {
	/** How many requests it processes at the same time; the others wait in a queue. By default all. */
	workers?: number;
	/**
	 * @param elapsed milliseconds since the service started
	 * @param inFlight how many requests it has, with this one and those in the queue
	 * @returns how long the request takes, in milliseconds, and its status if that is not 200
	 */
	process(elapsed: number, inFlight: number): { ms: number; status?: number };
}

/** A service that has no rate limit but a capacity. */
class CapacityService {
	rejected = 0;
	/** The number of requests in flight when each request came. */
	readonly inFlightAt: Array<{ elapsed: number; inFlight: number }> = [];
	private readonly capacity: Capacity;
	private readonly startedAt = Date.now();
	private inFlight = 0;
	private busy = 0;
	private readonly queue: Array<() => void> = [];

	constructor(capacity: Capacity) {
		this.capacity = capacity;
	}

	get mostInFlight(): number {
		return Math.max(...this.inFlightAt.map(({ inFlight }) => inFlight));
	}

	async answer(id: string): Promise<Answer> {
		this.inFlightAt.push({ elapsed: Date.now() - this.startedAt, inFlight: ++this.inFlight });
		if (this.busy >= (this.capacity.workers ?? Number.POSITIVE_INFINITY)) {
			await new Promise<void>((resolve) => this.queue.push(resolve));
		}
		this.busy++;
		const { ms, status = 200 } = this.capacity.process(Date.now() - this.startedAt, this.inFlight);
		await wait(ms);
		this.busy--;
		this.queue.shift()?.();
		this.inFlight--;
		this.rejected += Number(status !== 200);
		return { status, body: status === 200 ? { id } : { message: 'Not now' } };
	}
}

/** Services by how they behave, and the highest mean of requests in flight that they should have. */
const services: Array<[service: string, highest: number, capacity: () => Capacity]> = [
	[
		'with latencies between 10 and 300 ms',
		50,
		() => {
			const random = noise();
			return { process: () => ({ ms: 10 + 290 * random() }) };
		},
	],
	['that processes 8 at the same time', 20, () => ({ workers: 8, process: () => ({ ms: 100 }) })],
	[
		'that gets slower with each request in flight',
		15,
		() => ({ process: (_, inFlight) => ({ ms: 50 * (1 + (inFlight / 12) ** 2) }) }),
	],
	[
		'that gets five times as slow at some time',
		50,
		() => ({ process: (elapsed) => ({ ms: elapsed < 400 ? 40 : 200 }) }),
	],
	[
		'that loses capacity at some time',
		20,
		() => ({ process: (elapsed, inFlight) => ({ ms: elapsed < 400 ? 40 : 40 * Math.max(1, inFlight / 6) }) }),
	],
];

async function send(capacity: Capacity, count: number, maxConcurrentRequests?: number) {
	const service = new CapacityService(capacity);
	const { took } = await sendTo(service, count, { maxConcurrentRequests });
	const later = service.inFlightAt.slice(service.inFlightAt.length / 2);
	return { service, took, inFlight: later.reduce((sum, { inFlight }) => sum + inFlight, 0) / later.length };
}

describe('Automatic', () => {
	test.each(services)(
		'with a service %s: at least 80 %% of the throughput of the best number, and no flood',
		async (_service, highest, capacity) => {
			const fixed: number[] = [];
			for (const number of [5, 8, 12, 50]) {
				fixed.push((await send(capacity(), 1000, number)).took);
			}
			const { service, took, inFlight } = await send(capacity(), 1000);
			expect([service.inFlightAt.length, service.rejected]).toEqual([1000, 0]);
			expect(took).toBeLessThanOrEqual(Math.min(...fixed) / 0.8);
			expect(service.mostInFlight).toBeLessThanOrEqual(50);
			expect(inFlight).toBeLessThanOrEqual(highest);
		},
	);

	test('with a service that is down again and again: few calls run into an outage, and it recovers fast', async () => {
		const count = 11_000;
		const { service, took } = await send(
			{ process: (elapsed) => ({ ms: 100, status: elapsed % 20_000 > 19_000 ? 503 : 200 }) },
			count,
		);
		expect(service.rejected / count).toBeLessThanOrEqual(0.01);
		// 50 at a time, each for 100 ms, and the outages.
		expect(took).toBeLessThanOrEqual(((count / 50) * 100 * (20 / 19)) / 0.75);
	});

	test('with a service that fails with 500 for the data of some items: faster than five at a time', async () => {
		const failing = (): Capacity => {
			const random = noise();
			return { process: () => ({ ms: 300, status: random() < 0.1 ? 500 : 200 }) };
		};
		const automatic = await send(failing(), 1500);
		expect(automatic.service.rejected).toBeGreaterThan(0);
		expect(automatic.took).toBeLessThan((await send(failing(), 1500, 5)).took);
	});

	test('with a service that answers every request with 500: no more than at first', async () => {
		const { service } = await send({ process: () => ({ ms: 50, status: 500 }) }, 200);
		expect(service.mostInFlight).toBe(5);
	});

	test.each([
		['Automatic', undefined],
		['a number that is set', 40],
	])('%s: one at a time while the service is down, and more again afterwards', async (_name, number) => {
		const { service } = await send(
			{ process: (elapsed) => ({ ms: 50, status: elapsed > 500 && elapsed < 2500 ? 503 : 200 }) },
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
				process: (_elapsed, inFlight) => ({ ms: 50, status: inFlight >= 20 && failures++ < 20 ? 503 : 200 }),
			},
			400,
		);
		expect(service.rejected).toBe(20);
		const after = service.inFlightAt.slice(60).map(({ inFlight }) => inFlight);
		expect(Math.min(...after.slice(0, 100))).toBeGreaterThanOrEqual(5);
	});

	test('begins with five, and no more are sent than a number that is set', async () => {
		const { service } = await send({ process: () => ({ ms: 20 }) }, 200);
		expect(service.inFlightAt.filter(({ elapsed }) => elapsed < 20)).toHaveLength(5);
		const fixed = await send({ process: () => ({ ms: 20 }) }, 200, 7);
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
				const automatic = await send(capacity(), 300);
				expect([automatic.service.inFlightAt.length, automatic.service.rejected]).toEqual([300, 0]);
				expect(automatic.service.mostInFlight).toBeLessThanOrEqual(50);
				for (const number of [5, 20, 50]) {
					expect(automatic.took).toBeLessThanOrEqual(2 * (await send(capacity(), 300, number)).took);
				}
			}),
			{ numRuns: 12 },
		);
	});
});
