import fc from '../../../fastCheck.mts';
import { ModelService, type Rules, sendTo, useFakeClock } from './modelService.mts';

beforeEach(useFakeClock);
afterEach(() => jest.useRealTimers());

const simulations = fc.record({
	windows: fc.constantFrom('clock', 'first', 'sliding'),
	limit: fc.integer({ min: 1, max: 80 }),
	windowMs: fc.integer({ min: 500, max: 30_000 }),
	/** How many requests other clients send in a window, as a share of the limit. */
	others: fc.constantFrom(0, 0, 0.2, 0.6),
	aheadMs: fc.constantFrom(0, 0, 700, -700, 90_000, -3_600_000, 86_400_000),
	reset: fc.constantFrom('seconds', 'milliseconds', 'left', 'iso', 'http', 'none'),
	states: fc.constantFrom('all', 'all', 'all', 'remaining', 'nothing'),
	retryAfter: fc.constantFrom('header', 'body', 'nowhere'),
	delays: fc.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 4000 })), {
		minLength: 1,
		maxLength: 15,
	}),
	concurrency: fc.integer({ min: 1, max: 40 }),
	/** How many items there are, in windows. */
	load: fc.double({ min: 0.1, max: 4, noNaN: true }),
});

type Simulation = Parameters<Parameters<typeof simulations.map>[0]>[0];

const countOf = ({ load, limit }: Simulation) => Math.ceil(Math.min(load * limit, 100));

function simulate({ others, delays, ...rules }: Simulation) {
	let request = 0;
	return new ModelService({
		...(rules as Omit<Rules, 'delay'>),
		othersEveryMs: others === 0 ? undefined : rules.windowMs / (others * rules.limit),
		delay: () => delays[request++ % delays.length]!,
	});
}

/** Whether a client can know from each response how much is free, and until when. */
function isPredictable({ windows, others, states, reset, windowMs, delays }: Simulation): boolean {
	const stated = states === 'all' && reset !== 'none' && windows !== 'sliding';
	return stated && others === 0 && windowMs > 4 * Math.max(...delays);
}

const runs = (numRuns: number) => ({ numRuns });

test('each item is accepted once, and few requests are rejected, whatever the limit and what is known of it', async () => {
	let rejected = 0;
	let accepted = 0;
	await fc.assert(
		fc.asyncProperty(simulations, async (simulation) => {
			const service = simulate(simulation);
			const { concurrency: maxConcurrentRequests, windowMs } = simulation;
			const { ids, took } = await sendTo(service, countOf(simulation), { maxConcurrentRequests, maxWait: 3600 });
			expect(ids).toEqual(ids.map((_none, index) => String(index)));
			expect([...service.accepted].sort()).toEqual([...ids].sort());
			expect(service.mostInFlight).toBeLessThanOrEqual(maxConcurrentRequests);
			// The requests in flight at the first 429; after that, tries to find out when and how much is free.
			// Also the window that had begun before the first request.
			const perWindow = isPredictable(simulation) ? 3 : 6;
			expect(service.rejected).toBeLessThanOrEqual(
				maxConcurrentRequests + perWindow * (Math.ceil(took / windowMs) + 1),
			);
			rejected += service.rejected;
			accepted += service.accepted.length;
		}),
		runs(60),
	);
	expect(rejected / accepted).toBeLessThan(0.25);
});

test('no item fails while the service has room, for any Max Wait', async () => {
	let failures = 0;
	let all = 0;
	await fc.assert(
		fc.asyncProperty(simulations, fc.integer({ min: 1, max: 100 }), async (simulation, percentOfWindow) => {
			const service = simulate(simulation);
			const { ids } = await sendTo(service, countOf(simulation), {
				maxConcurrentRequests: simulation.concurrency,
				maxWait: Math.max(1, (simulation.windowMs * percentOfWindow) / 100_000),
			});
			const codes = ids.filter((id, index) => id !== String(index));
			expect(['RATE_LIMIT_EXCEEDED', 'NOT_TRIED']).toEqual(expect.arrayContaining([...new Set(codes)]));
			expect(service.accepted.length).toBe(ids.length - codes.length);
			expect(service.wasFull || codes.length === 0).toBe(true);
			if (simulation.others === 0) {
				expect(service.accepted.length).toBeGreaterThanOrEqual(Math.min(ids.length, simulation.limit));
			}
			all++;
			failures += Number(codes.length > 0);
		}),
		runs(60),
	);
	expect(failures / all).toBeGreaterThan(0.1);
});

test('a service that says nothing about its limit is asked less and less often', async () => {
	const rules = { windows: 'first', limit: 5, windowMs: 30_000, aheadMs: 0, reset: 'none', states: 'nothing' } as const;
	const service = new ModelService({ ...rules, retryAfter: 'nowhere', delay: () => 10 });
	const { ids } = await sendTo(service, 20, { maxConcurrentRequests: 1, maxWait: 3600 });
	expect(ids).toEqual(ids.map((_none, index) => String(index)));
	// Each of the three waits for a window has pauses of at least 0.25, 0.5, 1, 2, 4, 8 and 15 seconds.
	expect(service.rejected).toBeLessThanOrEqual(3 * 7);
});

describe('Max Requests per Minute', () => {
	/** Sends some items to a service that refuses nothing. @returns when each was sent, in milliseconds */
	async function sentAt(count: number, sending: object, delay: (request: number) => number) {
		const times: number[] = [];
		const start = Date.now();
		const answer = async (id: string) => {
			times.push(Date.now() - start);
			await new Promise((resolve) => setTimeout(resolve, delay(times.length)));
			return { body: { id } };
		};
		await sendTo({ answer }, count, sending);
		return times;
	}

	test('is never exceeded, and the requests are not much later', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.double({ min: 5, max: 6000, noNaN: true }),
				fc.integer({ min: 1, max: 20 }),
				fc.integer({ min: 1, max: 60 }),
				async (maxRequestsPerMinute, maxConcurrentRequests, count) => {
					const times = await sentAt(count, { maxConcurrentRequests, maxRequestsPerMinute }, () => 10);
					const even = ((count - 1) * 60_000) / maxRequestsPerMinute;
					expect(Math.ceil(times.at(-1)!)).toBeGreaterThanOrEqual(Math.floor(even));
					expect(times.at(-1)).toBeLessThanOrEqual(even + count * 11 + 50);
				},
			),
			runs(30),
		);
	});

	test('a request that takes long does not make the next ones come in a burst', async () => {
		const sending = { maxConcurrentRequests: 1, maxRequestsPerMinute: 60 };
		const times = await sentAt(20, sending, (request) => (request === 1 ? 30_000 : 10));
		const pauses = times.slice(1).map((time, index) => time - times[index]!);
		expect(pauses).toHaveLength(19);
		expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000);
	});
});
