import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { rateLimitOf } from '../../../../nodes/shared/service/rateLimit.ts';
import { jittered, Pace, tooLong } from '../../../../nodes/VoiceAgentCalling/sending/pace.ts';
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
const failure = (httpStatus?: number) =>
	new ServiceError('No', { code: 'UNEXPECTED', advice: '', httpStatus, accepted: 'no' });
const newPace = (maxWaitSeconds = 300) => new Pace({ maxConcurrentRequests: 100, maxWaitSeconds });

/** A limit with so many requests left in a window that ends in so many milliseconds. */
const limit = (remaining: number, ms?: number, more = {}) => ({
	...{ remaining, first: false, rounded: false, endsAt: ms === undefined ? undefined : Date.now() + ms },
	...more,
});

/** Sends requests until one has to wait, which is then given up. @returns how many were sent */
async function sentNow(pace: Pace): Promise<number> {
	let sent = 0;
	let isOver = false;
	const assertWanted = () => {
		if (isOver) {
			throw failure();
		}
	};
	for (let tried = 0; sent === tried && tried < 50; tried++) {
		pace.acquire(assertWanted).then(
			() => sent++,
			() => undefined,
		);
		await new Promise((resolve) => setImmediate(resolve));
	}
	isOver = true;
	return sent;
}

/** Sends one request, which is answered at once. */
async function answered(pace: Pace, stated?: ReturnType<typeof limit>, error?: ServiceError): Promise<void> {
	pace.onResponse(stated, await pace.acquire(never), error);
}

describe('While the service states no limit', () => {
	test.each([
		['a success', undefined, 10],
		['an error of the service', failure(500), 10],
		['a 429', failure(429), 5],
		['no response', failure(), 5],
	])('%s allows as many at a time', async (_what, error, expected) => {
		const pace = newPace();
		await answered(pace, undefined, error);
		expect(await sentNow(pace)).toBe(expected);
	});

	test('five are sent at first, and each success doubles them', async () => {
		const pace = newPace();
		expect(await sentNow(pace)).toBe(5);
		const now = Date.now();
		pace.onResponse(undefined, now, undefined);
		expect(await sentNow(pace)).toBe(6);
		pace.onResponse(undefined, now, undefined);
		expect(await sentNow(pace)).toBe(11);
	});

	test('a 429 halves them, and a round of successes then adds one', async () => {
		const pace = newPace();
		expect(await sentNow(pace)).toBe(5);
		const sentAt = Date.now();
		pace.onResponse(undefined, sentAt, failure(429));
		expect(pace.tooMany(undefined, sentAt)).toBe(375);
		jest.advanceTimersByTime(374);
		for (let n = 0; n < 4; n++) {
			pace.onResponse(undefined, sentAt, undefined);
		}
		expect(await sentNow(pace)).toBe(0);
		jest.advanceTimersByTime(1);
		// From 2, four successes add 1/2, 1/2.5, 1/2.9 and 1/3.2.
		expect(await sentNow(pace)).toBe(3);
	});

	test('at least one is sent after a 429, and alone', async () => {
		const pace = newPace();
		const sentAt = await pace.acquire(never);
		pace.onResponse(undefined, sentAt, failure(429));
		pace.tooMany(2, sentAt);
		jest.advanceTimersByTime(1999);
		expect(await sentNow(pace)).toBe(0);
		jest.advanceTimersByTime(1);
		expect(await sentNow(pace)).toBe(1);
	});
});

describe('While the service states a limit', () => {
	test('as many are sent as are left', async () => {
		const pace = newPace();
		await answered(pace, limit(12, 60_000));
		expect(await sentNow(pace)).toBe(12);
	});

	test.each([
		['of the same window: the lower number counts', 5, 61_000, 3],
		['of the same window: the lower number counts, also if it is the later one', 2, 58_600, 2],
		['of the next window', 5, 61_501, 5],
		['of the previous window, which came late', 1, 58_499, 3],
		['that has ended', 1, 0, 3],
	])('a second response is one %s', async (_what, remaining, ms, expected) => {
		const pace = newPace();
		const first = await pace.acquire(never);
		const second = await pace.acquire(never);
		pace.onResponse(limit(3, 60_000), first, undefined);
		pace.onResponse(limit(remaining, ms), second, undefined);
		expect(await sentNow(pace)).toBe(expected);
	});

	test('the earlier end of the window counts', async () => {
		const pace = newPace();
		const first = await pace.acquire(never);
		const second = await pace.acquire(never);
		pace.onResponse(limit(0, 10_000), first, undefined);
		pace.onResponse(limit(0, 9000), second, undefined);
		jest.advanceTimersByTime(8999);
		expect(await sentNow(pace)).toBe(0);
		jest.advanceTimersByTime(1);
		expect(await sentNow(pace)).toBe(1);
	});

	test.each([
		[true, true, 10_400],
		[false, true, 10_900],
		[true, false, 10_900],
	])('a window that begins with a request lasts whole seconds (first: %s, rounded: %s)', async (first, rounded, ms) => {
		const pace = newPace();
		const sentAt = await pace.acquire(never);
		jest.advanceTimersByTime(400);
		pace.onResponse(limit(0, 10_500, { first, rounded }), sentAt, undefined);
		jest.setSystemTime(sentAt + ms - 1);
		expect(await sentNow(pace)).toBe(0);
		jest.setSystemTime(sentAt + ms);
		expect(await sentNow(pace)).toBe(1);
	});

	test('after its end one is sent alone if none were left, and otherwise several', async () => {
		const [used, free] = [newPace(), newPace()];
		await answered(used, limit(0, 2000));
		await answered(free, limit(3, 2000));
		jest.advanceTimersByTime(2000);
		expect([await sentNow(used), await sentNow(free)]).toEqual([1, 10]);
	});

	test('without its end, one at a time is sent when none are left', async () => {
		const pace = newPace();
		await answered(pace, limit(3));
		const first = await pace.acquire(never);
		pace.onResponse(limit(0), first, undefined);
		expect(await sentNow(pace)).toBe(1);
		const second = Date.now();
		pace.onResponse(limit(2), second, undefined);
		expect(await sentNow(pace)).toBe(2);
		// Others are in flight: the lower number counts.
		pace.onResponse(limit(9), second, undefined);
		expect(await sentNow(pace)).toBe(1);
	});
});

