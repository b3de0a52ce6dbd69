import type { Api } from '../../../../nodes/shared/client/api.ts';
import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { CallGuard } from '../../../../nodes/VoiceAgentCalling/callRules/callGuard.ts';
import { hoursRule } from '../../../../nodes/VoiceAgentCalling/callRules/callingHours.ts';
import type { CallingHours } from '../../../../nodes/VoiceAgentCalling/fields/callingHours.ts';
import { readOpeningHours } from '../../../../nodes/VoiceAgentCalling/fields/openingHours.ts';
import { newBook, wanted } from './calls.mts';
import { serviceOf, serviceWith } from './service.mts';

const BERLIN = '+493012345678';
const LONDON = '+442079460958';
const MADRID = '+34912345678';
const TOLL_FREE = '+18005550123';
const WORLDWIDE = '+80012345678';
const TOKYO = '+81312345678';

/** The options, with hours as a text. */
type Options = Partial<Omit<CallingHours, 'hours'> & { hours: string }>;

function hours({ hours: text = 'Mon-Fri 9:00-20:00', ...others }: Options = {}): CallingHours {
	const read = readOpeningHours(text);
	if (!('week' in read)) {
		throw new Error(read.mistake);
	}
	return { hours: read.week, holidays: [], unclearTimeZone: 'outside', ...others };
}

beforeAll(loadCountries);
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'performance'] }));
afterEach(() => jest.useRealTimers());

interface Given {
	to?: string;
	delay_seconds?: number;
	campaignId?: string;
	callingHours: CallingHours;
	ifOutside?: 'delay';
}

/** What decides about a call with calling hours. */
async function guardOf(api: Api, { to = BERLIN, delay_seconds = 0, campaignId, callingHours, ifOutside }: Given) {
	const delayMs = delay_seconds * 1000;
	const rule = await hoursRule(api, { to, campaignId, delayMs }, callingHours);
	const own = { rules: [rule], limits: [], delayMs, ...(ifOutside && { delayedBy: rule }) };
	return new CallGuard(newBook().book, wanted({ to, ownerField: campaignId ? 'campaignId' : 'agentId' }), own);
}

/** What decides about a call of an agent at a moment: a Wednesday in winter, unless a date is given. */
async function guardAt(time: string, given: Given) {
	jest.setSystemTime(new Date(time.includes('-') ? time : `2031-01-15T${time}+01:00`));
	const { api, requests } = serviceOf({});
	const guard = await guardOf(api, given);
	expect(requests).toEqual([]);
	return guard;
}

/** Whether an agent may call at a moment; the reason if not. */
const atTime = async (time: string, given: Given) => (await guardAt(time, given)).check();

const allowed = undefined;
const outside = (nextAllowedAt: string | null, message = '') =>
	expect.objectContaining({
		result: 'outsideHours',
		code: 'OUTSIDE_HOURS',
		nextAllowedAt,
		message: expect.stringContaining(message),
	});

