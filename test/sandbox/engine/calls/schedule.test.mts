import { nextOpening, type Schedule } from '../../../../sandbox/engine/calls/schedule.mts';
import { campaign, queued, setStatus, statusesAre, useStories } from '../../story.mts';

const schedule: Schedule = {
	start_date: '2026-01-01',
	end_date: null,
	days_of_week: [1, 2, 3, 4, 5],
	timezone: 'Europe/Berlin',
	call_time_ranges: [{ start: '09:00', end: '17:00' }],
};

/** Times of day, such as `09:00-11:00`. */
const hours = (...ranges: string[]) => ({
	call_time_ranges: ranges.map((range) => ({ start: range.slice(0, 5), end: range.slice(6) })),
});
const sundays = (range: string) => ({ days_of_week: [7], ...hours(range) });
const always = (end: string) => ({ days_of_week: [1, 2, 3, 4, 5, 6, 7], ...hours(`00:00-${end}`), timezone: 'UTC' });

// Berlin: summer time begins on 2026-03-29 (02:00 becomes 03:00, 01:00 in UTC) and ends on 2026-10-25, both Sundays:
// the hour from 02:00 comes twice, 00:00 to 02:00 in UTC.
it.each<[what: string, from: string, expected: string | null, changes?: Partial<Schedule>]>([
	['before the range of a day', '2026-01-07T06:00', '2026-01-07T08:00'],
	['within the range', '2026-01-07T12:34', '2026-01-07T12:34'],
	['at the end of the range', '2026-01-07T16:00', '2026-01-08T08:00'],
	['on Friday evening', '2026-01-09T18:00', '2026-01-12T08:00'],
	['before the start date', '2025-06-01T12:00', '2026-01-01T08:00'],
	['in New York', '2026-01-07T00:00', '2026-01-07T14:00', { timezone: 'America/New_York' }],
	['in a zone of 45 minutes', '2026-01-07T03:00', '2026-01-07T03:15', { timezone: 'Asia/Kathmandu' }],
	['between two ranges', '2026-01-07T10:30', '2026-01-07T13:00', hours('14:00-16:00', '09:00-11:00')],
	['at midnight, to 23:59', '2026-01-07T23:59:30', '2026-01-07T23:59:30', always('23:59')],
	['at midnight, to 24:00', '2026-01-07T23:59:30', '2026-01-07T23:59:30', always('24:00')],
	['before the end date', '2026-01-07T20:00', '2026-01-08T08:00', { end_date: '2026-01-08' }],
	['after the end date', '2026-01-08T20:00', null, { end_date: '2026-01-08' }],
	['in winter', '2026-03-28T00:00', '2026-03-28T08:00', { days_of_week: [6, 7] }],
	['in summer', '2026-03-29T00:00', '2026-03-29T07:00', { days_of_week: [6, 7] }],
	['with hours that the clocks skip', '2026-03-29T00:00', '2026-04-05T00:15', sundays('02:15-02:45')],
	['with hours that begin in the gap', '2026-03-29T00:00', '2026-03-29T01:00', sundays('02:30-05:00')],
	['with hours that end in the gap', '2026-03-29T01:00', '2026-04-04T23:00', sundays('01:00-02:30')],
	['before both passes', '2026-10-25T00:00', '2026-10-25T00:10', sundays('02:10-02:50')],
	['after both passes', '2026-10-25T01:50', '2026-11-01T01:10', sundays('02:10-02:50')],
	['between the passes of an end', '2026-10-25T00:20', '2026-10-25T01:00', sundays('01:00-02:20')],
	['between the passes of a beginning', '2026-10-25T01:00', '2026-10-25T01:40', sundays('02:40-03:10')],
	['on the last day of all', '9999-12-31T12:00', '9999-12-31T12:00', { timezone: 'UTC' }],
])('a campaign schedule opens at the next time in its timezone: %s', (_when, from, expected, changes = {}) => {
	const time = nextOpening({ ...schedule, ...changes }, Date.parse(`${from}Z`));
	expect(time).toBe(expected && Date.parse(`${expected}Z`));
});

it('a campaign schedule has no moment after the year 9999', () => {
	expect([Date.UTC(10_000, 0), Infinity].map((time) => nextOpening(schedule, time))).toEqual([null, null]);
});

describe('a running campaign', () => {
	useStories({ startTime: Date.UTC(2027, 0, 4, 8) }).stories({
		'holds its calls until it opens, or until it is changed while it is paused': [
			...campaign('c', { start_date: '2027-01-06' }),
			[
				...queued('c', '+12025550001'),
				{ campaign_call: { status: 'scheduled', scheduled_at: '2027-01-06T00:00:00Z' } },
			],
			...campaign('other', { start_date: '2099-01-01' }),
			queued('other', '+12025550011'),
			setStatus('other', 'paused'),
			['PUT /campaigns/{other} 200', { start_date: '2020-01-01' }],
			setStatus('other', 'active'),
			[`wait ${40 * 3600 - 60}`],
			statusesAre('c', 'scheduled'),
			statusesAre('other', 'completed'),
			['wait 120'],
			statusesAre('c', 'completed'),
		],
	});
});
