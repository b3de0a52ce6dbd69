import { jittered, Pace, tooLong } from '../../../../nodes/shared/client/pace.ts';
import { ServiceError } from '../../../../nodes/shared/errors/serviceError.ts';
import { inFakeTime, useFakeClock } from './modelService.mts';

beforeEach(() => {
	useFakeClock();
	// Removes the randomness of the pauses.
	jest.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

const never = () => undefined;
const failure = (httpStatus?: number, retryAfter?: number) =>
	new ServiceError('No', { code: 'UNEXPECTED', advice: '', httpStatus, accepted: 'no', retryAfter });
const newPace = (maxWaitSeconds = 300, more = {}) => new Pace({ maxConcurrentRequests: 100, maxWaitSeconds, ...more });
const now = () => performance.now();

/** So many requests are left, in a window that ends in so many seconds. */
const left = (remaining: number, seconds: number) => ({ remaining, endsIn: seconds * 1000, limit: undefined });

/** Asks for several requests at the same time. @returns when those were sent that may be sent so far */
function acquire(pace: Pace, count: number) {
	const sent: number[] = [];
	const turns = Array.from({ length: count }, async () => {
		sent.push(await pace.acquire(never));
	});
	return { all: Promise.all(turns), sent };
}

/** Lets so many seconds pass. */
const pass = async (seconds: number) => await jest.advanceTimersByTimeAsync(seconds * 1000);

/** The only request of a turn is answered. */
function respond(pace: Pace, ...response: Parameters<Pace['onResponse']>): void {
	pace.onResponse(...response);
	pace.release();
}

/** Sends one request, which is answered at once. */
async function answered(pace: Pace, stated?: ReturnType<typeof left>, error?: ServiceError): Promise<void> {
	respond(pace, await inFakeTime(pace.acquire(never)), stated, error);
}

describe('A wait for the service', () => {
	test.each([
		['until the window ends that has no requests left', left(0, 4), undefined],
		['as long as a 429 asks for', undefined, failure(429, 4)],
		['as long as a 429 asks for, after the end of the window', left(0, 2), failure(429, 4)],
	])('lasts %s', async (_what, stated, error) => {
		const pace = newPace();
		await answered(pace, stated, error);
		expect(pace.closedMs).toBe(4000);
		const { sent } = acquire(pace, 1);
		await pass(3.999);
		expect(sent).toHaveLength(0);
		await pass(0.001);
		expect(sent).toHaveLength(1);
	});

	test.each([
		['does not say how long to wait', undefined],
		['allows the next request at once', 0],
	])('lasts longer after each 429 in a row, up to half a minute, if the service %s', async (_what, retryAfter) => {
		const pace = newPace();
		const pauses: number[] = [];
		for (const error of [...Array.from({ length: 8 }, () => failure(429, retryAfter)), undefined, failure(429)]) {
			await answered(pace, undefined, error);
			pauses.push(pace.closedMs);
		}
		expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 0, 500]);
	});

	test('is the same for refusals of requests that were in flight at the same time', async () => {
		const pace = newPace();
		const { all, sent } = acquire(pace, 5);
		await all;
		for (const sentAt of sent) {
			respond(pace, sentAt, undefined, failure(429));
		}
		expect(pace.closedMs).toBe(500);
	});

	test('does not end early for a late response to a request that was sent before', async () => {
		const pace = newPace();
		const { all, sent } = acquire(pace, 3);
		await all;
		respond(pace, sent[0]!, left(3, 60), undefined);
		respond(pace, sent[1]!, left(0, 60), undefined);
		await pass(1);
		respond(pace, sent[2]!, left(2, 59), undefined);
		const later = acquire(pace, 1);
		await pass(58.9);
		expect(later.sent).toHaveLength(0);
		await pass(0.2);
		expect(later.sent).toHaveLength(1);
	});

	test('is not caused by a late response from a window that has ended', async () => {
		const pace = newPace();
		const late = await pace.acquire(never);
		await pass(5);
		await answered(pace, left(10, 60));
		respond(pace, late, left(0, -1), undefined);
		const { sent } = acquire(pace, 4);
		await pass(0);
		expect(sent).toHaveLength(4);
	});

	test('is followed by one request, and by the others when the service has accepted it', async () => {
		const pace = newPace();
		await answered(pace, left(0, 2));
		const { all, sent } = acquire(pace, 3);
		await pass(3);
		expect(sent).toHaveLength(1);
		respond(pace, sent[0]!, left(100, 60), undefined);
		await all;
	});

	test('is not ended by the answer to a request that was sent before it', async () => {
		const pace = newPace();
		const { all, sent } = acquire(pace, 2);
		await all;
		respond(pace, sent[0]!, undefined, failure(429, 1));
		respond(pace, sent[1]!, undefined, undefined);
		const later = acquire(pace, 2);
		await pass(1.2);
		expect(later.sent).toHaveLength(1);
	});

	test('may last as long as Max Wait, and no longer', async () => {
		const pace = newPace(30);
		await answered(pace, left(0, 30));
		const from = now();
		expect((await inFakeTime(pace.acquire(never))) - from).toBe(30_000);
		respond(pace, now(), left(0, 30.5), undefined);
		await expect(pace.acquire(never)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', accepted: 'no' });
	});

	test('for responses that may be counted already is none for the next window', async () => {
		const pace = newPace(1);
		const { all, sent } = acquire(pace, 2);
		await all;
		respond(pace, sent[0]!, left(1, 60), undefined);
		const third = acquire(pace, 1);
		await pass(3);
		expect(third.sent).toHaveLength(0);
		respond(pace, sent[1]!, left(1, 57), undefined);
		await inFakeTime(third.all);
	});

	test('ends at once when the request is no longer wanted, as a pause does', async () => {
		const pace = newPace();
		await answered(pace, left(0, 90));
		for (const wait of [pace.acquire.bind(pace), pace.sleep.bind(pace, 60_000)]) {
			const from = now();
			const unwanted = new Error('no longer wanted');
			const throwIfUnwanted = () => {
				if (now() - from >= 1000) {
					throw unwanted;
				}
			};
			await expect(inFakeTime(wait(throwIfUnwanted) as Promise<unknown>)).rejects.toBe(unwanted);
			expect(now() - from).toBeLessThanOrEqual(1200);
		}
	});
});

describe('What the editor shows as waited', () => {
	test('is the time of several requests that wait for the same window once, and nothing between two waits', async () => {
		const pace = newPace();
		await answered(pace, left(0, 7));
		const first = acquire(pace, 3);
		await pass(7.1);
		respond(pace, first.sent[0]!, left(0, 5), undefined);
		await pass(5.1);
		expect(pace.limitedMs).toBe(12_000);
		await pass(60);
		respond(pace, now(), left(0, 3), undefined);
		await inFakeTime(first.all);
		expect(pace.limitedMs).toBeGreaterThan(12_000);
		expect(pace.limitedMs).toBeLessThanOrEqual(15_000);
	});

	test('is neither a wait for responses nor an interval that the user set', async () => {
		const pace = newPace();
		const { all, sent } = acquire(pace, 8);
		await pass(4);
		for (const sentAt of sent) {
			respond(pace, sentAt, undefined, undefined);
		}
		await inFakeTime(all);
		const even = newPace(300, { maxRequestsPerMinute: 6 });
		await answered(even, left(50, 60));
		await answered(even, left(50, 60));
		expect([pace.limitedMs, even.limitedMs]).toEqual([0, 0]);
	});
});

describe('Max Requests per Minute', () => {
	test('sends at even intervals, and does not catch up after a pause', async () => {
		const pace = newPace(300, { maxRequestsPerMinute: 30 });
		await pass(1);
		const start = now();
		const first = acquire(pace, 3);
		await inFakeTime(first.all);
		await pass(10);
		const resumed = now() - start;
		const second = acquire(pace, 2);
		await inFakeTime(second.all);
		const times = [...first.sent, ...second.sent].map((sentAt) => sentAt - start);
		expect(times).toEqual([0, 2000, 4000, resumed, resumed + 2000]);
	});

	test('does not send all at once what has waited for the service', async () => {
		const pace = newPace(300, { maxRequestsPerMinute: 60 });
		const times: number[] = [];
		const send = async () => {
			const sentAt = await pace.acquire(never);
			respond(pace, sentAt, undefined, times.push(sentAt) === 1 ? failure(429, 40) : undefined);
		};
		await inFakeTime(Promise.all(Array.from({ length: 20 }, send)));
		const gaps = times.slice(1).map((time, index) => time - times[index]!);
		expect(gaps[0]).toBeGreaterThanOrEqual(40_000);
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
	});
});

test('a pause ends on time', async () => {
	const from = now();
	await inFakeTime(newPace().sleep(950, never));
	expect(now() - from).toBe(950);
});

test.each([
	[0, 500],
	[0.5, 750],
	[1, 1000],
])('a pause lasts between half of its time and all of it (%d)', (random, ms) => {
	jest.spyOn(Math, 'random').mockReturnValue(random);
	expect(jittered(1000)).toBe(ms);
});

test('the error of a wait that is too long says when to run again, and what the service said', () => {
	const error = { code: 'RATE_LIMIT_EXCEEDED', accepted: 'no', httpStatus: undefined };
	expect(tooLong(0.2)).toMatchObject({ ...error, advice: expect.stringContaining('in 1 second.') });
	const said = { code: 'CONFLICT', httpStatus: 429, accepted: 'no', body: { a: 1 } } as const;
	expect(tooLong(1.2, new ServiceError('Slow down', { ...said, advice: '' }))).toMatchObject({
		...said,
		message: 'Slow down',
		advice: expect.stringContaining('in 2 seconds.'),
	});
});
