import { DateTime } from 'luxon';

import { harness } from '../../harness.mts';
import { hintsOf, jsonOf, resultsOf, type Service, saidBy, to, until } from '../../service.mts';
import { BERLIN, goTo, LONDON, MADRID, useServiceAt } from './ruledCalls.mts';

/** A Wednesday at noon in Berlin. */
const NOON = DateTime.fromISO('2031-01-15T12:00:00', { zone: 'Europe/Berlin' });
const OTHER_BERLIN = '+493012345679';
const NEW_YORK = '+12025550111';

const service = useServiceAt(NOON);

const VALUES = { hours: 'Mon-Fri 9:00-20:00', timeZone: 'fromNumber' };
const hours = (values: object = {}) => ({ callingHours: { values: { ...VALUES, ...values } } });
const outside = (nextAllowedAt: string | null) => ({ result: 'outsideHours', code: 'OUTSIDE_HOURS', nextAllowedAt });
const sent = async () => (await service.dialed()).toSorted();
/** Runs Place with these options. @returns the items */
const place = async (options: object, items: Parameters<Service['run']>[1]) =>
	jsonOf(await service.run(service.place(options), items, { timezone: 'Europe/Berlin' }));

describe('Place', () => {
	test('calls those whose hours it is, and says of the others when they may be called', async () => {
		const items = to(BERLIN, LONDON, NEW_YORK, MADRID);
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			await service.reset();
			const ran = await service.run(
				service.place(hours({ hours: 'Mon-Fri 9:00-11:30', unclearTimeZone: 'outside' })),
				items,
				{ node: { onError } },
			);
			expect(jsonOf(ran)).toMatchObject([
				{ ...outside('2031-01-16T09:00:00+01:00'), to: BERLIN, isTest: false },
				{ result: 'placed', to: LONDON },
				{ ...outside(null), to: NEW_YORK },
				{ ...outside(null), to: MADRID },
			]);
			expect(ran.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
			expect(hintsOf(ran)[0]).toContain(
				'Not called: 2 outside the calling hours at any time (sheet rows 4-5), 1 outside the calling hours (sheet row 2).',
			);
			expect(await sent()).toEqual([LONDON]);
		}
	});

	test('calls a number of a country with several time zones if it is within the hours in all of them', async () => {
		const results = async () =>
			await place(hours({ hours: 'Mon-Fri 9-12, 13:00-20:00' }), to(MADRID, NEW_YORK, BERLIN));
		// 12:30 in Madrid, 11:30 on the Canary Islands; 6:30 in New York, 1:30 in Honolulu.
		goTo(NOON.set({ hour: 12, minute: 30 }));
		expect(await results()).toMatchObject([
			{
				...outside('2031-01-15T14:00:00+01:00'),
				message: expect.stringContaining('one of 2 time zones of the number'),
			},
			{ ...outside('2031-01-15T13:00:00-10:00') },
			{ ...outside('2031-01-15T13:00:00+01:00') },
		]);
		goTo(NOON.set({ hour: 14 }));
		expect(await results()).toMatchObject([
			{ result: 'placed' },
			outside('2031-01-15T13:00:00-10:00'),
			{ result: 'placed' },
		]);
		expect(await sent()).toEqual([BERLIN, MADRID].toSorted());
	});

	test('knows holidays, as dates or as a list from an expression', async () => {
		for (const [holidays, next] of [
			['2030-12-25, 2031-01-15', '16'],
			// As a data table returns midnight in Berlin, and as a Date.
			["={{ ['2031-01-14T23:00:00.000Z', new Date('2031-01-16')] }}", '17'],
		]) {
			const items = await place(hours({ holidays }), to(BERLIN));
			expect(items).toMatchObject([outside(`2031-01-${next}T09:00:00+01:00`)]);
		}
		expect(await sent()).toEqual([]);
	});

	test('counts its delay, and lets the service wait where the hours begin within an hour, if the user wants that', async () => {
		const result = async (options: object) => (await place({ ...hours(), ...options }, to(BERLIN)))[0]?.result;
		goTo(NOON.set({ hour: 8, minute: 1 }));
		const began = Date.now();
		expect([await result({}), await result({ delay: 60 })]).toEqual(['outsideHours', 'outsideHours']);
		expect([await result({ delay: 3541 }), await result({ ifOutside: 'delay' })]).toEqual(['placed', 'placed']);
		const delays = (await service.requests('POST', '/call')).map(({ body }) => Object(body).delay_seconds as number);
		const passed = Math.ceil((Date.now() - began) / 1000);
		expect(delays[1]).toBeLessThanOrEqual(59 * 60);
		expect(delays[1]).toBeGreaterThanOrEqual(59 * 60 - passed);
	});

	test('looks at the time when it sends: a paced run stops calling when the hours end', async () => {
		goTo(NOON.set({ hour: 19, minute: 57 }));
		// One request in ten seconds.
		const more = { sending: { maxRequestsPerMinute: 6 } };
		const paced = service.run(
			service.place({ ...hours(), missingVariables: 'ignore' }, more),
			to(BERLIN, OTHER_BERLIN),
		);
		await until(async () => (await sent()).length === 1);
		harness.skipTime(180_000);
		expect(resultsOf(await paced)).toEqual(['placed', 'outsideHours']);
		expect(await sent()).toEqual([BERLIN]);
	});

	test('calls the second of two items with one number, if only its own hours allow it', async () => {
		const items = ['Asia/Tokyo', 'Europe/Berlin', 'Europe/Berlin'].map((zone) => ({ to: BERLIN, zone }));
		const results = (await place(hours({ timeZone: '={{ $json.zone }}' }), items)).map(({ result }) => result);
		expect(results).toEqual(['outsideHours', 'placed', 'sameNumber']);
	});
});

