import { DateTime } from 'luxon';

import { asTool } from '../../errorTable/provoke.mts';
import { harness, type NodeSpec } from '../../harness.mts';
import { byId, inFastTime, type Service, startService, until } from '../../service.mts';

/** A Wednesday at noon in Berlin. */
const NOON = DateTime.fromISO('2031-01-15T12:00:00', { zone: 'Europe/Berlin' });

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => {
	await service.reset();
	goTo(NOON);
});
afterEach(() => harness.restoreTime());

/** Sets the clock of the nodes, of n8n and of the sandbox. */
function goTo(time: DateTime): void {
	harness.restoreTime();
	harness.skipTime(time.toMillis() - Date.now());
}

const BERLIN = '+493012345678';
const OTHER_BERLIN = '+493012345679';
const LONDON = '+442079460958';
const MADRID = '+34912345678';
const NEW_YORK = '+12025550111';

const hours = (values: object) => ({
	callingHours: {
		values: { from: '09:00', to: '20:00', daysOfWeek: [1, 2, 3, 4, 5], timeZone: 'fromNumber', ...values },
	},
});
const call = (options: object = {}, more: object = {}): NodeSpec['parameters'] => ({
	resource: 'call',
	operation: 'place',
	agent: byId(service.seed.agents.published),
	phoneNumber: '={{ $json.to }}',
	testCall: 'always',
	options: options as never,
	...more,
});
const queue = (options: object = {}, more: object = {}): NodeSpec['parameters'] => ({
	...call(options),
	resource: 'campaign',
	operation: 'queueCall',
	campaign: byId(service.seed.campaigns.active),
	...more,
});
const to = (...numbers: string[]) => numbers.map((number) => ({ to: number }));
const sent = async () =>
	(await service.requests('POST', '/call')).map(({ body }) => (body as { to: string }).to).sort();
const json = (outputs: Array<Array<{ json: Record<string, unknown> }>>) => outputs.flat().map((item) => item.json);
const campaign = async (changes: object) => {
	const { status } = await service.api('PUT', `campaigns/${service.seed.campaigns.active}`, changes);
	expect(status).toBe(200);
};

