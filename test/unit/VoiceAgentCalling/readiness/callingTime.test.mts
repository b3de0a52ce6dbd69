import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';

import { callingTimeOf } from '../../../../nodes/VoiceAgentCalling/readiness/callingTime.ts';
import { type Campaign, DAY_MS, isOpen, MINUTE_MS, planned } from './campaigns.mts';

const HOUR_MS = 60 * MINUTE_MS;

/**
 * When a campaign has been open for `needed` milliseconds, and for how long it was open until then or until `end`. Looks
 * at every minute.
 */
function byMinutes(campaign: Campaign, from: number, needed: number, end: number) {
	const zone = IANAZone.create(campaign.timezone);
	let open = 0;
	for (let time = from; time < end; ) {
		const next = (Math.floor(time / MINUTE_MS) + 1) * MINUTE_MS;
		if (isOpen(campaign, DateTime.fromMillis(time, { zone }))) {
			if (open + next - time >= needed) {
				return { end: time + needed - open, open: needed };
			}
			open += next - time;
		}
		time = next;
	}
	return { end: undefined, open };
}

/** The minutes in a week without clock changes in which a campaign is open, if its ranges do not overlap. */
function weeklyMinutes({ days_of_week, call_time_ranges, ...pair }: Campaign): number {
	const minuteOf = (time = '') => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
	const ranges = call_time_ranges ?? [{ start: pair.earliest_call_time, end: pair.latest_call_time }];
	const daily = ranges.map(({ start, end }) => (minuteOf(end) || 1440) - minuteOf(start));
	return days_of_week.length * Math.max(...daily);
}

test('a campaign has called for some time when luxon has counted as many open minutes', () => {
	const seen = { ends: 0, over: 0, severalDays: 0, changes: 0 };
	fc.assert(
		fc.property(planned, fc.integer({ min: 1, max: 1500 }), ({ campaign, from }, share) => {
			const earliest = from + (campaign.initial_call_delay ?? 0) * 1000;
			// A week's calling time at most, so that not too many minutes are counted.
			const needed = Math.ceil((weeklyMinutes(campaign) * MINUTE_MS * share) / 1500);
			const last = campaign.end_date ? Date.parse(campaign.end_date) + 2 * DAY_MS : Number.POSITIVE_INFINITY;
			const begin = Math.max(earliest, Date.parse(campaign.start_date) - DAY_MS);
			const time = callingTimeOf(campaign)?.(from, needed);
			const expected = byMinutes(campaign, earliest, needed, Math.min(last, begin + 35 * DAY_MS));
			expect(time).toEqual({ ...expected, isOver: expected.end === undefined });
			const { end } = expected;
			seen[end === undefined ? 'over' : 'ends']++;
			seen.severalDays += end !== undefined && end - begin > DAY_MS ? 1 : 0;
			const zone = IANAZone.create(campaign.timezone);
			seen.changes += zone.offset(earliest) === zone.offset(end ?? earliest) ? 0 : 1;
		}),
		{ numRuns: 60, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
	);
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(1);
});

const weekdays = {
	start_date: '2026-01-01',
	days_of_week: [1, 2, 3, 4, 5],
	earliest_call_time: '09:00:00',
	latest_call_time: '17:00:00',
	timezone: 'Europe/Berlin',
};

test.each([
	['within the hours of the day', '2026-01-07T09:00:00Z', 2, '2026-01-07T11:00:00.000Z', {}],
	['exactly at the end of the hours', '2026-01-07T09:00:00Z', 7, '2026-01-07T16:00:00.000Z', {}],
	['over a weekend', '2026-01-09T15:00:00Z', 2, '2026-01-12T09:00:00.000Z', {}],
	['before the start date', '2025-12-01T00:00:00Z', 1, '2026-01-01T09:00:00.000Z', {}],
	['after the first delay', '2026-01-07T09:00:00Z', 1, '2026-01-07T11:30:00.000Z', { initial_call_delay: 5400 }],
	[
		'with a break between the hours',
		'2026-01-07T10:00:00Z',
		2,
		'2026-01-07T14:00:00.000Z',
		{
			call_time_ranges: [
				{ start: '14:00', end: '17:00' },
				{ start: '09:00', end: '12:00' },
			],
		},
	],
	// On 2026-03-29 the clocks skip an hour of the night, on 2026-10-25 they repeat one.
	[
		'in a night that lacks an hour',
		'2026-03-28T23:00:00Z',
		3,
		'2026-03-29T02:00:00.000Z',
		{ days_of_week: [7], earliest_call_time: '00:00:00', latest_call_time: '04:00:00' },
	],
	[
		'in a night with an hour more',
		'2026-10-24T22:00:00Z',
		5,
		'2026-10-25T03:00:00.000Z',
		{ days_of_week: [7], earliest_call_time: '00:00:00', latest_call_time: '04:00:00' },
	],
	[
		'when the clocks skip the start of its hours',
		'2026-03-29T00:00:00Z',
		1.75,
		'2026-03-29T02:45:00.000Z',
		{ days_of_week: [7], earliest_call_time: '02:30:00', latest_call_time: '05:00:00' },
	],
	[
		'when the clocks repeat the end of its hours',
		'2026-10-24T22:00:00Z',
		1.5,
		'2026-10-25T01:10:00.000Z',
		{ days_of_week: [7], earliest_call_time: '01:00:00', latest_call_time: '02:20:00' },
	],
])('a campaign that calls %s is done then', (_what, from, hours, end, changes) => {
	const time = callingTimeOf({ ...weekdays, ...changes })?.(Date.parse(from), hours * HOUR_MS);
	expect(new Date(Number(time?.end)).toISOString()).toBe(end);
	expect(time).toMatchObject({ open: hours * HOUR_MS, isOver: false });
});

test('a campaign that ends too early says how much time it has', () => {
	const times = callingTimeOf({ ...weekdays, end_date: '2026-01-08' });
	const from = Date.parse('2026-01-07T15:00:00Z');
	expect(times?.(from, 9 * HOUR_MS)).toMatchObject({ end: Date.parse('2026-01-08T16:00:00Z') });
	expect(times?.(from, 10 * HOUR_MS)).toEqual({ end: undefined, open: 9 * HOUR_MS, isOver: true });
	expect(times?.(Date.parse('2026-02-01T00:00:00Z'), HOUR_MS)).toEqual({ end: undefined, open: 0, isOver: true });
});

test('a campaign without an end is looked at for two years, and fast', () => {
	const times = callingTimeOf({ ...weekdays, days_of_week: [1] });
	const from = Date.parse('2026-01-07T15:00:00Z');
	expect(times?.(from, 800 * HOUR_MS)?.end).toBeGreaterThan(from + 690 * DAY_MS);
	const begin = Date.now();
	expect(times?.(from, 10_000 * HOUR_MS)).toMatchObject({ end: undefined, isOver: false });
	expect(Date.now() - begin).toBeLessThan(10_000);
});

test('a campaign whose schedule is not clear has no calling time', () => {
	expect(callingTimeOf({ ...weekdays, days_of_week: [] })).toBeUndefined();
	expect(callingTimeOf({ ...weekdays, latest_call_time: '06:00:00' })).toBeUndefined();
	expect(callingTimeOf({ ...weekdays, timezone: 'Mars/Base' })).toBeUndefined();
});