describe('an agent', () => {
	const callingHours = hours();
	const everyZone = { unclearTimeZone: 'everyZone' };
	const unclear = { unclearTimeZone: 'America/New_York' };
	const holidays = ['2030-12-25', '2031-01-15', '2031-01-16'];
	const allDay = { hours: 'Mon-Fri 0-24' };

	test.each([
		['08:59:59', outside('2031-01-15T09:00:00+01:00', '2031-01-15 08:59 (Europe/Berlin)')],
		['09:00:00', allowed],
		['19:59:59', allowed],
		['20:00:00', outside('2031-01-16T09:00:00+01:00')],
		['2031-01-17T20:00:00+01:00', outside('2031-01-20T09:00:00+01:00')],
		['2031-01-18T12:00:00+01:00', outside('2031-01-20T09:00:00+01:00')],
		// Berlin changes its clocks in the night before.
		['2031-03-30T12:00:00+02:00', outside('2031-03-31T09:00:00+02:00')],
	])('calls from nine to eight on working days only, at the time of the person: %s', async (time, result) => {
		expect(await atTime(time, { callingHours })).toEqual(result);
	});

	test.each<[what: string, time: string, to: string, hours: Options, result: unknown]>([
		['when it is too early for the person', '09:30', LONDON, {}, outside('2031-01-15T09:00:00+00:00')],
		['when it is late, but not for the person', '09:30', TOKYO, {}, allowed],
		['when it is too late for the person', '12:30', TOKYO, {}, outside('2031-01-16T09:00:00+09:00')],
		['where the time zone is not clear', '12:00', MADRID, {}, outside(null, 'is not clear')],
		['where no zone is known', '12:00', WORLDWIDE, everyZone, outside(null, 'is not clear')],
		// It is 8:59 on the Canary Islands, and 9:59 in Madrid.
		[
			'too early in one of its zones',
			'09:59',
			MADRID,
			everyZone,
			outside('2031-01-15T09:00:00+00:00', '(Atlantic/Canary)'),
		],
		['in the hours of all its zones', '10:00', MADRID, everyZone, allowed],
		[
			'too late in one of its zones',
			'20:00',
			MADRID,
			everyZone,
			outside('2031-01-16T10:00:00+01:00', '(Africa/Ceuta)'),
		],
		[
			'in zones without common hours',
			'18:00',
			TOLL_FREE,
			{ ...everyZone, hours: 'Mon-Fri 10-17' },
			outside(null, '15 time zones of the number, is outside'),
		],
		[
			'in a zone that is set, whatever its number',
			'12:00',
			MADRID,
			{ ...everyZone, timeZone: 'Europe/Madrid' },
			allowed,
		],
		['where one is set for that', '12:00', MADRID, unclear, outside('2031-01-15T09:00:00-05:00')],
		['where the zone is clear, whatever is set for others', '12:00', BERLIN, unclear, allowed],
		[
			'in a zone that is set',
			'12:00',
			BERLIN,
			{ ...unclear, timeZone: 'Asia/Tokyo' },
			outside('2031-01-16T09:00:00+09:00'),
		],
		['in a zone that does not exist', '12:00', BERLIN, { timeZone: 'Mars/Base' }, outside(null, 'is not clear')],
		['on a holiday', '12:00', BERLIN, { holidays }, outside('2031-01-17T09:00:00+01:00')],
		['in its lunch break', '13:59', BERLIN, { hours: 'Mon-Fri 9-12, 14-18' }, outside('2031-01-15T14:00:00+01:00')],
		['after its lunch break', '14:00', BERLIN, { hours: 'Mon-Fri 9-12, 14-18' }, allowed],
		['after a short day', '13:00', BERLIN, { hours: 'Wed 10-13; Thu-Fri 9-18' }, outside('2031-01-16T09:00:00+01:00')],
		['at midnight, if allowed', '00:00:00', BERLIN, allDay, allowed],
		['before midnight, if allowed', '23:59:59', BERLIN, allDay, allowed],
	])('looks at the clock of the person: %s', async (_what, time, to, changes, result) => {
		expect(await atTime(time, { to, callingHours: hours(changes) })).toEqual(result);
	});

	test('starts the call after its delay: that moment counts', async () => {
		const delay_seconds = 600;
		expect(await atTime('08:50', { delay_seconds, callingHours })).toEqual(allowed);
		const early = outside('2031-01-15T09:00:00+01:00', 'with its delay the call would start at 2031-01-15 08:59');
		expect(await atTime('08:49:59', { delay_seconds, callingHours })).toEqual(early);
		const late = outside('2031-01-16T09:00:00+01:00', '20:00');
		expect(await atTime('19:50', { delay_seconds, callingHours })).toEqual(late);
	});

	test('is delayed until the hours begin in all zones', async () => {
		const callingHours = hours({ unclearTimeZone: 'everyZone' });
		const guard = await guardAt('09:30:00', { to: MADRID, callingHours, ifOutside: 'delay' });
		const request = { method: 'POST', path: ['call'], body: {} } as const;
		expect(guard.reserve(request).body).toEqual({ delay_seconds: 1800 });
	});

	test('tells when a number of several zones may be called, and what to do if that is never', async () => {
		const callingHours = hours({ unclearTimeZone: 'everyZone' });
		expect(await atTime('09:00', { to: MADRID, callingHours })).toMatchObject({
			advice: 'All of them allow a call from 2031-01-15T09:00:00+00:00 on.',
		});
		const short = hours({ hours: 'Mon-Fri 10-17', unclearTimeZone: 'everyZone' });
		expect(await atTime('09:00', { to: TOLL_FREE, callingHours: short })).toMatchObject({
			advice: expect.stringContaining("Set 'Time Zone' or 'If Time Zone Is Unclear'"),
		});
	});

	test.each([
		['08:00:00', 3600],
		['08:59:00.400', 60],
		['07:59:59', undefined],
		['12:00:00', undefined],
	])('lets the service wait until the hours begin, if that is at most an hour: %s', async (time, delay_seconds) => {
		const guard = await guardAt(time, { callingHours, ifOutside: 'delay' });
		if (time === '07:59:59') {
			expect(guard.check()).toEqual(outside('2031-01-15T09:00:00+01:00'));
		} else {
			const request = { method: 'POST', path: ['call'], body: { to: BERLIN } } as const;
			const body = { to: BERLIN, ...(delay_seconds && { delay_seconds }) };
			expect(guard.reserve(request)).toEqual({ ...request, body });
		}
	});

	test('tells when it may call', async () => {
		const advice = 'The calling hours allow a call from 2031-01-15T09:00:00+01:00 on.';
		expect(await atTime('03:00', { callingHours: hours() })).toMatchObject({ advice });
	});

	test('checks again right before it sends: the hours may be over by then', async () => {
		const guard = await guardAt('19:59:59', { callingHours });
		expect(guard.check()).toBeUndefined();
		jest.setSystemTime(new Date('2031-01-15T20:00:00+01:00'));
		const request = { method: 'POST', path: ['call'], body: {} } as const;
		expect(() => guard.reserve(request)).toThrow('20:00 (Europe/Berlin) is outside the calling hours');
		expect(guard.withheld).toMatchObject({ result: 'outsideHours' });
	});
});

