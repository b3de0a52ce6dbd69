import { commonOpeningsOf, compareHours, openingsOf } from '../../../../nodes/VoiceAgentCalling/callRules/openings.ts';
import { DAY_MS, onDays, weeklyOf } from './campaigns.mts';

test('a closure of two months is looked past', () => {
	const days = Array.from({ length: 60 }, (_none, day) => new Date(Date.UTC(2026, 6, 1) + day * DAY_MS));
	const holidays = days.map((day) => day.toISOString().slice(0, 10));
	const weekly = weeklyOf({ zone: 'Europe/Rome', hours: onDays([1], 540, 1200), holidays });
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
		const days = [1, 2, 3, 4, 5, 6, 7];
		const inner = weeklyOf({ zone, hours: onDays(days, from, to), holidays: [] });
		const hours = weeklyOf({ zone: outer, hours: onDays(days, start, end), holidays: [] });
		const begin = Date.parse(day);
		const { conflict } = compareHours(inner, hours, { from: begin, to: begin + 30 * DAY_MS });
		expect(conflict && new Date(conflict.from).toISOString()).toBe(new Date(first).toISOString());
		// The same hours fit themselves.
		expect(compareHours(inner, inner, { from: begin, to: begin + 30 * DAY_MS })).toEqual({ hasSpans: true });
	},
);

test.each([
	// In New York and Honolulu it is the same day's 9:00 to 20:00 for six hours in winter, and for five in summer.
	[['America/New_York', 'Pacific/Honolulu'], [540, 1200], '2026-01-12T00:00:00Z', '2026-01-12T19:00:00Z'],
	[['America/New_York', 'Pacific/Honolulu'], [540, 1200], '2026-07-13T00:00:00Z', '2026-07-13T19:00:00Z'],
	// London is five hours ahead, and four for three weeks from March 8: no common time before that.
	[['America/New_York', 'Europe/London'], [540, 835], '2026-01-12T00:00:00Z', '2026-03-09T13:00:00Z'],
	[['Pacific/Auckland', 'Europe/London'], [540, 1200], '2026-01-12T00:00:00Z', null],
] as const)('%j %j: after %s, the first common time is %s', (inZones, [from, to], time, first) => {
	const all = inZones.map((zone) => weeklyOf({ zone, hours: onDays([1], from, to), holidays: [] }));
	const opening = commonOpeningsOf(all)(Date.parse(time));
	expect(opening && new Date(opening).toISOString()).toBe(first && new Date(first).toISOString());
});
