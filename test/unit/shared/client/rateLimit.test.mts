import { rateLimitOf, retryAfterOf } from '../../../../nodes/shared/client/rateLimit.ts';

const now = Date.UTC(2026, 10, 21, 6, 0, 0, 300);
const end = Date.UTC(2026, 10, 21, 6, 0, 30);
const names = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '41' };
const parse = (reset: unknown, more: Record<string, unknown> = {}, tookMs = 0) =>
	rateLimitOf({ ...names, 'x-ratelimit-reset': reset, ...more }, now, tookMs);

/** The service's `Date` header, in whole seconds, if its clock is ahead of n8n's clock. */
const clock = (aheadMs: number) => ({ date: new Date(now + aheadMs).toUTCString() });

describe('X-RateLimit-Reset', () => {
	test.each([
		['seconds since 1970', end / 1000],
		['milliseconds since 1970', end],
		['a date and time with Z', '2026-11-21T06:00:30Z'],
		['a date and time with milliseconds', '2026-11-21T06:00:30.000Z'],
		['a date and time with an offset', '2026-11-21T07:00:30+01:00'],
		['a date and time without an offset, in UTC', '2026-11-21T06:00:30'],
		['a date and time with a space', '2026-11-21 06:00:30'],
		['an HTTP date', 'Sat, 21 Nov 2026 06:00:30 GMT'],
		['seconds since 1970 with a fraction', (end + 250) / 1000, 250],
		...[0, 1, 30, 3600, 86_400].map((left) => ['seconds left', `${left}`, now + left * 1000 - end] as const),
		['a time in the past', String(now - 2000), now - 2000 - end],
	] as Array<[string, unknown, number?]>)('is read as %s: %j', (_what, reset, later = 0) => {
		for (const given of [reset, String(reset)]) {
			expect(parse(given)).toMatchObject({ remaining: 41, endsIn: end + later - now });
		}
	});

	test.each([undefined, null, '', ' ', 'soon', '-5', -1, 'NaN', 'Infinity', '1e999', {}, [], true])(
		'of %p is ignored',
		(reset) => {
			expect(parse(reset)).toMatchObject({ remaining: 41, endsIn: undefined });
		},
	);

	const first = { 'x-ratelimit-remaining': '999' };
	test.each([
		['of the first request of a window, in whole seconds', String(end / 1000), first, 29_000],
		['of the first request of a window, as a date', '2026-11-21T06:00:30Z', first, 29_000],
		['of the first request of a window, in seconds left', '30', first, 30_000],
		['of the first request of a window, with milliseconds', String(end + 1), first, 29_701],
		['of a later request', String(end / 1000), {}, 29_700],
		['of a service that does not state its limit', String(end / 1000), { ...first, 'x-ratelimit-limit': '' }, 29_700],
	])('%s is as precise as can be: a window lasts whole seconds', (_what, reset, more, endsIn) => {
		// The request took 200 ms, so that the window began 0 to 200 ms ago.
		expect(parse(reset, more, 200)).toMatchObject({ endsIn });
	});

	test.each([0, 400, -200])('is not corrected if the clocks may be equal (%i ms)', (aheadMs) => {
		expect(parse(String(end / 1000), clock(aheadMs))).toMatchObject({ endsIn: end - now });
	});

	test.each([5000, 3_600_000, -5000, -3_600_000, 86_400_000])(
		'is corrected to within a second if the clock of the service is %i ms ahead, but for seconds left',
		(aheadMs) => {
			for (const reset of [(end + aheadMs) / 1000, end + aheadMs, new Date(end + aheadMs).toISOString()]) {
				const { endsIn = 0 } = parse(String(reset), clock(aheadMs)) ?? {};
				expect(Math.abs(now + endsIn - end)).toBeLessThan(1000);
			}
			expect(parse('30', clock(aheadMs))).toMatchObject({ endsIn: 30_000 });
		},
	);
});

test.each([undefined, '', 'many', Number.NaN, {}])('X-RateLimit-Remaining of %p is ignored', (remaining) => {
	expect(parse('30', { 'x-ratelimit-remaining': remaining })).toBeUndefined();
	expect(parse('30', { 'x-ratelimit-remaining': '-3' })).toMatchObject({ remaining: 0 });
});

test('Retry-After is read as seconds, or as a date relative to the clock of the service', () => {
	const after = (value: unknown, more = {}) => retryAfterOf({ 'retry-after': value, ...more }, now);
	expect(['0', '1', 120, ' 7 '].map((value) => after(value))).toEqual([0, 1, 120, 7]);
	expect(after('Sat, 21 Nov 2026 06:01:00 GMT')).toBeCloseTo(59.7);
	const anHourAhead = after('Sat, 21 Nov 2026 07:01:00 GMT', clock(3_600_000)) ?? 0;
	expect(Math.abs(anHourAhead - 59.7)).toBeLessThan(1);
	expect(after('Sat, 21 Nov 2026 05:00:00 GMT')).toBe(0);
	expect([undefined, '', 'later', '-1', {}].map((value) => after(value))).toEqual(Array(5).fill(undefined));
});