describe('a campaign', () => {
	const office = { earliest_call_time: '10:00:00', latest_call_time: '12:00:00', days_of_week: [1, 2, 3] };

	async function queued(campaign: object, callingHours: Options = {}, to = BERLIN) {
		jest.setSystemTime(new Date('2031-01-15T12:00:00+01:00'));
		const { api } = serviceOf({ campaign: { ...office, ...campaign } });
		return (await guardOf(api, { to, campaignId: 'spring', callingHours: hours(callingHours) })).check();
	}

	test('takes a call if all of its hours lie inside those of the person', async () => {
		expect(await queued({})).toEqual(allowed);
		expect(await queued({}, { hours: 'Mon-Wed 10-12' })).toEqual(allowed);
	});

	test.each([
		['begin earlier', {}, { hours: 'Mon-Fri 10:01-20' }, 'Monday 2031-01-20 10:00-12:00 (Europe/Berlin): outside'],
		['end later', {}, { hours: 'Mon-Fri 9-11:59' }, 'Monday 2031-01-20 10:00-12:00 (Europe/Berlin): outside'],
		['are on other days', { days_of_week: [3, 7] }, {}, 'Sunday 2031-01-19 10:00-12:00 (Europe/Berlin): outside'],
		['are on a holiday', {}, { holidays: ['2031-01-21'] }, 'Tuesday 2031-01-21 10:00-12:00 (Europe/Berlin): outside'],
		[
			'are those of another zone',
			{ latest_call_time: '11:00:00' },
			{ timeZone: 'Europe/London', hours: 'Mon-Fri 9:30-20' },
			'Monday 2031-01-20 10:00-11:00 (Europe/Berlin), which is 09:00-10:00 in Europe/London',
		],
		[
			'are on another day in the zone of the person',
			{ days_of_week: [3], earliest_call_time: '20:00:00', latest_call_time: '23:59:59' },
			{ timeZone: 'Asia/Tokyo', hours: 'Mon-Fri 0-6' },
			'Wednesday 2031-01-15 20:00-24:00 (Europe/Berlin), which is Thursday 2031-01-16 04:00-08:00 in Asia/Tokyo',
		],
	])('takes no call if its hours %s, and names the first time', async (_what, campaign, callingHours, message) => {
		expect(await queued(campaign, callingHours)).toEqual(outside(null, `the campaign may call on ${message}`));
	});

	test('takes a call to a country with several time zones if its hours lie inside those of the person in all of them', async () => {
		const everyZone = { unclearTimeZone: 'everyZone' };
		const inSpain = { ...office, timezone: 'Europe/Madrid' };
		expect(await queued(inSpain, everyZone, MADRID)).toEqual(allowed);
		expect(await queued({ ...inSpain, earliest_call_time: '09:30:00' }, everyZone, MADRID)).toEqual(
			outside(null, 'Monday 2031-01-20 09:30-12:00 (Europe/Madrid), which is 08:30-11:00 in Atlantic/Canary'),
		);
		expect(await queued(inSpain, {}, MADRID)).toEqual(outside(null, 'is not clear'));
	});

	test('takes no call if it may call in the lunch break, or after a short day', async () => {
		expect(await queued({}, { hours: 'Mon-Fri 9-12, 14-18' })).toEqual(allowed);
		expect(await queued({}, { hours: 'Mon-Fri 9-11, 12-18' })).toEqual(outside(null, '2031-01-20 10:00-12:00'));
		expect(await queued({}, { hours: 'Mon, Wed 9-18; Tue 9-11' })).toEqual(
			outside(null, 'Tuesday 2031-01-21 10:00-12:00'),
		);
	});

	test('is compared with the hours of a year: all clock changes count', async () => {
		const afternoon = { earliest_call_time: '15:00:00', latest_call_time: '17:00:00' };
		const newYork = { hours: 'Mon-Fri 9-11', timeZone: 'America/New_York' };
		// From March 9 to 29, 2031, Berlin is five hours ahead, not six.
		const message = 'Monday 2031-03-10 15:00-17:00 (Europe/Berlin), which is 10:00-12:00 in America/New_York';
		expect(await queued(afternoon, newYork)).toEqual(outside(null, message));
		expect(await queued({ ...afternoon, end_date: '2031-03-08' }, newYork)).toEqual(allowed);
		expect(await queued({ ...afternoon, start_date: '2031-04-01' }, newYork)).toEqual(
			outside(null, 'Monday 2031-10-27'),
		);
	});

	test.each([
		// A Monday, a Thursday, and both.
		[['2040-01-02'], '2040-01-02'],
		[['2040-01-05'], undefined],
		[['2040-01-05', '2041-01-07', '2040-01-02'], '2040-01-02'],
		[['9999-12-29'], '9999-12-29'],
	])('is compared with holidays however far away: %j', async (holidays, day) => {
		const result = await queued({}, { holidays });
		expect(result).toEqual(day === undefined ? allowed : outside(null, ` ${day} 10:00-12:00`));
		expect(await queued({ end_date: '2040-01-01' }, { holidays })).toEqual(allowed);
	});

	test.each<[what: string, campaign: object, result: unknown]>([
		['in no time zone', { timezone: 'Mars/Base' }, outside(null, 'does not say clearly')],
		['on no days', { days_of_week: [] }, outside(null, 'does not say clearly')],
		['over midnight', { latest_call_time: '06:00:00' }, outside(null, 'does not say clearly')],
		['no more', { end_date: '2031-01-14' }, outside(null, 'no calling time left')],
		['no more, on its days', { end_date: '2031-01-19', days_of_week: [1] }, outside(null, 'no calling time left')],
		['once more', { end_date: '2031-01-20' }, allowed],
		['in some years', { start_date: '2034-01-01' }, allowed],
	])('that calls %s', async (_when, campaign, result) => {
		expect(await queued(campaign)).toEqual(result);
	});

	test('that does not exist takes no call', async () => {
		const call = { campaignId: 'spring', callingHours: hours() };
		const none = guardOf(serviceWith({}).api, call);
		await expect(none).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND', httpStatus: 404, accepted: 'no' });
	});

	test('is read once in a run, and compared with the hours of each item', async () => {
		jest.setSystemTime(new Date('2031-01-15T12:00:00+01:00'));
		const { api, read } = serviceOf({ campaign: office });
		const results = [];
		const different = [
			{ hours: 'Mon-Fri 11-20' },
			{ hours: 'Mon 9-20' },
			{ holidays: ['2031-01-20'] },
			{ timeZone: 'UTC', hours: 'Mon-Fri 9:30-20' },
		];
		for (const changes of [{}, ...different, {}]) {
			const callingHours = hours(changes);
			results.push((await guardOf(api, { campaignId: 'spring', callingHours })).check()?.result);
		}
		expect(results.map((result) => result === 'outsideHours')).toEqual([false, true, true, true, true, false]);
		expect(read()).toEqual(['campaigns/spring']);
	});
});
