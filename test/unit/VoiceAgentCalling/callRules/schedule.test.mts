import { slotsOf } from '../../../../nodes/VoiceAgentCalling/callRules/schedule.ts';

/** A campaign as the API returns it. */
const campaign = (changes: Record<string, unknown> = {}) => ({
	start_date: '2026-01-01',
	days_of_week: [1, 2, 3, 4, 5],
	earliest_call_time: '09:00:00',
	latest_call_time: '17:00:00',
	timezone: 'Europe/Berlin',
	...changes,
});

/** Returns the next calling time of a campaign from a time on, both as ISO text. */
function slot(from: string, changes: Record<string, unknown> = {}): string | null | undefined {
	const time = slotsOf(campaign(changes))?.(Date.parse(from));
	return typeof time === 'number' ? new Date(time).toISOString().replace('.000Z', 'Z') : time;
}

const sundays = (earliest: string, latest: string) => ({
	days_of_week: [7],
	earliest_call_time: earliest,
	latest_call_time: latest,
});

const ranges = {
	call_time_ranges: [
		{ start: '14:00', end: '16:00' },
		{ start: '09:00', end: '11:00' },
	],
};

test.each([
	['now, within its hours', '2026-01-07T12:34:56.789Z', '2026-01-07T12:34:56.789Z', {}],
	['at the start of its hours, before them', '2026-01-07T06:00:00Z', '2026-01-07T08:00:00Z', {}],
	['the next day, at the end of its hours', '2026-01-07T16:00:00Z', '2026-01-08T08:00:00Z', {}],
	['on Monday, on Friday evening', '2026-01-09T18:00:00Z', '2026-01-12T08:00:00Z', {}],
	['on the start date, before it', '2025-06-01T12:00:00Z', '2026-01-01T08:00:00Z', {}],
	['on the end date, the day before it', '2026-01-07T20:00:00Z', '2026-01-08T08:00:00Z', { end_date: '2026-01-08' }],
	['never, after the end date', '2026-01-08T20:00:00Z', null, { end_date: '2026-01-08' }],
	['the next day, without an end date', '2026-01-08T20:00:00Z', '2026-01-09T08:00:00Z', { end_date: null }],
	[
		'on the days and at the hours of its time zone',
		'2026-01-11T12:00:00Z',
		'2026-01-11T20:00:00Z',
		{ timezone: 'Pacific/Auckland' },
	],
	[
		'in a time zone with an offset in quarter hours',
		'2026-01-07T03:00:00Z',
		'2026-01-07T03:15:00Z',
		{ timezone: 'Asia/Kathmandu' },
	],
	[
		'in the last minute of a day',
		'2026-01-07T22:59:59.500Z',
		'2026-01-07T22:59:59.500Z',
		{ latest_call_time: '23:59' },
	],
	[
		'until the end of the day, with an end at midnight',
		'2026-01-07T22:59:30Z',
		'2026-01-07T22:59:30Z',
		{ latest_call_time: '00:00:00' },
	],
	['in its time ranges, if the API returns them', '2026-01-07T10:30:00Z', '2026-01-07T13:00:00Z', ranges],
	['in the first of its time ranges, in whatever order', '2026-01-07T06:00:00Z', '2026-01-07T08:00:00Z', ranges],
	// Berlin: on 2026-03-29, a Sunday, 02:00 becomes 03:00, which is 01:00 in UTC.
	[
		'at the same wall-clock time after a clock change',
		'2026-03-29T00:00:00Z',
		'2026-03-29T07:00:00Z',
		sundays('09:00', '17:00'),
	],
	[
		'a week later, if the clocks skip its hours',
		'2026-03-29T00:00:00Z',
		'2026-04-05T00:15:00Z',
		sundays('02:15', '02:45'),
	],
	[
		'after a clock change that skips the start of its hours',
		'2026-03-29T00:00:00Z',
		'2026-03-29T01:00:00Z',
		sundays('02:30', '05:00'),
	],
	[
		'not after a clock change that skips the end of its hours',
		'2026-03-29T01:00:00Z',
		'2026-04-04T23:00:00Z',
		sundays('01:00', '02:30'),
	],
	// On 2026-10-25 the hour from 02:00 comes twice: 00:00 to 02:00 in UTC.
	['twice, if the clocks repeat its hours', '2026-10-25T00:50:00Z', '2026-10-25T01:10:00Z', sundays('02:10', '02:50')],
	[
		'again, if the clocks repeat the end of its hours',
		'2026-10-25T00:20:00Z',
		'2026-10-25T01:00:00Z',
		sundays('01:00', '02:20'),
	],
])('the next calling time of a campaign: %s', (_what, from, expected, changes) => {
	expect(slot(from, changes)).toBe(expected);
});

