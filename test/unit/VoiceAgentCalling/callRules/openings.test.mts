import { DateTime, IANAZone } from 'luxon';

import {
	commonOpeningsOf,
	compareHours,
	isOpen,
	openingsOf,
} from '../../../../nodes/VoiceAgentCalling/callRules/openings.ts';
import { isoAt, wallClockOf } from '../../../../nodes/VoiceAgentCalling/callRules/wallClock.ts';
import fc from '../../../fastCheck.mts';
import { changesOf, DAY_MS, MINUTE_MS, type Plan, weeklyOf, zones } from './campaigns.mts';

/** Whether a moment is within the hours, by luxon. */
function isOpenByLuxon(plan: Plan, time: number): boolean {
	const moment = DateTime.fromMillis(time, { zone: IANAZone.create(plan.zone) });
	const minute = moment.hour * 60 + moment.minute;
	const ranges = plan.hours[moment.weekday] ?? [];
	return (
		ranges.some(([from, to]) => minute >= from && minute < to) && !plan.holidays.includes(String(moment.toISODate()))
	);
}

const range = fc
	.tuple(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1438 })), fc.oneof(fc.constant(1440), fc.nat(1440)))
	.map(([one, other]) => (one < other ? [one, other] : [other, one + 1]) as [number, number]);
/** One range, or two with a break between them. */
const day = fc.oneof(
	range.map((only) => [only]),
	fc
		.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }))
		.map(([from, length, pause]) => [
			[from, from + length] as const,
			[from + length + pause, from + 2 * length + pause] as const,
		]),
);
const plans = (anchor: number) =>
	fc
		.record({
			zone: zones,
			weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
			other: fc.subarray([1, 2, 3, 4, 5, 6, 7]),
			days: fc.tuple(day, day),
			holidays: fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 4 }),
		})
		.map(
			({ zone, weekdays, other, days: [one, another], holidays }): Plan => ({
				zone,
				hours: Object.fromEntries(weekdays.map((weekday) => [weekday, other.includes(weekday) ? another : one])),
				holidays: holidays.map((days) => new Date(anchor + days * DAY_MS).toISOString().slice(0, 10)),
			}),
		);
/** A time near a clock change of the zone, or any time. */
const momentsInZones = fc
	.tuple(zones, fc.nat(), fc.boolean(), fc.integer({ min: 0, max: 720 }), fc.nat(DAY_MS))
	.map(([zone, change, near, day, after]) => {
		const changes = changesOf(zone);
		const start = near && changes.length > 0 ? changes[change % changes.length] : Date.UTC(2026, 0, 1) + day * DAY_MS;
		return { zone, time: Math.floor((Number(start) - DAY_MS + after) / 1000) * 1000 };
	});
const anchors = momentsInZones.map(({ time }) => time);

test('the next time within the hours is the first open minute, by luxon, also with holidays', () => {
	const seen = { now: 0, later: 0, never: 0 };
	const cases = anchors.chain((time) => plans(time).map((plan) => ({ plan, time })));
	fc.assert(
		fc.property(cases, ({ plan, time }) => {
			const weekly = weeklyOf(plan);
			const opening = openingsOf(weekly)(time);
			expect(isOpen(weekly, time)).toBe(isOpenByLuxon(plan, time));
			const minutes = Math.floor(((opening ?? time + 25 * DAY_MS) - time) / MINUTE_MS);
			// No minute before it is open, in steps that meet every range of a minute near the opening.
			const step = Math.max(1, Math.floor(minutes / 600));
			for (let minute = 0; minute < minutes; minute += step) {
				const earlier = (Math.floor(time / MINUTE_MS) + minute) * MINUTE_MS;
				if (earlier >= time && isOpenByLuxon(plan, earlier)) {
					throw new Error(`${JSON.stringify(plan)} is open at ${new Date(earlier).toISOString()}`);
				}
			}
			if (opening !== null) {
				expect(isOpenByLuxon(plan, opening)).toBe(true);
				expect(opening === time || !isOpenByLuxon(plan, opening - 1000)).toBe(true);
			}
			seen[opening === null ? 'never' : opening === time ? 'now' : 'later']++;
		}),
		{ numRuns: 30 },
	);
	expect(Math.min(seen.now, seen.later)).toBeGreaterThan(5);
});