describe('A wait', () => {
	test('may last as long as Max Wait, and no longer', async () => {
		const pace = newPace(30);
		await answered(pace, limit(0, 30_000));
		const from = Date.now();
		expect((await inFakeTime(pace.acquire(never))) - from).toBe(30_000);
		pace.onResponse(limit(0, 30_001), Date.now(), undefined);
		await expect(pace.acquire(never)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
	});

	test('of a pause ends on time, and at once when it is not wanted', async () => {
		const from = Date.now();
		await inFakeTime(newPace().sleep(950, never));
		expect(Date.now() - from).toBe(950);
		const stop = () => {
			if (Date.now() - from >= 1300) {
				throw failure(500);
			}
		};
		await expect(inFakeTime(newPace().sleep(60_000, stop))).rejects.toMatchObject({ httpStatus: 500 });
		expect(Date.now() - from).toBe(1350);
	});

	test('that is too long says when to run again, and what the service said', () => {
		expect(tooLong(0.2)).toMatchObject({
			...{ code: 'RATE_LIMIT_EXCEEDED', accepted: 'no', httpStatus: undefined },
			advice: expect.stringContaining('in 1 second.'),
		});
		const cause = new ServiceError('Slow down', {
			...{ code: 'CONFLICT', advice: '', httpStatus: 429, accepted: 'no', body: { a: 1 } },
		});
		expect(tooLong(1.2, cause)).toMatchObject({
			...{ message: 'Slow down', code: 'CONFLICT', httpStatus: 429, body: { a: 1 } },
			advice: expect.stringContaining('in 2 seconds.'),
		});
	});
});

test.each([
	[0, 500],
	[0.5, 750],
	[1, 1000],
])('a pause lasts between half of its time and all of it (%d)', (random, ms) => {
	jest.spyOn(Math, 'random').mockReturnValue(random);
	expect(jittered(1000)).toBe(ms);
});

test('with Max Requests per Minute, requests are sent at even intervals, and a pause is not caught up', async () => {
	const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 300, maxRequestsPerMinute: 30 });
	const start = Date.now();
	const times: number[] = [];
	const send = async () => {
		times.push((await pace.acquire(never)) - start);
		pace.onResponse(undefined, start, undefined);
	};
	await inFakeTime(Promise.all([send(), send(), send()]));
	jest.advanceTimersByTime(10_000);
	const resumedAt = Date.now() - start;
	await inFakeTime(Promise.all([send(), send()]));
	expect(times).toEqual([0, 2000, 4000, resumedAt, resumedAt + 2000]);
});

test('with Max Requests per Minute, requests that waited for the service are not sent all at once afterwards', async () => {
	const pace = new Pace({ maxConcurrentRequests: 100, maxWaitSeconds: 300, maxRequestsPerMinute: 60 });
	const start = Date.now();
	const times: number[] = [];
	const send = async () => {
		const sentAt = await pace.acquire(never);
		times.push(sentAt - start);
		if (times.length > 1) {
			pace.onResponse(undefined, sentAt, undefined);
		}
	};
	const waiting = Promise.all(Array.from({ length: 20 }, send));
	await jest.advanceTimersByTimeAsync(1);
	pace.onResponse(undefined, start, failure(429));
	pace.tooMany(40, start);
	await inFakeTime(waiting);
	const gaps = times.slice(1).map((time, index) => time - times[index]!);
	expect(times[1]).toBeGreaterThanOrEqual(40_000);
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
});

test('a wait for a window of which fractions are left ends after Max Wait', async () => {
	const stated = (remaining: string, seconds: number) =>
		rateLimitOf(
			{ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': String(seconds) },
			Date.now(),
		);
	const pace = newPace(5);
	for (const [remaining, seconds] of [
		['8', 60],
		['8.5', 60],
		['7.5', 63],
		['0', 66],
	] as const) {
		const sentAt = await pace.acquire(never);
		await jest.advanceTimersByTimeAsync(10);
		pace.onResponse(stated(remaining, seconds), sentAt, undefined);
		await jest.advanceTimersByTimeAsync(3000);
	}
	await expect(pace.acquire(never)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
});
