import { type Availability, freeSlots } from '../../../../sandbox/engine/freeSlots.mts';
import type { AvailabilityRule } from '../../../../sandbox/world/calendar.mts';
import { exception, MINUTE, recurring } from '../../ruleBuilders.mts';

function event(start: string, end: string, status: 'confirmed' | 'tentative' | 'cancelled' = 'confirmed') {
	return { start: Date.parse(start), end: Date.parse(end), status };
}

/** When the slots start, in UTC without seconds. */
function starts(calendar: Partial<Availability>, from: string, to: string, minutes = 30): string[] {
	const whole = { timezone: 'UTC', rules: [], events: [], ...calendar };
	return freeSlots(whole, { from: Date.parse(from), to: Date.parse(to) }, minutes).map((slot) => {
		expect(slot.to - slot.from).toBe(minutes * MINUTE);
		return new Date(slot.from).toISOString().slice(0, 16);
	});
}

describe('the free slots of a calendar', () => {
	// 5 January 2026 is a Monday.
	it('are contiguous in the hours of the recurring rules, on their days', () => {
		const rules = [recurring('09:00', '10:40', 'UTC', [1, 3])];
		expect(starts({ rules }, '2026-01-05T00:00Z', '2026-01-09T00:00Z')).toEqual([
			'2026-01-05T09:00',
			'2026-01-05T09:30',
			'2026-01-05T10:00',
			'2026-01-07T09:00',
			'2026-01-07T09:30',
			'2026-01-07T10:00',
		]);
		expect(starts({ rules }, '2026-01-05T00:00Z', '2026-01-06T00:00Z', 101)).toEqual([]);
		expect(starts({}, '2026-01-05T00:00Z', '2026-01-09T00:00Z')).toEqual([]);
	});

	it('lie completely in the range, at the same times as without it', () => {
		const rules = [recurring('09:00', '12:00', 'UTC')];
		expect(starts({ rules }, '2026-01-05T09:10Z', '2026-01-05T10:50Z')).toEqual([
			'2026-01-05T09:30',
			'2026-01-05T10:00',
		]);
		expect(starts({ rules }, '2026-01-05T09:30Z', '2026-01-05T10:00Z')).toEqual(['2026-01-05T09:30']);
		expect(starts({ rules }, '2026-01-05T09:10Z', '2026-01-05T09:50Z')).toEqual([]);
	});

	it('read days and hours in the zone of the rule', () => {
		const slots = (zone: string) =>
			starts({ rules: [recurring('09:00', '09:30', zone, [1])] }, '2026-01-04T00:00Z', '2026-01-07T00:00Z');
		expect(slots('America/New_York')).toEqual(['2026-01-05T14:00']);
		expect(slots('Asia/Kolkata')).toEqual(['2026-01-05T03:30']);
		expect(slots('Asia/Kathmandu')).toEqual(['2026-01-05T03:15']);
		// Monday morning in Auckland and on Kiritimati is still Sunday in UTC.
		expect(slots('Pacific/Auckland')).toEqual(['2026-01-04T20:00']);
		expect(slots('Pacific/Kiritimati')).toEqual(['2026-01-04T19:00']);
	});

	it('come from rules of several zones, in order', () => {
		const rules = [recurring('09:00', '10:00', 'America/New_York'), recurring('09:00', '10:00', 'Asia/Kolkata')];
		expect(starts({ rules }, '2026-01-05T00:00Z', '2026-01-06T00:00Z')).toEqual([
			'2026-01-05T03:30',
			'2026-01-05T04:00',
			'2026-01-05T14:00',
			'2026-01-05T14:30',
		]);
	});

	it('appear once if rules overlap or touch', () => {
		const day = ['2026-01-05T00:00Z', '2026-01-06T00:00Z'] as const;
		const once = ['2026-01-05T09:00', '2026-01-05T09:45', '2026-01-05T10:30', '2026-01-05T11:15'];
		for (const [first, second] of [
			[recurring('09:00', '11:00', 'UTC'), recurring('10:10', '12:00', 'UTC')],
			[recurring('09:00', '10:00', 'UTC'), recurring('10:00', '12:00', 'UTC')],
			[recurring('09:00', '12:00', 'UTC'), recurring('09:00', '12:00', 'UTC')],
			[recurring('09:00', '12:00', 'UTC'), recurring('11:00', '11:30', 'Europe/Berlin')],
		] as const) {
			expect(starts({ rules: [first, second] }, ...day, 45)).toEqual(once);
			expect(starts({ rules: [second, first] }, ...day, 45)).toEqual(once);
		}
	});

	it('leave out confirmed and tentative events, but neither cancelled ones nor their neighbors', () => {
		const rules = [recurring('09:00', '12:00', 'UTC')];
		const events = [
			event('2026-01-05T09:30Z', '2026-01-05T10:00Z'),
			event('2026-01-05T10:45Z', '2026-01-05T10:50Z', 'tentative'),
			event('2026-01-05T11:00Z', '2026-01-05T12:00Z', 'cancelled'),
		];
		expect(starts({ rules, events }, '2026-01-05T00:00Z', '2026-01-06T00:00Z')).toEqual([
			'2026-01-05T09:00',
			'2026-01-05T10:00',
			'2026-01-05T11:00',
			'2026-01-05T11:30',
		]);
	});

	it('leave out an event that spans midnight, or the whole range', () => {
		const rules = [recurring('00:00', '24:00', 'UTC')];
		const events = [event('2026-01-05T23:15Z', '2026-01-06T00:40Z')];
		expect(starts({ rules, events }, '2026-01-05T22:00Z', '2026-01-06T02:00Z')).toEqual([
			'2026-01-05T22:00',
			'2026-01-05T22:30',
			'2026-01-06T01:00',
			'2026-01-06T01:30',
		]);
		const away = [event('2026-01-01T00:00Z', '2026-02-01T00:00Z')];
		expect(starts({ rules, events: away }, '2026-01-05T00:00Z', '2026-01-09T00:00Z')).toEqual([]);
	});

	it.each(['23:59', '24:00'])('reach the end of the day if a rule ends at %s', (end) => {
		const rules = [recurring('23:00', end, 'UTC')];
		expect(starts({ rules }, '2026-01-05T00:00Z', '2026-01-06T12:00Z')).toEqual([
			'2026-01-05T23:00',
			'2026-01-05T23:30',
		]);
	});

	it('start again with each day of the calendar', () => {
		const rules = [recurring('00:00', '24:00', 'UTC')];
		expect(starts({ rules }, '2026-01-05T18:00Z', '2026-01-06T06:00Z', 300)).toEqual(['2026-01-06T00:00']);
	});

	describe('on days with an exception', () => {
		const day = ['2026-01-05T00:00Z', '2026-01-07T00:00Z'] as const;

		it('do not exist on a blocked day, in any timezone of the rules', () => {
			const rules = [recurring('09:00', '09:30', 'UTC'), exception('2026-01-05', false)];
			expect(starts({ rules }, ...day)).toEqual(['2026-01-06T09:00']);
			// Blocked is the day of the calendar's zone: in Tokyo, from 15:00 UTC of the day before.
			const tokyo = [recurring('14:00', '16:00', 'UTC'), exception('2026-01-06', false)];
			expect(starts({ timezone: 'Asia/Tokyo', rules: tokyo }, ...day)).toEqual([
				'2026-01-05T14:00',
				'2026-01-05T14:30',
				'2026-01-06T15:00',
				'2026-01-06T15:30',
			]);
		});

		it('fill an opened day completely, instead of the recurring hours', () => {
			const rules = [recurring('09:15', '10:00', 'UTC'), exception('2026-01-05', true)];
			expect(starts({ rules }, ...day, 480)).toEqual(['2026-01-05T00:00', '2026-01-05T08:00', '2026-01-05T16:00']);
			const events = [event('2026-01-05T07:00Z', '2026-01-05T09:00Z')];
			expect(starts({ rules, events }, ...day, 480)).toEqual(['2026-01-05T16:00']);
		});

		it('do not exist on a day that is both opened and blocked', () => {
			for (const rules of [
				[exception('2026-01-05', true), exception('2026-01-05', false)],
				[exception('2026-01-05', false), exception('2026-01-05', true)],
			]) {
				expect(starts({ rules }, ...day)).toEqual([]);
			}
		});
	});

	describe('when the clocks change', () => {
		it('do not exist in the hour that the clocks skip', () => {
			// New York, 8 March 2026: at 02:00 (07:00 UTC) it becomes 03:00.
			const on = (start: string, end: string) =>
				starts({ rules: [recurring(start, end, 'America/New_York')] }, '2026-03-08T05:00Z', '2026-03-09T04:00Z');
			expect(on('02:00', '03:00')).toEqual([]);
			expect(on('01:00', '04:00')).toEqual(['06:00', '06:30', '07:00', '07:30'].map((time) => `2026-03-08T${time}`));
			expect(on('02:30', '03:30')).toEqual(['2026-03-08T07:00']);
			expect(on('09:00', '09:30')).toEqual(['2026-03-08T13:00']);
		});

		it('appear twice in the hour that the clocks repeat', () => {
			// New York, 1 November 2026: at 02:00 (06:00 UTC) it becomes 01:00 again.
			const on = (start: string, end: string) =>
				starts({ rules: [recurring(start, end, 'America/New_York')] }, '2026-11-01T04:00Z', '2026-11-02T05:00Z');
			expect(on('01:00', '02:00')).toEqual(['05:00', '05:30', '06:00', '06:30'].map((time) => `2026-11-01T${time}`));
			// The clocks show 01:30 to 02:00 twice: neither is within the rule.
			expect(on('00:30', '01:30')).toEqual(['04:30', '05:00', '06:00'].map((time) => `2026-11-01T${time}`));
			expect(on('09:00', '09:30')).toEqual(['2026-11-01T14:00']);
		});

		it('are contiguous across the change, also in a calendar of that timezone', () => {
			const timezone = 'America/New_York';
			const on = (rule: AvailabilityRule) =>
				starts({ timezone, rules: [rule] }, '2026-03-08T05:00Z', '2026-03-08T09:00Z', 90);
			expect(on(recurring('01:00', '04:30', timezone))).toEqual(['2026-03-08T06:00']);
			expect(on(exception('2026-03-08', true))).toEqual(['2026-03-08T05:00', '2026-03-08T06:30']);
		});

		it('follow a change of half an hour', () => {
			// Lord Howe, 4 October 2026: at 02:00 (15:30 UTC the day before) it becomes 02:30.
			const rules = [recurring('01:30', '03:00', 'Australia/Lord_Howe')];
			expect(starts({ rules }, '2026-10-03T00:00Z', '2026-10-04T00:00Z')).toEqual([
				'2026-10-03T15:00',
				'2026-10-03T15:30',
			]);
		});

		it('handle a day without midnight, and a day that does not exist', () => {
			// Beirut, 29 March 2026: at 00:00 (22:00 UTC the day before) it becomes 01:00.
			const beirut = [recurring('00:00', '01:30', 'Asia/Beirut', [7])];
			expect(starts({ rules: beirut }, '2026-03-28T12:00Z', '2026-03-29T12:00Z')).toEqual(['2026-03-28T22:00']);
			// Apia went from 29 to 31 December 2011, a Thursday and a Saturday.
			const apia = (...days: number[]) =>
				starts(
					{ rules: [recurring('09:00', '09:30', 'Pacific/Apia', days)] },
					'2011-12-29T00:00Z',
					'2012-01-01T00:00Z',
				);
			expect(apia(5)).toEqual([]);
			expect(apia(4, 6)).toEqual(['2011-12-29T19:00', '2011-12-30T19:00']);
		});

		it('block and open days of 23 and of 25 hours as a whole', () => {
			const calendar = (rule: AvailabilityRule) => ({
				timezone: 'America/New_York',
				rules: [recurring('00:00', '24:00', 'America/New_York'), rule],
			});
			const spring = ['2026-03-08T00:00Z', '2026-03-09T12:00Z'] as const;
			expect(starts(calendar(exception('2026-03-08', true)), ...spring, 60)).toHaveLength(5 + 23 + 8);
			expect(starts(calendar(exception('2026-03-08', false)), ...spring, 60)).toHaveLength(5 + 8);
			const autumn = ['2026-11-01T00:00Z', '2026-11-02T12:00Z'] as const;
			expect(starts(calendar(exception('2026-11-01', true)), ...autumn, 60)).toHaveLength(4 + 25 + 7);
			expect(starts(calendar(exception('2026-11-01', false)), ...autumn, 60)).toHaveLength(4 + 7);
		});
	});
});
