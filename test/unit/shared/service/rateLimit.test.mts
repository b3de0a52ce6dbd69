import { rateLimitOf, retryAfterOf } from '../../../../nodes/shared/service/rateLimit.ts';

const now = Date.UTC(2026, 10, 21, 6, 0, 0, 300);
const parse = (reset: unknown, more: Record<string, unknown> = {}) =>
	rateLimitOf({ 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '41', 'x-ratelimit-reset': reset, ...more }, now);

/** The service's `Date` header, in whole seconds, if its clock is ahead of n8n's clock. */
const clock = (aheadMs: number) => ({ date: new Date(now + aheadMs).toUTCString() });

describe('X-RateLimit-Reset', () => {
	const end = Date.UTC(2026, 10, 21, 6, 0, 30);
	test.each([
		['seconds since 1970', end / 1000],
		['seconds since 1970, as text', ` ${end / 1000} `],
		['seconds since 1970 with a fraction', (end + 250) / 1000],
		['milliseconds since 1970', end],
		['a date and time with Z', '2026-11-21T06:00:30Z'],
		['a date and time with milliseconds', '2026-11-21T06:00:30.000Z'],
		['a date and time with an offset', '2026-11-21T07:00:30+01:00'],
		['a date and time without an offset, in UTC', '2026-11-21T06:00:30'],
		['a date and time with a space', '2026-11-21 06:00:30'],
		['an HTTP date', 'Sat, 21 Nov 2026 06:00:30 GMT'],
	])('is read as %s', (_what, reset) => {
		const expected = reset === (end + 250) / 1000 ? end + 250 : end;
		expect(parse(reset)).toMatchObject({ remaining: 41, endsAt: expected });
		expect(parse(String(reset))).toMatchObject({ endsAt: expected });
	});

	test.each([0, 1, 30, 3600, 86_400])('is read as %i seconds left', (left) => {
		expect(parse(String(left))).toMatchObject({ endsAt: now + left * 1000, rounded: true });
	});

	test.each([undefined, null, '', ' ', 'soon', '-5', -1, 'NaN', 'Infinity', '1e999', {}, [], true])(
		'of %p is ignored',
		(reset) => {
			expect(parse(reset)).toMatchObject({ remaining: 41, endsAt: undefined });
		},
	);

	test('in whole seconds is marked as rounded', () => {
		expect(parse(String(end / 1000))).toMatchObject({ rounded: true });
		expect(parse('2026-11-21T06:00:30Z')).toMatchObject({ rounded: true });
		expect(parse(String(end + 1))).toMatchObject({ rounded: false });
		expect(parse('2026-11-21T06:00:30.001Z')).toMatchObject({ rounded: false });
	});

	test.each([0, 400, -200])('is not corrected if the clocks may be equal (%i ms)', (aheadMs) => {
		expect(parse(String(end / 1000), clock(aheadMs))).toMatchObject({ endsAt: end });
	});

	test.each([5000, 3_600_000, -5000, -3_600_000, 86_400_000])(
		'is corrected to within a second if the clock of the service is %i ms ahead',
		(aheadMs) => {
			for (const reset of [(end + aheadMs) / 1000, end + aheadMs, new Date(end + aheadMs).toISOString()]) {
				const { endsAt = 0 } = parse(String(reset), clock(aheadMs)) ?? {};
				expect(Math.abs(endsAt - end)).toBeLessThan(1000);
			}
		},
	);

	test('in seconds left does not depend on the clock of the service', () => {
		expect(parse('30', clock(3_600_000))).toMatchObject({ endsAt: now + 30_000 });
	});
});

describe('X-RateLimit-Remaining', () => {
	test.each([undefined, '', 'many', Number.NaN, {}])('of %p is ignored', (remaining) => {
		expect(parse('30', { 'x-ratelimit-remaining': remaining })).toBeUndefined();
	});

	test('is never less than 0', () => {
		expect(parse('30', { 'x-ratelimit-remaining': '-3' })).toMatchObject({ remaining: 0 });
	});

	test('of one less than the limit means that this request started the window', () => {
		expect(parse('30', { 'x-ratelimit-remaining': '999' })).toMatchObject({ first: true });
		expect(parse('30', { 'x-ratelimit-remaining': '998' })).toMatchObject({ first: false });
		expect(parse('30', { 'x-ratelimit-remaining': '999', 'x-ratelimit-limit': undefined })).toMatchObject({
			first: false,
		});
	});
});

describe('Retry-After', () => {
	const after = (value: unknown, more = {}) => retryAfterOf({ 'retry-after': value, ...more }, now);

	test('is read as seconds', () => {
		expect(['0', '1', 120, ' 7 '].map((value) => after(value))).toEqual([0, 1, 120, 7]);
	});

	test('is read as a date, relative to the clock of the service', () => {
		expect(after('Sat, 21 Nov 2026 06:01:00 GMT')).toBeCloseTo(59.7);
		const anHourAhead = after('Sat, 21 Nov 2026 07:01:00 GMT', clock(3_600_000)) ?? 0;
		expect(Math.abs(anHourAhead - 59.7)).toBeLessThan(1);
	});

	test('in the past means no wait', () => {
		expect(after('Sat, 21 Nov 2026 05:00:00 GMT')).toBe(0);
	});

	test.each([undefined, '', 'later', '-1', {}])('of %p is ignored', (value) => {
		expect(after(value)).toBeUndefined();
	});
});
