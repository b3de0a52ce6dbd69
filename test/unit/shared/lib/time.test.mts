import { isoOf, timeIn, utcDay } from '../../../../nodes/shared/lib/time.ts';

const time = Date.UTC(2026, 10, 21, 6, 0, 30);
const midnight = Date.UTC(2026, 10, 21);

test.each<[what: string, time: number, ...texts: unknown[]]>([
	['with Z', time, '2026-11-21T06:00:30Z', '2026-11-21t06:00:30z', ' 2026-11-21T06:00:30Z '],
	['with a space', time, '2026-11-21 06:00:30Z', '2026-11-21 06:00:30 UTC', '2026-11-21 06:00:30 GMT'],
	['without a zone, in UTC', time, '2026-11-21T06:00:30', '2026-11-21 06:00:30'],
	['with an offset', time, '2026-11-21T07:00:30+01:00', '2026-11-21 07:00:30+0100', '2026-11-21 07:00:30 +01'],
	['with an offset to the west', time, '2026-11-20T23:30:30-06:30', '2026-11-20 23:30:30-0630'],
	['with milliseconds', time + 123, '2026-11-21T06:00:30.123Z', '2026-11-21 06:00:30,123'],
	['with microseconds', time + 123, '2026-11-21T06:00:30.123456Z', '2026-11-21 06:00:30.123456+00'],
	['without seconds', time - 30_000, '2026-11-21T06:00Z', '2026-11-21 06:00'],
	['a day', midnight, '2026-11-21', '2026-11-20T24:00:00'],
	['the dates of HTTP', time, 'Sat, 21 Nov 2026 06:00:30 GMT', 'Saturday, 21-Nov-26 06:00:30 GMT'],
	['seconds since 1970', time, time / 1000, `${time / 1000}`, `${time / 1000}.0`],
	['seconds since 1970, with a fraction', time + 250, time / 1000 + 0.25, `${time / 1000}.25`],
	['milliseconds since 1970', time, time, `${time}`],
	['seconds until the year 5138', (1e11 - 1) * 1000, 1e11 - 1],
	['milliseconds from 1973 on', 1e11, 1e11],
])('A time of the service is read: %s', (_what, expected, ...texts) => {
	expect(texts.map((text) => [text, timeIn(text)])).toEqual(texts.map((text) => [text, expected]));
});

test.each([
	...[undefined, null, true, {}, [], [time], new Date(time), Number.NaN, Number.POSITIVE_INFINITY, -1, 1e16, 1e21],
	...['', ' ', 'yesterday', 'call 5', '-1', '1e9', '0x10', '10:00', '2026-11'],
	...['21.11.2026', '11/21/2026', '2026-02-30', '2026-02-30T10:00:00Z', '2026-13-01', '2026-11-21T25:00:00Z'],
	...[
		'2026-11-21T06:00:30+99:00',
		'2026-11-21T06:00:30 Berlin',
		'2026-11-21 06:00:30Z, or later',
		'Sat Nov 21 06:00:30 2026',
	],
])('This is not a time of the service: %p', (value) => {
	expect(timeIn(value)).toBeUndefined();
});

test('A time is written in UTC, and so is its day', () => {
	const last = Date.UTC(2026, 10, 21, 23, 59, 59, 999);
	expect([isoOf(last), utcDay(last), utcDay(last + 1)]).toEqual([
		'2026-11-21T23:59:59.999Z',
		'2026-11-21',
		'2026-11-22',
	]);
});