test.each([
	'2026-01-08 00:00',
	'2026-01-08T00:00:00',
	'2026-01-08T00:00:00Z',
	'2026-01-08T00:00:00.000000Z',
	'2026-01-08T00:00:00+00:00',
	'2026-01-08T00:00:00+0000',
])('a campaign calls on its end date, and not after it, if that is written as %s', (end_date) => {
	expect(slot('2026-01-07T20:00:00Z', { end_date })).toBe('2026-01-08T08:00:00Z');
	expect(slot('2026-01-08T20:00:00Z', { end_date })).toBeNull();
});

test.each([
	['within the hours', '2026-01-07T12:00:00Z', 3600, '2026-01-07T13:00:00Z'],
	['over the end of the hours', '2026-01-07T15:30:00Z', 3600, '2026-01-08T08:00:00Z'],
	['that ends before the hours', '2026-01-07T06:00:00Z', 3600, '2026-01-07T08:00:00Z'],
	['that ends within the hours', '2026-01-07T07:30:00Z', 3600, '2026-01-07T08:30:00Z'],
	['over the end date', '2026-01-08T15:30:00Z', 3600, null],
	['of nothing', '2026-01-07T12:00:00Z', null, '2026-01-07T12:00:00Z'],
])('a first delay %s', (_what, from, initial_call_delay, expected) => {
	expect(slot(from, { initial_call_delay, end_date: '2026-01-08' })).toBe(expected);
});

test.each<[what: string, ...changes: object[]]>([
	['an unknown time zone', { timezone: undefined }, { timezone: 'Mars/Base' }],
	['unclear days', ...[undefined, [], ['monday'], [0, 1], [1, 8]].map((days_of_week) => ({ days_of_week }))],
	['an unclear start', ...['morning', '2026-01-07T09:00:00'].map((time) => ({ earliest_call_time: time }))],
	['an unclear end', ...[null, '25:00', '16:60', '16:59:60'].map((time) => ({ latest_call_time: time }))],
	['hours with AM and PM', { earliest_call_time: '9:00 AM', latest_call_time: '11:00 PM' }],
	['no hours', { earliest_call_time: null, latest_call_time: undefined }],
	['hours over midnight', { earliest_call_time: '22:00:00', latest_call_time: '06:00:00' }],
	['the same start and end', { earliest_call_time: '00:00:00', latest_call_time: '00:00:00' }],
	['an empty list of ranges', { call_time_ranges: [] }],
	[
		'a range over midnight',
		...[[], [{ start: '09:00', end: '17:00' }]].map((others) => ({
			call_time_ranges: [...others, { start: '22:00', end: '02:00' }],
		})),
	],
	[
		'unclear ranges',
		...[['09:00-17:00'], { monday: [{ start: '09:00', end: '17:00' }] }, [{ start: '09:00' }]].map((ranges) => ({
			call_time_ranges: ranges,
		})),
	],
	['an unclear start date', ...['01/02/2026', '2026-02-30', undefined].map((start_date) => ({ start_date }))],
	['an end date with a time of day', { end_date: '2026-01-07T23:00:00Z' }],
	['an unclear first delay', { initial_call_delay: 'an hour' }, { initial_call_delay: -60 }],
])('the next calling time of a campaign with %s is unknown', (_what, ...unclear) => {
	expect(unclear.filter((changes) => slotsOf(campaign({ ...changes })) !== undefined)).toEqual([]);
});

test('repeated calls with later and earlier times return the same as separate ones', () => {
	const times = ['07T06:00:00Z', '07T07:59:59.999Z', '07T08:00:00Z', '07T16:00:00Z', '09T16:00:00Z', '07T05:00:00Z'];
	const moments = times.map((time) => Date.parse(`2026-01-${time}`));
	const slots = slotsOf(campaign());
	expect(moments.map((from) => slots?.(from))).toEqual(moments.map((from) => slotsOf(campaign())?.(from)));
});
