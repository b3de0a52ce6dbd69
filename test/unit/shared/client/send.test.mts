import { canceled } from '../../../../nodes/shared/client/itemErrors.ts';
import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import { type SendOptions, send } from '../../../../nodes/shared/client/send.ts';
import { type Answer, cut, timedOut, unreachable } from '../../n8n.mts';
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

const done = { body: { data: { id: 'call-1' } } };
const tooMany = (seconds: number) => ({ status: 429, body: { message: 'Too many', retry_after: seconds } });
const status = (code: number, body: unknown = { message: 'Trouble' }) => ({ status: code, body });
const endless = { status: 503, body: { message: 'Later', retry_after: 40 } };

/** Sends one request. @returns its result, when each attempt was sent in milliseconds, and what its guard was asked */
async function sent(answers: Answer[], options: Partial<SendOptions> = {}) {
	const start = Date.now();
	const times: number[] = [];
	const events: string[] = [];
	const { run, requests } = runOf({
		service: () => answers[Math.min(times.push(Date.now() - start), answers.length) - 1]!,
	});
	const guard = {
		reserve: (request: ServiceRequest) => {
			events.push('reserved');
			return request;
		},
		refused: () => void events.push('refused'),
	};
	const result = await inFakeTime(
		send(
			run,
			{ method: 'POST', path: ['calls'], body: { to: '+12025550101' } },
			{
				isRepeatable: false,
				throwIfUnwanted: () => undefined,
				guard,
				onAttempt: (error) => void events.push(error?.code ?? 'accepted'),
				...options,
			},
		),
	);
	return { ...result, times, events, took: Date.now() - start, requests, run };
}

describe('A request is sent once', () => {
	test('if it is answered, and its body is the result', async () => {
		const { value, times, events, requests } = await sent([done]);
		expect([value, times, events]).toEqual([done.body, [0], ['reserved', 'accepted']]);
		expect(requests[0]).toMatchObject({
			method: 'POST',
			url: 'https://service.example/api/v1/calls',
			body: { to: '+12025550101' },
			timeout: 30_000,
		});
	});

	test.each<[string, Answer, string]>([
		['the connection was cut', cut, 'CONNECTION_LOST'],
		['it took too long', timedOut, 'TIMEOUT'],
		...[502, 503, 504].map((code): [string, Answer, string] => [
			`a proxy answered ${code}`,
			status(code),
			'SERVER_ERROR',
		]),
	])('if nobody knows what became of it, and it must not happen twice: %s', async (_what, answer, code) => {
		const { error, times, events } = await sent([answer, done]);
		expect(error).toMatchObject({ code, accepted: 'unknown' });
		expect([times, events]).toEqual([[0], ['reserved', code]]);
	});

	test.each<[string, Answer]>([
		['it took too long', timedOut],
		...[500, 501, 404, 422].map((code): [string, Answer] => [`the service answered ${code}`, status(code)]),
		['a check of the service has a negative result', status(502, { message: 'No', data: { ok: false } })],
	])('if another attempt would not help: %s', async (_what, answer) => {
		const { error, times } = await sent([answer, done], { isRepeatable: true });
		expect(error).toBeDefined();
		expect(times).toEqual([0]);
	});
});