describe('Place', () => {
	test('calls those whose hours it is, and says of the others when they may be called', async () => {
		const given = to(BERLIN, LONDON, NEW_YORK, MADRID);
		const { outputs, run } = await service.run(call(hours({ to: '11:30' })), given);
		expect(run.status).toBe('success');
		expect(json(outputs)).toMatchObject([
			{ result: 'outsideHours', code: 'OUTSIDE_HOURS', to: BERLIN, nextAllowedAt: '2031-01-16T09:00:00+01:00' },
			{ result: 'placed', to: LONDON },
			{ result: 'outsideHours', to: NEW_YORK, nextAllowedAt: null, isTest: true },
			{ result: 'outsideHours', to: MADRID, nextAllowedAt: null },
		]);
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(await sent()).toEqual([LONDON]);
	});

	test('takes the zone that is set for unclear ones, or a zone of the item', async () => {
		const given = [
			{ to: NEW_YORK, zone: 'fromNumber' },
			{ to: MADRID, zone: 'fromNumber' },
			{ to: BERLIN, zone: 'Asia/Tokyo' },
		];
		const options = hours({ timeZone: '={{ $json.zone }}', unclearTimeZone: 'America/New_York' });
		const { outputs } = await service.run(call(options), given);
		// It is 6:00 in New York and 20:00 in Tokyo.
		expect(json(outputs)).toMatchObject([
			{ nextAllowedAt: '2031-01-15T09:00:00-05:00' },
			{ nextAllowedAt: '2031-01-15T09:00:00-05:00' },
			{ nextAllowedAt: '2031-01-16T09:00:00+09:00' },
		]);
		expect(await sent()).toEqual([]);
	});

	test('does not stop the others, whatever On Error says, and puts nothing into the error output', async () => {
		for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
			await service.reset();
			const { outputs } = await service.run(call(hours({ to: '11:30' })), to(BERLIN, LONDON, OTHER_BERLIN), {
				node: { onError },
			});
			expect(outputs[0]?.map(({ json: { result } }) => result)).toEqual(['outsideHours', 'placed', 'outsideHours']);
			expect(outputs.slice(1).flat()).toEqual([]);
			expect(await sent()).toEqual([LONDON]);
		}
	});

	test('knows holidays, as dates or as a list from an expression', async () => {
		for (const holidays of ['2030-12-25, 2031-01-15', "={{ ['2031-01-15', '2031-01-16'] }}"]) {
			const { outputs } = await service.run(call(hours({ holidays })), to(BERLIN));
			const next = holidays.startsWith('=') ? '2031-01-17' : '2031-01-16';
			expect(json(outputs)).toMatchObject([{ result: 'outsideHours', nextAllowedAt: `${next}T09:00:00+01:00` }]);
		}
		expect(await sent()).toEqual([]);
	});

	test.each([
		['a time in UTC, as a data table returns midnight in Berlin', 'Europe/Berlin', '["2031-01-14T23:00:00.000Z"]'],
		['a time in UTC, as a data table returns midnight in New York', 'America/New_York', '["2031-01-15T05:00:00.000Z"]'],
		['a time in UTC, as Python writes it', 'Europe/Berlin', '["2031-01-14T23:00:00+00:00"]'],
		['a time in UTC, as Postgres writes it', 'Europe/Berlin', '["2031-01-14 23:00:00+00"]'],
		['midnight in UTC', 'America/New_York', '["2031-01-15T00:00:00.000Z"]'],
		['midnight in UTC as a Date', 'America/New_York', '[new Date("2031-01-15")]'],
		['midnight with an offset', 'America/New_York', '["2031-01-15T00:00:00.000+01:00"]'],
		['a DateTime', 'America/New_York', '[DateTime.fromISO("2031-01-15", { zone: "Asia/Tokyo" })]'],
	])('takes %s for the date that was entered', async (_what, timezone, dates) => {
		const given = to(BERLIN, OTHER_BERLIN, '+493012345670');
		const { outputs } = await service.run(call(hours({ holidays: `={{ ${dates} }}` })), given, { timezone });
		const next = { result: 'outsideHours', nextAllowedAt: '2031-01-16T09:00:00+01:00' };
		expect(json(outputs)).toMatchObject([next, next, next]);
		expect(await sent()).toEqual([]);
	});

	test('counts its delay: the call starts after it', async () => {
		const delayed = (delay: number) => service.run(call({ ...hours({ to: '12:30' }), delay }), to(BERLIN));
		expect(json((await delayed(1799)).outputs)).toMatchObject([{ result: 'placed' }]);
		expect(json((await delayed(1800)).outputs)).toMatchObject([{ result: 'outsideHours' }]);
		goTo(NOON.set({ hour: 8, minute: 50 }));
		expect(json((await delayed(599)).outputs)).toMatchObject([{ result: 'outsideHours' }]);
		expect(json((await delayed(660)).outputs)).toMatchObject([{ result: 'placed' }]);
	});

	test('lets the service wait where the hours begin within an hour, if the user wants that', async () => {
		const early = (minutes: number) => {
			goTo(NOON.set({ hour: 9 }).minus({ minutes }));
			return service.run(call({ ...hours({}), ifOutside: 'delay' }), to(BERLIN));
		};
		expect(json((await early(59)).outputs)).toMatchObject([{ result: 'placed' }]);
		expect(json((await early(61)).outputs)).toMatchObject([{ result: 'outsideHours' }]);
		const [{ body } = { body: {} }, ...more] = await service.requests('POST', '/call');
		expect(more).toEqual([]);
		// A few seconds may have passed.
		const { delay_seconds } = body as { delay_seconds: number };
		expect(delay_seconds).toBeLessThanOrEqual(59 * 60);
		expect(delay_seconds).toBeGreaterThan(58.5 * 60);
	});

	test('looks at the time when it sends: a paced run stops calling when the hours end', async () => {
		goTo(NOON.set({ hour: 19, minute: 59, second: 50 }));
		// One request in ten seconds.
		const paced = service.run(
			{ ...call({ ...hours({}), missingVariables: 'ignore' }), sending: { maxRequestsPerMinute: 6 } },
			to('+493012345671', '+493012345672', '+493012345673'),
		);
		await until(async () => (await sent()).includes('+493012345671'));
		harness.skipTime(20_000);
		const { outputs } = await paced;
		expect(json(outputs).map(({ result }) => result)).toEqual(['placed', 'outsideHours', 'outsideHours']);
		expect(await sent()).toEqual(['+493012345671']);
	});

	test('calls the second of two items with one number, if only its own hours allow it', async () => {
		const given = [
			{ to: BERLIN, zone: 'Asia/Tokyo' },
			{ to: BERLIN, zone: 'Europe/Berlin' },
			{ to: BERLIN, zone: 'Europe/Berlin' },
		];
		const { outputs } = await service.run(call(hours({ timeZone: '={{ $json.zone }}' })), given);
		expect(json(outputs).map(({ result }) => result)).toEqual(['outsideHours', 'placed', 'sameNumber']);
	});

	test('returns the call of an earlier try, although the hours are over', async () => {
		goTo(NOON.set({ hour: 19, minute: 59, second: 30 }));
		const path = `/api/v1/agents/${service.seed.agents.published}/call`;
		await service.fault({ match: { path }, kind: 'latency', ms: 0 });
		await service.fault({ match: { path }, kind: 'status', status: 422, times: 1 });
		const running = service.run(
			{ ...call(hours({})), sending: { maxConcurrentRequests: 1 } },
			to(BERLIN, OTHER_BERLIN, '+493012345670'),
			{ node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 5000 } },
		);
		await until(async () => (await sent()).length === 2);
		harness.skipTime(60_000);
		const { outputs, tries } = await running;
		expect(tries).toBe(2);
		expect(json(outputs)).toMatchObject([
			{ result: 'placed', alreadySent: true, to: BERLIN },
			{ result: 'outsideHours' },
			{ result: 'outsideHours' },
		]);
		expect(await sent()).toEqual([BERLIN, OTHER_BERLIN]);
	});
});

