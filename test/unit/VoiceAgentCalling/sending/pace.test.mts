import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { Pace } from '../../../../nodes/VoiceAgentCalling/sending/pace.ts';
import { inFakeTime, useFakeClock } from './modelService.mts';

beforeEach(() => {
	useFakeClock();
	// Removes the randomness of the pauses.
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

const never = () => undefined;

/** Acquires several requests at the same time. @returns the promises, and how many of them may be sent so far */
function acquire(pace: Pace, count: number) {
	const sent = { count: 0 };
	const turns = Array.from({ length: count }, async () => {
		const at = await pace.acquire(never);
		sent.count++;
		return at;
	});
	return { turns, sent };
}
const refused = new ServiceError('Too many requests', {
	code: 'RATE_LIMIT_EXCEEDED',
	advice: '',
	httpStatus: 429,
	accepted: 'no',
});
const seconds = (from: number) => (Date.now() - from) / 1000;
const soon = (seconds_: number, remaining = 0) => ({
	remaining,
	first: false,
	endsAt: Date.now() + seconds_ * 1000,
	rounded: false,
});

describe('The pace', () => {
	test('sends five requests at first, and the others after the first response', async () => {
		const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 300 });
		const { turns, sent } = acquire(pace, 8);
		await inFakeTime(turns[4] as Promise<number>);
		expect(sent.count).toBe(5);
		pace.onResponse(undefined, Date.now(), undefined);
		await inFakeTime(Promise.all(turns));
		expect(sent.count).toBe(8);
		// They waited for each other, not for the rate limit.
		expect(pace.limitedMs).toBe(0);
	});

	test('waits for the next window when no requests are left in this one', async () => {
		const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 300 });
		const from = await pace.acquire(never);
		pace.onResponse(soon(7), from, undefined);
		await inFakeTime(pace.acquire(never));
		expect(seconds(from)).toBeCloseTo(7, 1);
		expect(pace.limitedMs).toBe(7000);
	});

	test('counts the time of several requests that wait for the same window once, and not what lies between two waits', async () => {
		const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 300 });
		pace.onResponse(soon(7), await pace.acquire(never), undefined);
		const first = acquire(pace, 3);
		const sentAt = await inFakeTime(Promise.race(first.turns));
		pace.onResponse(soon(5, 0), sentAt, undefined);
		await inFakeTime(Promise.race(first.turns.slice(1)));
		expect(pace.limitedMs).toBe(12_000);
		await jest.advanceTimersByTimeAsync(60_000);
		pace.onResponse(soon(3), Date.now(), undefined);
		const second = acquire(pace, 1);
		await inFakeTime(Promise.all(second.turns));
		expect(pace.limitedMs).toBeGreaterThanOrEqual(12_000);
		expect(pace.limitedMs).toBeLessThanOrEqual(15_000);
	});

	test('counts the wait after a 429 as one for the rate limit, and an interval that the user set as none', async () => {
		const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 300 });
		const sentAt = await pace.acquire(never);
		pace.onResponse(undefined, sentAt, refused);
		pace.tooMany(4, sentAt);
		await inFakeTime(pace.acquire(never));
		expect(pace.limitedMs).toBe(4000);
		const even = new Pace({ maxConcurrentRequests: 100, maxRequestsPerMinute: 6, maxWaitSeconds: 300 });
		even.onResponse(soon(60, 50), await even.acquire(never), undefined);
		await inFakeTime(even.acquire(never));
		expect(even.limitedMs).toBe(0);
	});

	test('sends one request after a wait, and the others when it succeeded', async () => {
		const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 300 });
		pace.onResponse(soon(2), await pace.acquire(never), undefined);
		const { turns, sent } = acquire(pace, 3);
		const first = await inFakeTime(Promise.race(turns));
		expect(sent.count).toBe(1);
		pace.onResponse(soon(60, 100), first, undefined);
		await inFakeTime(Promise.all(turns));
		expect(sent.count).toBe(3);
	});

	test('fails with the duration of the wait if it exceeds Max Wait', async () => {
		const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 30 });
		pace.onResponse(soon(90), await pace.acquire(never), undefined);
		await expect(inFakeTime(pace.acquire(never))).rejects.toMatchObject({
			code: 'RATE_LIMIT_EXCEEDED',
			advice: expect.stringContaining('90 seconds'),
			accepted: 'no',
		});
	});

	test('waits for the responses that may be counted already, and not for the next window', async () => {
		const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 1 });
		const first = await pace.acquire(never);
		const second = await pace.acquire(never);
		pace.onResponse(soon(60, 1), first, undefined);
		const third = acquire(pace, 1);
		await jest.advanceTimersByTimeAsync(3000);
		expect(third.sent.count).toBe(0);
		pace.onResponse(soon(57, 1), second, undefined);
		await inFakeTime(Promise.all(third.turns));
		expect(third.sent.count).toBe(1);
	});

	test('stops waiting at once when the request is canceled', async () => {
		const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 300 });
		pace.onResponse(soon(90), await pace.acquire(never), undefined);
		const from = Date.now();
		const cancellation = new Error('no longer wanted');
		const turn = pace.acquire(() => {
			if (seconds(from) >= 1) {
				throw cancellation;
			}
		});
		await expect(inFakeTime(turn)).rejects.toBe(cancellation);
		expect(seconds(from)).toBeLessThan(1.5);
	});

	test.each([
		['does not say how long to wait', undefined, [375, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500]],
		['allows the next request at once', 0, [188, 375, 750, 1500, 3000, 6000, 12_000, 22_500]],
		['asks for two seconds each time', 2, [2000, 2000, 2000, 2000, 3000, 6000, 12_000, 22_500]],
	])('waits longer after each 429 in a row if the service %s', async (_what, retryAfter, expected) => {
		const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 300 });
		const pauses: number[] = [];
		while (pauses.length < expected.length) {
			const sentAt = await inFakeTime(pace.acquire(never));
			pace.onResponse(undefined, sentAt, refused);
			pauses.push(Math.round(pace.tooMany(retryAfter, sentAt)));
		}
		expect(pauses).toEqual(expected);
	});

	test('counts the 429 responses of concurrent requests as one', async () => {
		const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 300 });
		const sentAt = await Promise.all([1, 2, 3, 4, 5].map(async () => await pace.acquire(never)));
		const waits = sentAt.map((at) => pace.tooMany(undefined, at));
		expect(waits).toEqual(waits.map(() => 375));
	});
});