test('Queue Call queues a call only if the campaign can call within the hours alone, and names the conflict', async () => {
	const times = { call_time_ranges: [{ start: '10:00', end: '12:00' }], days_of_week: [3, 6] };
	const path = `campaigns/${service.seed.campaigns.active}`;
	expect((await service.api('PUT', path, { ...times, timezone: 'Europe/Madrid' })).status).toBe(200);
	const items = [
		{ to: MADRID, zone: 'Europe/Madrid', days: 'Wed, Sat' },
		{ to: '+34928123456', zone: 'Atlantic/Canary', days: 'Wed, Sat' },
		{ to: BERLIN, zone: 'fromNumber', days: 'Mon-Fri' },
		{ to: '+34912345679', zone: 'fromNumber', days: 'Wed, Sat' },
		{ to: '+80012345678', zone: 'fromNumber', days: 'Wed, Sat' },
	];
	const values = { hours: '={{ $json.days }} 10-20', timeZone: '={{ $json.zone }}' };
	const because = (what: string) => ({ ...outside(null), message: expect.stringContaining(what) });
	const saturday = 'the campaign may call on Saturday 2031-01-18 10:00-12:00 (Europe/Madrid)';
	expect(jsonOf(await service.run(service.queue(hours(values)), items))).toMatchObject([
		{ result: 'queued' },
		because(`${saturday}, which is 09:00-11:00 in Atlantic/Canary: outside the calling hours`),
		because(saturday),
		because(`${saturday}, which is 09:00-11:00 in Atlantic/Canary: outside the calling hours`),
		because('the time zone of the number is not clear'),
	]);
	expect(await sent()).toEqual([MADRID]);
});

test('Check Before Calling of a call reports what Place would not send, and when it would ring', async () => {
	goTo(NOON.set({ hour: 8, minute: 30 }));
	const check = async (options: object) =>
		jsonOf(await service.run(service.place(options, { operation: 'checkBeforeCalling' }), to(BERLIN, LONDON)));
	const [delayed, other] = await check({ ...hours(), ifOutside: 'delay' });
	const results = [{ result: 'ready' }, { result: 'notReady', reasons: [{ code: 'OUTSIDE_HOURS' }] }];
	expect([delayed, other]).toMatchObject(results);
	expect(await check({ ...hours(), delay: 1800 })).toMatchObject(results);
	expect(Math.abs(Date.parse(String(delayed?.nextSlot)) - NOON.set({ hour: 9 }).toMillis())).toBeLessThan(2000);
	expect(await sent()).toEqual([]);
});

const noDate = 'holiday that is not a date';
test.each([
	[{ hours: 'Mon-Fri 9-5' }, 'Write 9-17 or 9 am-5 pm'],
	[{ hours: 9 }, "Enter 'Hours' as a text"],
	[{ hours: '={{ ["Mon-Fri 9-17"] }}' }, "Enter 'Hours' as a text"],
	[{ hours: '={{ $json.missing }}' }, "'Hours' in 'Calling Hours' is empty"],
	[{ holidays: '2031-02-30' }, noDate],
	[{ holidays: '2031-01-14/2031-01-16' }, noDate],
	[{ holidays: '={{ ["2031-01-14, 2031-01-15"] }}' }, noDate],
	[{ holidays: '={{ $json.missing ?? null }}' }, "'Holidays' in 'Calling Hours' is empty"],
	[{ timeZone: 'Mars/Base' }, 'Mars/Base'],
	[{ timeZone: '={{ $json.missing }}' }, "'Time Zone' in 'Calling Hours' is empty"],
])('hours that are not clear send nothing: %j', async (values, message) => {
	expect(saidBy(await service.run(service.place(hours(values)), to(BERLIN, LONDON)))).toContain(message);
	expect(await sent()).toEqual([]);
});

test('an empty option, or hours of another shape, do not mean that everybody may be called', async () => {
	const values = { ...VALUES, hours: 'Daily 0-24' };
	const { hours: daily, timeZone } = values;
	for (const callingHours of [
		{},
		'={{ undefined }}',
		{ values: [values] },
		`={{ (${JSON.stringify({ values })}) }}`,
		values,
		{ values: { timeZone, openingHours: daily } },
		{ values: { hours: daily, timezone: timeZone } },
	]) {
		const said = saidBy(await service.run(service.place({ callingHours }), to(BERLIN)));
		expect(said).toContain("'Calling Hours' is empty");
	}
	expect(await sent()).toEqual([]);
});