describe('Queue Call', () => {
	const office = {
		call_time_ranges: [{ start: '10:00', end: '12:00' }],
		days_of_week: [1, 2, 3],
		timezone: 'Europe/Madrid',
	};

	test('queues a call only if the campaign can call within the hours alone, and names the conflict', async () => {
		await campaign({ ...office, days_of_week: [3, 6] });
		const given = [
			{ to: '+34912345678', zone: 'Europe/Madrid', from: '10:00', days: [3, 6] },
			{ to: '+34928123456', zone: 'Atlantic/Canary', from: '10:00', days: [3, 6] },
			{ to: BERLIN, zone: 'fromNumber', from: '10:00', days: [1, 2, 3, 4, 5] },
			{ to: NEW_YORK, zone: 'fromNumber', from: '09:00', days: [3, 6] },
			{ to: '+81312345678', zone: 'fromNumber', from: '09:00', days: [3, 6] },
		];
		const options = hours({
			from: '={{ $json.from }}',
			daysOfWeek: '={{ $json.days }}',
			timeZone: '={{ $json.zone }}',
		});
		const { outputs } = await service.run(queue(options), given);
		const message = (what: string) => ({
			result: 'outsideHours',
			nextAllowedAt: null,
			message: expect.stringContaining(what),
		});
		expect(json(outputs)).toMatchObject([
			{ result: 'queued' },
			message(
				'the campaign may call on Saturday 2031-01-18 10:00-12:00 (Europe/Madrid), which is 09:00-11:00 in Atlantic/Canary: outside the calling hours',
			),
			message('the campaign may call on Saturday 2031-01-18 10:00-12:00 (Europe/Madrid)'),
			message('the time zone of the number is not clear'),
			{ result: 'queued' },
		]);
		expect(await sent()).toEqual(['+34912345678', '+81312345678']);
	});

	test('sends nothing if the campaign cannot be read, and says why', async () => {
		await service.fault({
			match: { method: 'GET', path: `/api/v1/campaigns/${service.seed.campaigns.active}` },
			kind: 'status',
			status: 403,
			times: 10,
		});
		const { outputs } = await service.run(queue(hours({})), to(BERLIN, LONDON, OTHER_BERLIN), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(json(outputs)).toMatchObject([
			{ result: 'failed', httpStatus: 403 },
			{ result: 'failed' },
			{ result: 'failed' },
		]);
		expect(await sent()).toEqual([]);
	});

	test('reads the campaign once for all items', async () => {
		await campaign({ ...office, timezone: 'Europe/Berlin' });
		const given = to(...Array.from({ length: 100 }, (_none, index) => `+4930123456${10 + (index % 90)}`));
		await service.run(queue(hours({})), given);
		expect(await service.requests('GET', '/campaigns/')).toHaveLength(1);
	});
});

describe('The operations that wait', () => {
	test.each(['placeAndWait', 'queueCallAndWait'])(
		'%s waits only for those who were called',
		async (operation) => {
			await campaign({
				call_time_ranges: [{ start: '11:00', end: '13:00' }],
				days_of_week: [3],
				timezone: 'Europe/Berlin',
			});
			const parameters = operation === 'placeAndWait' ? call : queue;
			const options = {
				...hours({ from: '11:00', to: '13:00' }),
				blockedNumbers: OTHER_BERLIN,
				timeLimit: { values: { amount: 6, unit: 'seconds' } },
				pollInterval: 1,
			};
			const wanted = parameters(options, { operation, waitBy: 'polling' });
			const numbers = to(BERLIN, '+81312345678', OTHER_BERLIN);
			const { outputs } = await inFastTime(async () => await service.run(wanted, numbers));
			expect(json(outputs)).toMatchObject([
				{ to: BERLIN, outcome: expect.any(String) },
				{ result: 'outsideHours' },
				{ result: 'blocked' },
			]);
			expect(
				json(outputs)
					.slice(1)
					.some((item) => 'outcome' in item),
			).toBe(false);
			expect(await sent()).toEqual([BERLIN]);
		},
		30_000,
	);
});

describe('Check Before Calling', () => {
	test('of a call reports what Place would not send, and when it would ring', async () => {
		const check = (options: object) =>
			service.run(call(options, { operation: 'checkBeforeCalling' }), to(BERLIN, LONDON, '12'));
		const { outputs } = await check({ ...hours({ to: '11:30' }), blockedNumbers: OTHER_BERLIN });
		expect(json(outputs)).toMatchObject([
			{
				result: 'notReady',
				nextSlot: null,
				nextAllowedAt: '2031-01-16T09:00:00+01:00',
				reasons: [{ code: 'OUTSIDE_HOURS', message: expect.stringContaining('from 2031-01-16T09:00:00+01:00 on') }],
			},
			{ result: 'ready', reasons: [] },
			{ result: 'notReady', reasons: [{ code: 'INVALID_PHONE_NUMBER' }] },
		]);
		goTo(NOON.set({ hour: 8, minute: 30 }));
		const delayed = json((await check({ ...hours({}), ifOutside: 'delay' })).outputs);
		expect(delayed).toMatchObject([{ result: 'ready' }, { result: 'notReady' }, {}]);
		expect(Math.abs(Date.parse(String(delayed[0]?.nextSlot)) - NOON.set({ hour: 9 }).toMillis())).toBeLessThan(2000);
		expect(await sent()).toEqual([]);
	});

	test('of a queued call compares with the times of the campaign', async () => {
		await campaign({
			call_time_ranges: [{ start: '09:00', end: '11:00' }],
			days_of_week: [1],
			timezone: 'Europe/Berlin',
		});
		const options = { ...hours({}), blockedNumbers: OTHER_BERLIN };
		const { outputs } = await service.run(
			queue(options, { operation: 'checkBeforeCalling' }),
			to(BERLIN, LONDON, OTHER_BERLIN),
		);
		expect(json(outputs)).toMatchObject([
			{ result: 'ready' },
			{
				result: 'notReady',
				reasons: [{ code: 'OUTSIDE_HOURS', message: expect.stringContaining('08:00-10:00 in Europe/London') }],
			},
			{ result: 'notReady', reasons: [{ code: 'DO_NOT_CALL' }] },
		]);
	});
});

test.each([
	[{ from: '20:00', to: '09:00' }, 'Hours past midnight are not possible'],
	[{ from: '09:00', to: '09:00' }, 'must end after they start'],
	[{ from: '9 am' }, 'Enter a time of day'],
	[{ from: '={{ $json.missing }}' }, "'Hours From' in 'Calling Hours' is empty"],
	[{ daysOfWeek: [] }, 'Choose at least one'],
	[{ from: '09:00:59' }, 'has seconds'],
	[{ holidays: '2031-02-30' }, 'holiday that is no date'],
	[{ holidays: '2031-01-14/2031-01-16' }, 'holiday that is no date'],
	[{ holidays: '2031-01-14..2031-01-16' }, 'holiday that is no date'],
	[{ holidays: '2031-01-14 – 2031-01-16' }, 'holiday that is no date'],
	[{ holidays: '2031-01-14|2031-01-16' }, 'holiday that is no date'],
	[{ holidays: '={{ ["2031-01-14, 2031-01-15"] }}' }, 'holiday that is no date'],
	[{ holidays: '={{ $json.missing ?? null }}' }, "'Holidays' in 'Calling Hours' is empty"],
	[{ timeZone: 'Mars/Base' }, 'Mars/Base'],
	[{ timeZone: '={{ $json.missing }}' }, "'Time Zone' in 'Calling Hours' is empty"],
])('hours that are not clear send nothing: %j', async (values, message) => {
	const { run } = await service.run(call(hours(values)), to(BERLIN, LONDON, MADRID));
	expect(`${run.error?.message} ${(run.error as { description?: string })?.description}`).toContain(message);
	expect(await sent()).toEqual([]);
});

test('hours of another shape are refused, and not those that the editor shows first', async () => {
	const { values } = hours({ from: '00:00' }).callingHours;
	const { from, daysOfWeek, timeZone, ...others } = { ...values };
	for (const callingHours of [
		{ values: [values] },
		{ values: `={{ (${JSON.stringify(values)}) }}` },
		`={{ (${JSON.stringify({ values })}) }}`,
		[values],
		values,
		{ values: { ...others, daysOfWeek, timeZone, hoursFrom: from } },
		{ values: { ...others, from, timeZone, days: daysOfWeek } },
		{ values: { ...others, from, daysOfWeek, timezone: timeZone } },
	]) {
		const { run } = await service.run(call({ callingHours }), to(BERLIN));
		expect(run.error?.message).toMatch(/'Calling Hours' is empty|Choose at least one day in 'Calling Hours'/);
	}
	expect(await sent()).toEqual([]);
});

test('an empty option does not mean that everybody may be called', async () => {
	for (const options of [
		{ callingHours: {} },
		{ callingHours: '={{ undefined }}' },
		{ blockedNumbers: '' },
		{ blockedNumbers: '={{ $json.missing }}' },
	]) {
		const { run } = await service.run(call(options), to(BERLIN, LONDON, MADRID));
		expect(run.error?.message).toMatch(/^'(Calling Hours|Blocked Numbers)' is empty/);
	}
	expect(await sent()).toEqual([]);
});

test('items that were not sent have the fields of a failed item, and when the call may be sent', async () => {
	const options = { ...hours({ to: '11:30' }), blockedNumbers: MADRID };
	const { outputs } = await service.run(call(options), to(BERLIN, NEW_YORK, MADRID));
	const fields = ['agent_id', 'code', 'httpStatus', 'isTest', 'message', 'result', 'to'];
	expect(json(outputs).map((item) => Object.keys(item).sort())).toEqual([
		[...fields, 'nextAllowedAt'].sort(),
		[...fields, 'nextAllowedAt'].sort(),
		fields,
	]);
});

test('the hint above the output names the items that were not sent', async () => {
	const options = { ...hours({ to: '11:30' }), blockedNumbers: MADRID };
	const { run } = await service.run(call(options), to(BERLIN, LONDON, MADRID));
	const hints = JSON.stringify(run.stored);
	expect(hints).toContain('1 of 3 outside the calling hours, not sent: item 0 (counted from 0).');
	expect(hints).toContain('1 of 3 blocked, not sent: item 2.');
});

test('a model cannot set the hours or the blocked numbers', async () => {
	const ai = "={{ $fromAI('value') }}";
	for (const options of [
		hours({ to: ai }),
		{ blockedNumbers: ai },
		{ blockedNumbers: '030 12345678', defaultCountry: ai },
	]) {
		const { outputs, run } = await service.run(
			call(options, { maxCalls: 5, maxCallsPerHour: 10, allowedPrefixes: '' }),
			to(LONDON, BERLIN, MADRID),
			{ node: { ...asTool, onError: 'continueRegularOutput' }, package: await harness.packageWithTool() },
		);
		expect(JSON.stringify([outputs, run.error?.message])).toMatch(/not available to AI agents/);
	}
	expect(await sent()).toEqual([]);
});

test('every item counts: 300 contacts in one run, of whom every third is outside', async () => {
	const given = Array.from({ length: 300 }, (_none, index) => ({
		to: `+4930${1_000_000 + index}`,
		zone: index % 3 === 0 ? 'Asia/Tokyo' : 'fromNumber',
	}));
	const { outputs } = await service.run(call(hours({ timeZone: '={{ $json.zone }}' })), given);
	expect(json(outputs).map(({ result }) => result)).toEqual(
		given.map((_item, index) => (index % 3 === 0 ? 'outsideHours' : 'placed')),
	);
	expect(await sent()).toHaveLength(200);
}, 30_000);