test('a conflict is found exactly where a minute of the inner hours is outside the outer ones, by luxon', () => {
	const seen = { conflict: 0, none: 0 };
	/** Outer hours that fit the inner ones at the beginning, to the minute, or miss them by one. */
	const similar = momentsInZones.chain(({ zone: changing, time }) =>
		fc
			.tuple(
				plans(time),
				fc.oneof({ weight: 3, arbitrary: fc.constant(changing) }, zones),
				fc.constantFrom(0, 0, 0, 1),
				fc.constantFrom(0, 0, 0, 1),
				fc.constantFrom(1, 1, 2),
			)
			.map(([inner, zone, later, earlier, length]) => {
				const offset = (name: string) => IANAZone.create(name).offset(time);
				const shift = Math.round(offset(zone) - offset(inner.zone));
				const limited = (minute: number) => Math.min(Math.max(minute, 0), 1440);
				const [sample = []] = Object.values(inner.hours);
				const fitting = (ranges: Plan['hours'][number]) =>
					ranges
						.map(([from, to]) => [limited(from + shift + later), limited(to + shift - earlier)] as const)
						.filter(([from, to]) => from < to);
				const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => [weekday, fitting(inner.hours[weekday] ?? sample)]);
				const outer: Plan = { zone, hours: Object.fromEntries(hours), holidays: [] };
				return { inner, outer, from: time, to: time + length * DAY_MS };
			}),
	);
	fc.assert(
		fc.property(similar, ({ inner, outer, from, to }) => {
			let first: number | undefined;
			let hasSpans = false;
			for (let time = from; time < to && first === undefined; time += MINUTE_MS) {
				const open = isOpenByLuxon(inner, time);
				hasSpans ||= open;
				first = open && !isOpenByLuxon(outer, time) ? time : undefined;
			}
			const found = compareHours(weeklyOf(inner), weeklyOf(outer), { from, to });
			const { conflict } = found;
			seen[conflict ? 'conflict' : 'none']++;
			if (first !== undefined) {
				// The span in which luxon finds the first minute outside.
				expect(conflict && conflict.from <= first && first < conflict.to).toBe(true);
			} else if (conflict) {
				// Luxon looked once a minute: what is left is shorter than that.
				expect(conflict.to - conflict.from).toBeLessThan(2 * MINUTE_MS);
			} else if (hasSpans) {
				expect(found.hasSpans).toBe(true);
			}
		}),
		{ numRuns: 60 },
	);
	expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});

test('the next common time is the first minute that is open in every zone, by luxon', () => {
	const seen = { now: 0, later: 0, never: 0 };
	const cases = momentsInZones.chain(({ time }) =>
		plans(time).chain((plan) => fc.array(zones, { maxLength: 2 }).map((others) => ({ plan, others, time }))),
	);
	fc.assert(
		fc.property(cases, ({ plan, others, time }) => {
			const all = [plan, ...others.map((zone) => ({ ...plan, zone }))];
			const areOpen = (moment: number) => all.every((one) => isOpenByLuxon(one, moment));
			const opening = commonOpeningsOf(all.map(weeklyOf))(time);
			const minutes = Math.floor(((opening ?? time + 9 * DAY_MS) - time) / MINUTE_MS);
			const step = Math.max(1, Math.floor(minutes / 300));
			for (let minute = 0; minute < minutes; minute += step) {
				const earlier = (Math.floor(time / MINUTE_MS) + minute) * MINUTE_MS;
				if (earlier >= time && areOpen(earlier)) {
					throw new Error(`${JSON.stringify(all)} are open at ${new Date(earlier).toISOString()}`);
				}
			}
			if (opening !== null) {
				expect(areOpen(opening)).toBe(true);
				expect(opening === time || !areOpen(opening - 1000)).toBe(true);
			}
			seen[opening === null ? 'never' : opening === time ? 'now' : 'later']++;
		}),
		{ numRuns: 40 },
	);
	expect(Math.min(seen.now, seen.later)).toBeGreaterThan(3);
});

test('a time is written with the offset of its zone, as luxon writes it', () => {
	fc.assert(
		fc.property(zones, anchors, (zone, time) => {
			const clock = wallClockOf(zone);
			const expected = DateTime.fromMillis(time, { zone: IANAZone.create(zone) }).toISO({ suppressMilliseconds: true });
			expect(clock && isoAt(clock, time)).toBe(expected?.replace('Z', '+00:00'));
		}),
		{ numRuns: 100 },
	);
});