describe('A request is sent again', () => {
	test.each<[string, Answer]>([
		['the connection was cut', cut],
		['a proxy answered with text', status(502, '<html>Bad Gateway</html>')],
		...[502, 503, 504].map((code): [string, Answer] => [`a proxy answered ${code}`, status(code)]),
		['nothing listens', unreachable],
	])('after a pause, if it may happen twice: %s', async (_what, answer) => {
		const { value, times } = await sent([answer, done], { isRepeatable: true });
		expect([value, times]).toEqual([done.body, [0, 150]]);
	});

	test('even if it must not happen twice, when it certainly did not arrive', async () => {
		const { value, times, events, run } = await sent([unreachable, done]);
		expect([value, times, run.pace.repeats]).toEqual([done.body, [0, 150], 1]);
		expect(events).toEqual(['reserved', 'refused', 'UNREACHABLE', 'reserved', 'accepted']);
	});

	test('at most three times, after pauses that grow', async () => {
		const { error, times, events, run } = await sent([status(503)], { isRepeatable: true });
		expect(error).toMatchObject({ httpStatus: 503 });
		expect([times, events.length, run.pace.repeats]).toEqual([[0, 150, 750, 3150], 8, 3]);
	});

	test.each([
		['not before the service asks for it', '7', [0, 7000]],
		['after the pause, if the service asks for less', '0', [0, 150]],
	])('%s', async (_when, seconds, times) => {
		const answers = [{ ...status(503), headers: { 'retry-after': seconds } }, done];
		expect((await sent(answers, { isRepeatable: true })).times).toEqual(times);
	});

	test('after a 429, even if it must not happen twice: the service has refused it, and it does not count', async () => {
		const { value, times, events } = await sent([3, 2, 1, 1, 1].map(tooMany).concat(done as never));
		expect([value, times.length, times.slice(0, 3)]).toEqual([done.body, 6, [0, 3000, 5000]]);
		expect(events.slice(0, 4)).toEqual(['reserved', 'refused', 'RATE_LIMIT_EXCEEDED', 'reserved']);
	});
});

describe('Max Wait limits how long a request waits', () => {
	test('after a 429, and the error says when to come back', async () => {
		const { error, times, took } = await sent([tooMany(90), done]);
		expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', httpStatus: 429, accepted: 'no' });
		expect(error?.advice).toContain('90 seconds');
		expect([times, took]).toEqual([[0], 0]);
	});

	test.each<[string, Answer[], number[]]>([
		['after several 429 together', [tooMany(25), tooMany(25), tooMany(25), done], [0, 25_000, 50_000]],
		['up to its last second', [tooMany(60), done], [0, 60_000]],
		['up to its last second, after 503', [{ ...endless, body: { retry_after: 60 } }, done], [0, 60_000]],
		['after a 429 and a 503 together', [tooMany(40), endless, done], [0, 40_000]],
		['after a 503 and a 429 together', [endless, tooMany(40), done], [0, 40_000]],
	])('%s', async (_when, answers, times) => {
		expect((await sent(answers, { isRepeatable: true })).times).toEqual(times);
	});

	test('after 503 together, and the error is the one of the service', async () => {
		const { error, times } = await sent([endless, endless, done], { isRepeatable: true });
		expect(error).toMatchObject({ httpStatus: 503, code: 'SERVER_ERROR' });
		expect(times).toEqual([0, 40_000]);
	});
});

describe('A request that is no longer wanted', () => {
	test('is not sent', async () => {
		const throwIfUnwanted = () => {
			throw canceled();
		};
		const { error, times, events } = await sent([done], { throwIfUnwanted });
		expect(error).toMatchObject({ code: 'CANCELED' });
		expect([times, events]).toEqual([[], []]);
	});

	test.each([
		['a pause between attempts', status(503)],
		['a wait for the rate limit', tooMany(30)],
	])('is not sent again: it ends during %s', async (_what, answer) => {
		const start = Date.now();
		const throwIfUnwanted = () => {
			if (Date.now() - start >= 300) {
				throw canceled();
			}
		};
		const { error, times, took } = await sent([answer, answer, answer, done], { isRepeatable: true, throwIfUnwanted });
		expect(error).toMatchObject({ code: 'CANCELED' });
		expect(times.every((time) => time < 300)).toBe(true);
		expect(took).toBeLessThan(1000);
	});
});

test('A request keeps to the rate limit that the response of another one stated', async () => {
	const headers = { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '5' };
	const { run } = await sent([{ ...done, headers }]);
	const start = Date.now();
	const options = { isRepeatable: false, throwIfUnwanted: () => undefined };
	await inFakeTime(send(run, { method: 'GET', path: ['calls'] }, options));
	expect(Date.now() - start).toBeGreaterThanOrEqual(4500);
});
