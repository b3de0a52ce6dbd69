import { freeSlots } from '../../../../sandbox/engine/freeSlots.mts';

const NY = 'America/New_York';

/** `ZONE START-END [DAYS]`, or `DATE open` or `DATE blocked`. */
function ruleOf(text: string) {
	const [first = '', second = '', days] = text.split(' ');
	const [start = '', end = ''] = second.split('-');
	return end === ''
		? { id: '', type: 'exception' as const, date: first, available: second === 'open' }
		: {
				id: '',
				type: 'recurring' as const,
				start_time: start,
				end_time: end,
				timezone: first,
				days_of_week: [...(days ?? '1234567')].map(Number),
			};
}

/** `START/END [STATUS]`. */
function eventOf(text: string) {
	const [times = '', status = 'confirmed'] = text.split(' ');
	const [start = 0, end = 0] = times.split('/').map((time) => Date.parse(`2026-${time}Z`));
	return { start, end, status: status as 'confirmed' };
}

/** Returns the UTC days and times at which slots start. @param range two UTC moments, of 2026 unless they have a year */
function starts(rules: string[], range: string, minutes: number, timezone = 'UTC', events: string[] = []): string {
	const calendar = { timezone, rules: rules.map(ruleOf), events: events.map(eventOf) };
	const [from = 0, to = 0] = range
		.split(' ')
		.map((time) => Date.parse(`${/^\d{4}/.test(time) ? '' : '2026-'}${time}Z`));
	return freeSlots(calendar, { from, to }, minutes)
		.map((slot) => new Date(slot.from).toISOString().slice(8, 16))
		.join(' ');
}

const MONDAY = '01-05T00:00 01-06T00:00';
/** Some zones begin their Monday on Sunday in UTC. */
const LONG = '01-04T00:00 01-07T00:00';
/** New York: at 02:00 (07:00 UTC) it becomes 03:00. */
const SPRING = '03-08T05:00 03-09T04:00';
/** New York: at 02:00 (06:00 UTC) it becomes 01:00 again. */
const AUTUMN = '11-01T04:00 11-02T05:00';
const APIA = '2011-12-29T00:00 2012-01-01T00:00';
const BUSY = ['01-05T09:30/01-05T10:00', '01-05T10:45/01-05T10:50 tentative', '01-05T11:00/01-05T12:00 cancelled'];
const [OPEN, BLOCKED] = ['2026-01-05 open', '2026-01-05 blocked'];

it.each<[what: string, expected: string, ...given: Parameters<typeof starts>]>([
	['none without rules', '', [], MONDAY, 30],
	['in the hours of a rule', '05T09:00 07T09:00', ['UTC 09:00-10:40 13'], '01-05T00:00 01-09T00:00', 60],
	['none longer than the hours', '', ['UTC 09:00-10:40'], MONDAY, 101],
	['within the range', '05T09:30 05T10:00', ['UTC 09:00-12:00'], '01-05T09:10 01-05T10:50', 30],
	['by the zone of the rule', '05T14:00', [`${NY} 09:00-09:30 1`], LONG, 30],
	['by a zone of 45 minutes', '05T03:15', ['Asia/Kathmandu 09:00-09:30 1'], LONG, 30],
	['of several zones in order', '05T03:30 05T14:00', [`${NY} 09:00-10:00`, 'Asia/Kolkata 09:00-10:00'], MONDAY, 60],
	['once where rules overlap', '05T09:00 05T10:30', ['UTC 09:00-11:00', 'UTC 10:10-12:00'], MONDAY, 90],
	['not during events', '05T09:00 05T10:00 05T11:00 05T11:30', ['UTC 09:00-12:00'], MONDAY, 30, 'UTC', BUSY],
	['again with each day of the calendar', '06T00:00', ['UTC 00:00-24:00'], '01-05T18:00 01-06T06:00', 300],
	['not on a blocked day', '', ['UTC 14:00-16:00', BLOCKED], MONDAY, 30],
	['by the days of the zone of the calendar', '05T15:00', ['UTC 14:00-16:00', BLOCKED], MONDAY, 60, 'Asia/Tokyo'],
	['all of an opened day', '05T00:00 05T08:00 05T16:00', ['UTC 09:15-10:00', OPEN], MONDAY, 480],
	['around the hour that the clocks skip', '08T06:00 08T06:30 08T07:00 08T07:30', [`${NY} 01:00-04:00`], SPRING, 30],
	['contiguous across the change', '08T05:00 08T06:30', ['2026-03-08 open'], '03-08T05:00 03-08T09:00', 90, NY],
	['twice in the repeated hour', '01T05:00 01T05:30 01T06:00 01T06:30', [`${NY} 01:00-02:00`], AUTUMN, 30],
	['not in a half of the repeated hour', '01T04:30 01T05:00 01T06:00', [`${NY} 00:30-01:30`], AUTUMN, 30],
	// Beirut: at 00:00 (22:00 UTC the day before) it becomes 01:00.
	['on a day without midnight', '28T22:00', ['Asia/Beirut 00:00-01:30 7'], '03-28T12:00 03-29T12:00', 30],
	// Apia went from 29 to 31 December 2011.
	['not on a missing day', '29T19:00 30T19:00', ['Pacific/Apia 09:00-09:30 456'], APIA, 30],
])('the free slots of a calendar are %s', (_what, expected, ...given) => {
	expect(starts(...given)).toBe(expected);
});

it.each([
	['03-08', '03-09', 5, 23, 8],
	['11-01', '11-02', 4, 25, 7],
])(
	'the free slots are blocked and open on days of 23 and of 25 hours as a whole: %s',
	(day, next, before, hours, after) => {
		const range = `${day}T00:00 ${next}T12:00`;
		const found = (what: string) => starts([`${NY} 00:00-24:00`, `2026-${day} ${what}`], range, 60, NY).split(' ');
		const count = (what: string) => found(what).length;
		expect([count('open'), count('blocked')]).toEqual([before + hours + after, before + after]);
	},
);
