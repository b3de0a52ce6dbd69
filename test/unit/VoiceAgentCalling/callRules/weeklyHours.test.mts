import { compareHours, openingsOf } from '../../../../nodes/VoiceAgentCalling/callRules/openings.ts';
import { DAY_MS, weeklyOf } from './campaigns.mts';

test('a closure of two months is looked past', () => {
	const days = Array.from({ length: 60 }, (_none, day) => new Date(Date.UTC(2026, 6, 1) + day * DAY_MS));
	const holidays = days.map((day) => day.toISOString().slice(0, 10));
	const weekly = weeklyOf({ zone: 'Europe/Rome', weekdays: [1], from: 540, to: 1200, holidays });
	// August 31 is the first Monday after the 60 days.
	expect(openingsOf(weekly)(Date.UTC(2026, 6, 1))).toBe(Date.parse('2026-08-31T09:00:00+02:00'));
});

test.each([
	// Berlin changes its clocks on March 29, 2026, New York on March 8: in between, 15:00 in Berlin is not 9:00 there.
	['Europe/Berlin', [900, 960], 'America/New_York', [540, 600], '2026-03-01', '2026-03-08T14:00:00Z'],
	['America/New_York', [540, 600], 'Europe/Berlin', [900, 960], '2026-03-01', '2026-03-08T13:00:00Z'],
	['UTC', [480, 540], 'Europe/Berlin', [540, 600], '2026-03-28', '2026-03-29T08:00:00Z'],
	['Europe/Berlin', [540, 600], 'UTC', [480, 540], '2026-03-28', '2026-03-29T07:00:00Z'],
	// 9:00 to 10:01 is a minute too long.
	['UTC', [540, 601], 'UTC', [540, 600], '2026-01-01', '2026-01-01T09:00:00Z'],
	['UTC', [539, 600], 'UTC', [540, 600], '2026-01-01', '2026-01-01T08:59:00Z'],
] as const)(
	'%s %j in %s %j: the first conflict after %s is at %s',
	(zone, [from, to], outer, [start, end], day, first) => {
		const plan = { weekdays: [1, 2, 3, 4, 5, 6, 7], holidays: [] };
		const inner = weeklyOf({ ...plan, zone, from, to });
		const hours = weeklyOf({ ...plan, zone: outer, from: start, to: end });
		const begin = Date.parse(day);
		const { conflict } = compareHours(inner, hours, { from: begin, to: begin + 30 * DAY_MS });
		expect(conflict && new Date(conflict.from).toISOString()).toBe(new Date(first).toISOString());
		// The same hours fit themselves.
		expect(compareHours(inner, inner, { from: begin, to: begin + 30 * DAY_MS })).toEqual({ hasSpans: true });
	},
);
