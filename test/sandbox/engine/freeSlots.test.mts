import fc from 'fast-check';

import { type Availability, freeSlots } from '../../../sandbox/engine/freeSlots.mts';
import { EVERY_DAY, exception, MINUTE, recurring } from '../ruleBuilders.mts';

const DAY = 86_400_000;

describe('the free slots, for any rules, events and range', () => {
	const zone = fc.constantFrom(
		'UTC',
		'America/New_York',
		'Europe/Berlin',
		'Asia/Kathmandu',
		'Australia/Lord_Howe',
		'America/St_Johns',
		'Pacific/Kiritimati',
		'Pacific/Pago_Pago',
	);
	const time = (minutes: number) =>
		`${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
	// Close to both clock changes of 2026.
	const day = fc.oneof(fc.integer({ min: 64, max: 100 }), fc.integer({ min: 270, max: 310 }));
	const moment = fc
		.tuple(day, fc.integer({ min: 0, max: 1439 }))
		.map(([days, minutes]) => Date.UTC(2026, 0, 1) + days * DAY + minutes * MINUTE);
	const rule = fc.oneof(
		{
			weight: 4,
			arbitrary: fc
				.record({
					zone,
					days: fc.subarray(EVERY_DAY),
					bounds: fc.uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 2, maxLength: 2 }),
				})
				.map(({ zone: its, days, bounds }) => {
					const [start, end] = bounds.sort((one, other) => one - other) as [number, number];
					return recurring(time(start), time(end), its, days);
				}),
		},
		{
			weight: 1,
			arbitrary: fc
				.record({ day, available: fc.boolean() })
				.map(({ day: days, available }) =>
					exception(new Date(Date.UTC(2026, 0, 1) + days * DAY).toISOString().slice(0, 10), available),
				),
		},
	);
	const busy = fc
		.record({
			start: moment,
			minutes: fc.integer({ min: 1, max: 3000 }),
			status: fc.constantFrom('confirmed', 'tentative', 'cancelled'),
		})
		.map(
			({ start, minutes, status }) =>
				({ start, end: start + minutes * MINUTE, status }) as Availability['events'][number],
		);
	const query = fc.record({
		calendar: fc.record({
			timezone: zone,
			rules: fc.array(rule, { maxLength: 5 }),
			events: fc.array(busy, { maxLength: 8 }),
		}),
		from: moment,
		hours: fc.integer({ min: 1, max: 200 }),
		minutes: fc.integer({ min: 5, max: 600 }),
	});

	it('have exactly the duration, lie in the range, in order and apart', () => {
		let seen = 0;
		fc.assert(
			fc.property(query, ({ calendar, from, hours, minutes }) => {
				const to = from + hours * 60 * MINUTE;
				const slots = freeSlots(calendar, { from, to }, minutes);
				seen += slots.length;
				const wrong = slots.filter((slot, index) => {
					const earliest = slots[index - 1]?.to ?? from;
					return slot.to - slot.from !== minutes * MINUTE || slot.from < earliest || slot.to > to;
				});
				expect(wrong).toEqual([]);
			}),
			{ numRuns: 300, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
		);
		expect(seen).toBeGreaterThan(100);
	});

	it('overlap no event unless it is cancelled, no blocked day, and no minute without a rule', () => {
		fc.assert(
			fc.property(query, ({ calendar, from, hours, minutes }) => {
				const slots = freeSlots(calendar, { from, to: from + hours * 60 * MINUTE }, minutes);
				const blocking = calendar.events.filter(({ status }) => status !== 'cancelled');
				const overlapping = slots.filter((slot) =>
					blocking.some(({ start, end }) => end > slot.from && start < slot.to),
				);
				const closed = slots.flatMap(samples).filter((minute) => !isOpen(calendar, minute));
				// Once for all slots: an expectation for each minute takes most of the time.
				expect({ overlapping, closed }).toEqual({ overlapping: [], closed: [] });
			}),
			{ numRuns: 150, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
		);
	});

	it('are the same in a part of the range', () => {
		fc.assert(
			fc.property(query, moment, ({ calendar, from, hours, minutes }, cut) => {
				const to = from + hours * 60 * MINUTE;
				const later = Math.min(Math.max(from, cut), to - MINUTE);
				const all = freeSlots(calendar, { from, to }, minutes);
				const part = freeSlots(calendar, { from: later, to }, minutes);
				expect(part).toEqual(all.filter((slot) => slot.from >= later));
			}),
			{ numRuns: 150, seed: Number(process.env.FAST_CHECK_SEED ?? 1) },
		);
	});
});

/** Every quarter of an hour of a slot, and its last minute. */
function samples({ from, to }: { from: number; to: number }): number[] {
	const quarters = Math.ceil((to - from) / (15 * MINUTE));
	return [...Array.from({ length: quarters }, (_, index) => from + index * 15 * MINUTE), to - MINUTE];
}

/** Whether the calendar is open at a moment, computed from local times, in another way than in the sandbox. */
function isOpen({ timezone, rules }: Availability, moment: number): boolean {
	const here = clock(timezone, moment);
	const exceptions = rules.filter((rule) => rule.type === 'exception' && rule.date === here.date);
	if (exceptions.some((rule) => rule.type === 'exception' && !rule.available)) {
		return false;
	}
	if (exceptions.length > 0) {
		return true;
	}
	return rules.some((rule) => {
		if (rule.type === 'exception') {
			return false;
		}
		const there = clock(rule.timezone, moment);
		const end = rule.end_time === '23:59' ? '24:00' : rule.end_time;
		return rule.days_of_week.includes(there.weekday) && there.time >= rule.start_time && there.time < end;
	});
}

const formats = new Map<string, Intl.DateTimeFormat>();

function clock(timeZone: string, moment: number): { date: string; time: string; weekday: number } {
	let format = formats.get(timeZone);
	if (!format) {
		format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
		formats.set(timeZone, format);
	}
	const [date, time] = format.format(moment).split(' ') as [string, string];
	return { date, time, weekday: new Date(date).getUTCDay() || 7 };
}
