import { canceled } from '../../../../nodes/VoiceAgentCalling/sending/itemErrors.ts';
import { sendAndRepeat, type Tries } from '../../../../nodes/VoiceAgentCalling/sending/retry.ts';
import { type Answers, cut, timedOut, unreachable } from '../../n8n.mts';
import { inFakeTime, useFakeClock } from './modelService.mts';
import { runOf } from './run.mts';

beforeEach(() => {
	useFakeClock();
	// Each random pause then has three quarters of its full length.
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

/** The first three pauses between tries, in milliseconds. */
const PAUSES = [150, 600, 2400];
const sum = (numbers: number[]) => numbers.reduce((left, right) => left + right, 0);

const done = { body: { data: { id: 'call-1' } } };
const tooMany = (seconds: number) => ({ status: 429, body: { message: 'Too many', retry_after: seconds } });
const status = (code: number, body: unknown = { message: 'Trouble' }) => ({ status: code, body });
const endless = { status: 503, body: { message: 'Later', retry_after: 40 } };

/** Sends one request. @returns its result, when each try was sent in milliseconds, and what the tries were told */
async function sent(service: Answers, tries: Partial<Tries> = {}, maxWaitSeconds = 60) {
	const start = Date.now();
	const times: number[] = [];
	const events: string[] = [];
	const { run, requests } = runOf(
		{
			service: async (request) => {
				times.push(Date.now() - start);
				return typeof service === 'function'
					? await service(request)
					: service[Math.min(times.length, service.length) - 1];
			},
		},
		{ maxWaitSeconds },
	);
	const result = await inFakeTime(
		sendAndRepeat(
			run,
			{ method: 'POST', path: ['calls'], body: { to: '+12025550101' } },
			{
				safe: false,
				throwIfUnwanted: () => undefined,
				sending: () => void events.push('sending') as undefined,
				failed: ({ code }) => events.push(code),
				...tries,
			},
		),
	);
	return { ...result, times, events, took: Date.now() - start, requests, run };
}

describe('A request is sent once', () => {
	test('if it is answered, and its body is the result', async () => {
		const { value, times, events, requests } = await sent([done]);
		expect(value).toEqual({ data: { id: 'call-1' } });
		expect(times).toEqual([0]);
		expect(events).toEqual(['sending']);
		expect(requests[0]).toMatchObject({
			method: 'POST',
			url: 'https://service.example/api/v1/calls',
			body: { to: '+12025550101' },
			timeout: 30_000,
		});
	});

	test.each([
		['the connection was cut', cut, 'CONNECTION_LOST'],
		['it took too long', timedOut, 'TIMEOUT'],
		['a proxy answered 502', status(502), 'SERVER_ERROR'],
		['a proxy answered 503', status(503), 'SERVER_ERROR'],
		['a proxy answered 504', status(504), 'SERVER_ERROR'],
	])('if nobody knows what became of it, and it must not happen twice: %s', async (_what, answer, code) => {
		const { error, times, events } = await sent([answer, done]);
		expect(error).toMatchObject({ code, accepted: 'unknown' });
		expect(times).toEqual([0]);
		expect(events).toEqual(['sending', code]);
	});

	test.each([
		['it took too long', timedOut],
		['the service failed with 500', status(500)],
		['the service answered 501', status(501)],
		['the object does not exist', status(404)],
		['the values are wrong', status(422)],
		['a check of the service has a negative result', status(502, { message: 'No', data: { ok: false } })],
	])('if another try would not help: %s', async (_what, answer) => {
		const { error, times } = await sent([answer, done], { safe: true });
		expect(error).toBeDefined();
		expect(times).toEqual([0]);
	});
});

describe('A request is sent again', () => {
	test.each([
		['the connection was cut', cut],
		['a proxy answered 502', status(502)],
		['a proxy answered 502 with text', status(502, '<html>Bad Gateway</html>')],
		['the service is overloaded', status(503)],
		['a proxy timed out', status(504)],
		['nothing listens', unreachable],
	])('after a pause, if it may happen twice: %s', async (_what, answer) => {
		const { value, times } = await sent([answer, done], { safe: true });
		expect(value).toEqual({ data: { id: 'call-1' } });
		expect(times).toEqual([0, PAUSES[0]]);
	});

	test('even if it must not happen twice, when it certainly did not arrive', async () => {
		const { value, times, events, run } = await sent([unreachable, done]);
		expect(value).toEqual({ data: { id: 'call-1' } });
		expect(times).toEqual([0, PAUSES[0]]);
		expect(events).toEqual(['sending', 'UNREACHABLE', 'sending']);
		expect(run.pace.repeats).toBe(1);
	});

	test('at most three times, after pauses that grow', async () => {
		const { error, times, events, run } = await sent([status(503)], { safe: true });
		expect(run.pace.repeats).toBe(3);
		expect(error).toMatchObject({ httpStatus: 503 });
		expect(times).toEqual([0, 150, 750, 3150]);
		expect(times.at(-1)).toBe(sum(PAUSES));
		expect(events).toHaveLength(8);
	});

	test('not before the service asks for it', async () => {
		const { times } = await sent([{ status: 503, headers: { 'retry-after': '7' }, body: {} }, done], { safe: true });
		expect(times).toEqual([0, 7000]);
	});

	test('after the pause, if the service asks for less', async () => {
		const { times } = await sent([status(503), { ...status(503), headers: { 'retry-after': '0' } }, done], {
			safe: true,
		});
		expect(times).toEqual([0, 150, 750]);
	});

	test('after a 429, even if it must not happen twice: the service has refused it', async () => {
		const { value, times, events } = await sent([tooMany(3), tooMany(2), done]);
		expect(value).toEqual({ data: { id: 'call-1' } });
		expect(times).toEqual([0, 3000, 5000]);
		expect(events).toEqual(['sending', 'RATE_LIMIT_EXCEEDED', 'sending', 'RATE_LIMIT_EXCEEDED', 'sending']);
	});

	test('after more than three 429, which do not count as tries', async () => {
		const { value, times } = await sent([...Array.from({ length: 6 }, () => tooMany(1)), done]);
		expect(value).toEqual({ data: { id: 'call-1' } });
		expect(times).toHaveLength(7);
	});
});

describe('Max Wait limits how long a request waits', () => {
	test('after a 429, and the error says when to come back', async () => {
		const { error, times, took } = await sent([tooMany(90), done]);
		expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', httpStatus: 429, accepted: 'no' });
		expect(error?.advice).toContain('90 seconds');
		expect(times).toEqual([0]);
		expect(took).toBe(0);
	});

	test('after several 429 together', async () => {
		const { error, times } = await sent([tooMany(25), tooMany(25), tooMany(25), done]);
		expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
		expect(times).toEqual([0, 25_000, 50_000]);
	});

	test('up to its last second', async () => {
		expect((await sent([tooMany(60), done])).times).toEqual([0, 60_000]);
		expect((await sent([{ ...endless, body: { retry_after: 60 } }, done], { safe: true })).times).toEqual([0, 60_000]);
	});

	test('after 503 together, and the error is the one of the service', async () => {
		const { error, times } = await sent([endless, endless, done], { safe: true });
		expect(error).toMatchObject({ httpStatus: 503, code: 'SERVER_ERROR' });
		expect(times).toEqual([0, 40_000]);
	});

	test('after a 429 and a 503 together', async () => {
		expect((await sent([tooMany(40), endless, done], { safe: true })).times).toEqual([0, 40_000]);
		expect((await sent([endless, tooMany(40), done], { safe: true })).times).toEqual([0, 40_000]);
	});
});

describe('A request that is no longer wanted', () => {
	test('is not sent', async () => {
		const { error, times, events } = await sent([done], {
			throwIfUnwanted: () => {
				throw canceled();
			},
		});
		expect(error).toMatchObject({ code: 'CANCELED' });
		expect(times).toEqual([]);
		expect(events).toEqual([]);
	});

	test.each([
		['a pause between tries', status(503)],
		['a wait for the rate limit', tooMany(30)],
	])('is not sent again: it ends during %s', async (_what, answer) => {
		const start = Date.now();
		const { error, times, took } = await sent([answer, answer, answer, done], {
			safe: true,
			throwIfUnwanted: () => {
				if (Date.now() - start >= 300) {
					throw canceled();
				}
			},
		});
		expect(error).toMatchObject({ code: 'CANCELED' });
		expect(times.every((time) => time < 300)).toBe(true);
		expect(took).toBeLessThan(1000);
	});
});

test('A request keeps to the rate limit that the response of another one stated', async () => {
	const headers = { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '5' };
	const { run, requests } = await sent([{ ...done, headers }]);
	const start = Date.now();
	const tries = { safe: false, throwIfUnwanted: () => undefined, sending: () => undefined, failed: () => undefined };
	await inFakeTime(sendAndRepeat(run, { method: 'GET', path: ['calls'] }, tries));
	expect(requests).toHaveLength(2);
	expect(Date.now() - start).toBeGreaterThanOrEqual(4500);
});
