import fc from 'fast-check';

import { slotsOf } from '../../../../nodes/VoiceAgentCalling/readiness/schedule.ts';
import { nextOpening } from '../../../../sandbox/engine/calls/schedule.mts';

/** Time zones with clock changes of an hour, half an hour and none, at various times, and with various offsets. */
const zones = [
	'Europe/Berlin',
	'America/New_York',
	'Australia/Lord_Howe',
	'Asia/Kathmandu',
	'America/St_Johns',
	'Africa/Casablanca',
	'Pacific/Chatham',
	'UTC',
];

/** Days around clock changes in these time zones, and random ones. */
const days = fc.oneof(
	fc.constantFrom(
		'2026-03-08',
		'2026-03-29',
		'2026-04-05',
		'2026-09-27',
		'2026-10-04',
		'2026-10-25',
		'2026-11-01',
		'2026-02-15',
		'2026-03-22',
	),
	fc
		.integer({ min: 0, max: 4000 })
		.map((day) => new Date(Date.UTC(2024, 0, 1) + day * 86_400_000).toISOString().slice(0, 10)),
);
const minute = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 1439 }));
const clock = (minutes: number) =>
	`${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const ranges = fc
	.array(fc.tuple(minute, minute), { minLength: 1, maxLength: 2 })
	.map((pairs) => pairs.filter(([start, end]) => start !== end).map((pair) => pair.sort((left, right) => left - right)))
	.filter((all) => all.length > 0)
	.map((all) => all.map(([start = 0, end = 0]) => ({ start: clock(start), end: clock(end) })));
const planned = fc.record({
	timezone: fc.constantFrom(...zones),
	days_of_week: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
	call_time_ranges: ranges,
	day: days,
	/** Milliseconds after the start of the previous day in UTC. */
	after: fc.integer({ min: 0, max: 3 * 86_400_000 }),
	starts: fc.integer({ min: -30, max: 20 }),
	ends: fc.option(fc.integer({ min: 0, max: 20 })),
});

/** Adds days to a date, YYYY-MM-DD. */
const shifted = (day: string, by: number) => new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);

function caseOf({
	timezone,
	days_of_week,
	call_time_ranges,
	day,
	after,
	starts,
	ends,
}: Parameters<Parameters<typeof planned.map>[0]>[0]) {
	const start_date = shifted(day, starts);
	const end_date = ends === null ? null : shifted(start_date, ends);
	return {
		schedule: { timezone, days_of_week, call_time_ranges, start_date, end_date },
		from: Date.parse(day) - 86_400_000 + after,
	};
}

test('the next calling time is that of the sandbox, across all clock changes', () => {
	fc.assert(
		fc.property(planned.map(caseOf), ({ schedule, from }) => {
			expect(slotsOf(schedule)?.(from)).toBe(nextOpening(schedule, from));
		}),
		{ numRuns: 1000, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
	);
});
