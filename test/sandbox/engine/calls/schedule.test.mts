import { nextOpening, type Schedule } from '../../../../sandbox/engine/calls/schedule.mts';
import { startClient } from '../../client.mts';
import { activeCampaign, callsOf, queue } from '../../objects.mts';

const schedule = (changes: Partial<Schedule> = {}): Schedule => ({
	start_date: '2026-01-01',
	end_date: null,
	days_of_week: [1, 2, 3, 4, 5],
	call_time_ranges: [{ start: '09:00', end: '17:00' }],
	timezone: 'Europe/Berlin',
	...changes,
});

/** The next opening after a moment, both as ISO strings in UTC. */
function opening(from: string, changes: Partial<Schedule> = {}): string | null {
	const time = nextOpening(schedule(changes), Date.parse(from));
	return time === null ? null : new Date(time).toISOString().replace('.000Z', 'Z');
}

describe('a campaign schedule', () => {
	it.each([
		['before the range of a day', '2026-01-07T06:00:00Z', '2026-01-07T08:00:00Z'],
		['within the range', '2026-01-07T12:34:56Z', '2026-01-07T12:34:56Z'],
		['at the end of the range', '2026-01-07T16:00:00Z', '2026-01-08T08:00:00Z'],
		['on Friday evening', '2026-01-09T18:00:00Z', '2026-01-12T08:00:00Z'],
		['before the start date', '2025-06-01T12:00:00Z', '2026-01-01T08:00:00Z'],
	])('opens at the next time in its timezone: %s', (_when, from, expected) => {
		expect(opening(from)).toBe(expected);
	});

	it('interprets days and times in its own timezone, not in UTC', () => {
		expect(opening('2026-01-07T00:00:00Z', { timezone: 'Asia/Tokyo' })).toBe('2026-01-07T00:00:00Z');
		expect(opening('2026-01-07T00:00:00Z', { timezone: 'America/New_York' })).toBe('2026-01-07T14:00:00Z');
		// Monday morning in Auckland is still Sunday in UTC.
		expect(opening('2026-01-11T12:00:00Z', { timezone: 'Pacific/Auckland' })).toBe('2026-01-11T20:00:00Z');
		expect(opening('2026-01-07T03:00:00Z', { timezone: 'Asia/Kathmandu' })).toBe('2026-01-07T03:15:00Z');
	});

	it('has several ranges a day, in any order', () => {
		const call_time_ranges = [
			{ start: '14:00', end: '16:00' },
			{ start: '09:00', end: '11:00' },
		];
		expect(opening('2026-01-07T06:00:00Z', { call_time_ranges })).toBe('2026-01-07T08:00:00Z');
		expect(opening('2026-01-07T10:30:00Z', { call_time_ranges })).toBe('2026-01-07T13:00:00Z');
	});

	it('is open without a gap at midnight with 00:00 to 23:59 or 24:00', () => {
		for (const end of ['23:59', '24:00']) {
			const always = {
				days_of_week: [1, 2, 3, 4, 5, 6, 7],
				call_time_ranges: [{ start: '00:00', end }],
				timezone: 'UTC',
			};
			expect(opening('2026-01-07T23:59:30Z', always)).toBe('2026-01-07T23:59:30Z');
		}
	});

	it('ends with its end date, which is included', () => {
		expect(opening('2026-01-07T20:00:00Z', { end_date: '2026-01-08' })).toBe('2026-01-08T08:00:00Z');
		expect(opening('2026-01-08T20:00:00Z', { end_date: '2026-01-08' })).toBeNull();
	});

	it('keeps its local times when the clocks change', () => {
		// Berlin: summer time begins on 2026-03-29 and ends on 2026-10-25, both Sundays.
		const from = (day: string) => opening(`${day}T00:00:00Z`, { days_of_week: [6, 7, 1] });
		expect(from('2026-03-28')).toBe('2026-03-28T08:00:00Z');
		expect(from('2026-03-29')).toBe('2026-03-29T07:00:00Z');
		expect(from('2026-10-24')).toBe('2026-10-24T07:00:00Z');
		expect(from('2026-10-25')).toBe('2026-10-25T08:00:00Z');
	});

	it('skips the part of a range that the clocks skip', () => {
		const sundays = (start: string, end: string) => ({ days_of_week: [7], call_time_ranges: [{ start, end }] });
		expect(opening('2026-03-22T12:00:00Z', sundays('02:15', '02:45'))).toBe('2026-04-05T00:15:00Z');
		// On 2026-03-29 02:00 becomes 03:00, which is 01:00 in UTC.
		expect(opening('2026-03-29T00:00:00Z', sundays('02:15', '02:45'))).toBe('2026-04-05T00:15:00Z');
		expect(opening('2026-03-29T00:00:00Z', sundays('02:30', '05:00'))).toBe('2026-03-29T01:00:00Z');
		expect(opening('2026-03-29T01:00:00Z', sundays('01:00', '02:30'))).toBe('2026-04-04T23:00:00Z');
	});

	it('spans both passes of the hour that the clocks repeat', () => {
		const sunday = { days_of_week: [7], call_time_ranges: [{ start: '02:10', end: '02:50' }] };
		// On 2026-10-25 the hour from 02:00 comes twice: 00:00 to 02:00 in UTC.
		expect(opening('2026-10-25T00:00:00Z', sunday)).toBe('2026-10-25T00:10:00Z');
		expect(opening('2026-10-25T01:40:00Z', sunday)).toBe('2026-10-25T01:40:00Z');
		expect(opening('2026-10-25T01:50:00Z', sunday)).toBe('2026-11-01T01:10:00Z');
	});

	it('is closed between the two passes of a range that ends or begins within the repeated hour', () => {
		// 02:20 is 00:20 and then 01:20 in UTC.
		const ends = { days_of_week: [7], call_time_ranges: [{ start: '01:00', end: '02:20' }] };
		expect(opening('2026-10-25T00:19:59Z', ends)).toBe('2026-10-25T00:19:59Z');
		expect(opening('2026-10-25T00:20:00Z', ends)).toBe('2026-10-25T01:00:00Z');
		expect(opening('2026-10-25T01:19:59.500Z', ends)).toBe('2026-10-25T01:19:59.500Z');
		expect(opening('2026-10-25T01:20:00Z', ends)).toBe('2026-11-01T00:00:00Z');
		const begins = { days_of_week: [7], call_time_ranges: [{ start: '02:40', end: '03:10' }] };
		expect(opening('2026-10-25T00:00:00Z', begins)).toBe('2026-10-25T00:40:00Z');
		expect(opening('2026-10-25T01:00:00Z', begins)).toBe('2026-10-25T01:40:00Z');
	});

	it('has no moment after the year 9999', () => {
		expect(opening('9999-12-31T12:00:00Z', { timezone: 'UTC', end_date: '9999-12-31' })).toBe('9999-12-31T12:00:00Z');
		expect(nextOpening(schedule(), Date.UTC(10_000, 0))).toBeNull();
		expect(nextOpening(schedule(), Infinity)).toBeNull();
	});

	it('holds the calls of a running campaign until it opens', async () => {
		const service = await startClient({ speed: 0, startTime: Date.UTC(2027, 0, 4, 8) });
		const id = await activeCampaign(service, { start_date: '2027-01-06' });
		const call = await queue(service, id, '+12025550001');
		expect(call).toMatchObject({ status: 'scheduled', scheduled_at: '2027-01-06T00:00:00Z' });
		await service.advance(40 * 3600 - 60);
		expect((await callsOf(service, id))[0]!.status).toBe('scheduled');
		await service.advance(120);
		expect((await callsOf(service, id))[0]!.status).toBe('completed');
		await service.close();
	});

	it('moves the waiting calls when it changes while the campaign is paused', async () => {
		const service = await startClient();
		const id = await activeCampaign(service, { start_date: '2099-01-01' });
		await queue(service, id, '+12025550001');
		const set = (status: string) => service.api('PATCH', `/campaigns/${id}/status`, { status });
		await set('paused');
		await service.api('PUT', `/campaigns/${id}`, { start_date: '2020-01-01' });
		await set('active');
		await service.advance(60);
		expect((await callsOf(service, id))[0]!.status).toBe('completed');
		await service.close();
	});
});
