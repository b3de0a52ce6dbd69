import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const operation = (name: string, more = {}) => ({
	resource: 'availability',
	operation: name,
	calendar: byId(service.seed.calendar),
	...more,
});
const path = (rest = '') => `calendars/${service.seed.calendar}/availability-rules${rest}`;
const rules = async () => (await service.api('GET', path())).body.data as Array<{ id: string; type: string }>;
const message = (text: string) => ({ message: expect.stringContaining(text) });

describe('Availability, Get Slots', () => {
	/** The seeded calendar is open on weekdays from 9 to 17, UTC; this is a Monday. */
	const [from, to] = ['2031-07-07T09:00:00Z', '2031-07-07T11:00:00Z'];
	const getSlots = (more = {}) => operation('getSlots', { from: '={{ $json.from }}', to: '={{ $json.to }}', ...more });

	test('returns an item for each free slot', async () => {
		await service.api('POST', `calendars/${service.seed.calendar}/events`, {
			title: 'Busy',
			start_at: '2031-07-07T10:00:00Z',
			end_at: '2031-07-07T10:30:00Z',
		});
		const { outputs } = await service.run(getSlots(), [
			{ from, to },
			{ from: '2031-07-06T00:00:00Z', to: '2031-07-06T23:00:00Z' },
			{ from, to: '2031-07-07T09:30:00Z' },
		]);
		const slot = (start: string, end: string, item: number) => ({
			json: {
				calendar_id: service.seed.calendar,
				start_at: `2031-07-07T${start}:00Z`,
				end_at: `2031-07-07T${end}:00Z`,
			},
			pairedItem: { item },
		});
		expect(outputs[0]).toEqual([
			slot('09:00', '09:30', 0),
			slot('09:30', '10:00', 0),
			slot('10:30', '11:00', 0),
			slot('09:00', '09:30', 2),
		]);
	});

	test('checks and sends the range and the duration', async () => {
		const parameters = getSlots({ duration: '={{ $json.duration }}' });
		const items = [
			{ from, to, duration: 120 },
			{ from, to: '2032-07-07T09:00:00Z', duration: 60 },
			{ from: to, to: from, duration: 60 },
			{ from: '', to, duration: 60 },
			{ from, to, duration: 0 },
		];
		await expectItems(service, parameters, items, [
			{ start_at: from, end_at: to },
			failed('VALIDATION_ERROR', { httpStatus: 422 }),
			failed('INVALID_INPUT', message("'To' is not after 'From'")),
			failed('INVALID_INPUT', message("'From' is empty")),
			failed('INVALID_INPUT', message("'Duration (Minutes)' cannot be 0")),
		]);
		expect((await service.requests()).map(({ method, path, query }) => [method, path, query])).toEqualInAnyOrder(
			items
				.slice(0, 2)
				.map(({ from, to, duration }) => [
					'GET',
					`/api/v1/calendars/${service.seed.calendar}/availability`,
					{ from, to, duration_minutes: String(duration) },
				]),
		);
	});

	test('reads a range without offsets in the time zone of the workflow', async () => {
		const { outputs } = await service.run(getSlots(), [{ from: '2031-07-07T11:00', to: '2031-07-07T11:30' }], {
			timezone: 'Europe/Berlin',
		});
		expect(outputs[0]).toMatchObject([{ json: { start_at: '2031-07-07T09:00:00Z' } }]);
		expect((await service.requests())[0]?.query).toMatchObject({
			from: '2031-07-07T11:00:00+02:00',
			to: '2031-07-07T11:30:00+02:00',
		});
	});

	test('returns at most as many slots as the limit, and adds their times in the chosen time zone', async () => {
		const options = { limit: 1, localTimezone: 'Europe/Berlin' };
		const { outputs } = await service.run(getSlots({ options }), [
			{ from, to },
			{ from: '2031-01-07T09:00:00Z', to: '2031-01-07T12:00:00Z' },
		]);
		expect(outputs[0]).toEqual([
			{
				json: {
					calendar_id: service.seed.calendar,
					start_at: from,
					end_at: '2031-07-07T09:30:00Z',
					start_local: '2031-07-07T11:00:00+02:00',
					end_local: '2031-07-07T11:30:00+02:00',
				},
				pairedItem: { item: 0 },
			},
			{
				json: {
					calendar_id: service.seed.calendar,
					start_at: '2031-01-07T09:00:00Z',
					end_at: '2031-01-07T09:30:00Z',
					start_local: '2031-01-07T10:00:00+01:00',
					end_local: '2031-01-07T10:30:00+01:00',
				},
				pairedItem: { item: 1 },
			},
		]);
		expect(Object.keys((await service.requests())[0]?.query ?? {})).toEqual(['from', 'to', 'duration_minutes']);
	});

	test('reads the next seven days unless told otherwise', async () => {
		const before = Date.now();
		const { outputs, run } = await service.run(operation('getSlots'), [{}, {}, {}], { timezone: 'Europe/Berlin' });
		expect(run.status).toBe('success');
		const queries = (await service.requests('GET', '/availability')).map(({ query }) => query);
		expect(queries).toHaveLength(3);
		for (const { from, to } of queries) {
			expect(Date.parse(String(from))).toBeGreaterThanOrEqual(before - 1000);
			expect(Date.parse(String(from))).toBeLessThanOrEqual(Date.now());
			expect(Math.abs(Date.parse(String(to)) - Date.parse(String(from)) - 7 * 86_400_000)).toBeLessThanOrEqual(
				// Between the two, the clocks may change, and time passes.
				3_600_000 + 5000,
			);
			expect(String(from)).toMatch(/\+0[12]:00$/);
		}
		expect(outputs[0]?.length).toBeGreaterThan(10);
	});

	test('returns the first slot for each item with a Limit of 1, and none where nothing is free', async () => {
		const { outputs } = await service.run(getSlots({ options: { limit: 1 } }), [
			{ from, to },
			{ from: '2031-07-06T00:00:00Z', to: '2031-07-06T23:00:00Z' },
			{ from: '2031-07-07T10:15:00Z', to },
		]);
		const calendar_id = service.seed.calendar;
		expect(outputs[0]).toEqual([
			{ json: { calendar_id, start_at: from, end_at: '2031-07-07T09:30:00Z' }, pairedItem: { item: 0 } },
			{ json: { calendar_id, start_at: '2031-07-07T10:30:00Z', end_at: to }, pairedItem: { item: 2 } },
		]);
	});

	test('returns what Create of a calendar event needs', async () => {
		const { outputs } = await service.run(getSlots({ options: { limit: 3 } }), [{ from, to }]);
		const create = {
			resource: 'calendarEvent',
			operation: 'create',
			calendar: byId('={{ $json.calendar_id }}'),
			title: 'Visit',
			start: '={{ $json.start_at }}',
			end: '={{ $json.end_at }}',
			options: { checkSlot: true },
		};
		const slots = outputs[0]?.map(({ json }) => json) ?? [];
		expect(slots).toHaveLength(3);
		await expectItems(
			service,
			create,
			slots,
			slots.map(({ calendar_id, start_at, end_at }) => ({ calendar_id, start_at, end_at, status: 'confirmed' })),
		);
	});

	test('fails for a response without a list instead of returning no slots', async () => {
		await service.fault({ kind: 'status', status: 200, body: { success: true, data: null } });
		const { run } = await service.run(getSlots(), [{ from, to }]);
		expect(run.error?.message).toContain('reported success, but');
	});
});

describe('Availability', () => {
	test('Create Rule creates a recurring rule from days and hours', async () => {
		const parameters = operation('createRule', {
			ruleType: 'recurring',
			daysOfWeek: '={{ $json.days }}',
			startTime: '={{ $json.start }}',
			endTime: '={{ $json.end }}',
		});
		const items = [
			{ days: [1, 7], start: '9:00', end: '17:30' },
			{ days: ['saturday', 'Sunday'], start: '10:00:00', end: '12:00' },
			{ days: [1], start: '17:00', end: '09:00' },
			{ days: [8], start: '09:00', end: '17:00' },
			{ days: [], start: '09:00', end: '17:00' },
			{ days: [1], start: 'nine', end: '17:00' },
			{ days: '5', start: '09:00', end: '10:00' },
		];
		const sent = await expectItems(service, parameters, items, [
			{ id: expect.any(String), type: 'recurring', days_of_week: [1, 7] },
			{ days_of_week: [6, 7] },
			failed('VALIDATION_ERROR', message('end_time')),
			failed('INVALID_INPUT', message("'Days of the Week' cannot be 8")),
			failed('INVALID_INPUT', message("'Days of the Week'")),
			failed('INVALID_INPUT', message('\'Start Time\': "nine" must look like 09:00')),
			{ days_of_week: [5] },
		]);
		const recurring = (days_of_week: number[], start_time: string, end_time: string) => ({
			type: 'recurring',
			days_of_week,
			start_time,
			end_time,
		});
		expect(sent.map(([method, where, body]) => [method, where, body])).toEqual(
			[
				recurring([1, 7], '09:00', '17:30'),
				recurring([6, 7], '10:00', '12:00'),
				recurring([1], '17:00', '09:00'),
				recurring([5], '09:00', '10:00'),
			].map((body) => ['POST', path(), body]),
		);
		const zoned = { ...parameters, options: { timezone: 'Asia/Kolkata' } };
		const [[, , body]] = await expectItems(service, zoned, items.slice(0, 1), [{ days_of_week: [1, 7] }]);
		expect(body).toEqual({ ...recurring([1, 7], '09:00', '17:30'), timezone: 'Asia/Kolkata' });
	});

	test('Create Rule creates an exception for one day, without the fields of recurring rules', async () => {
		const parameters = operation('createRule', {
			calendar: byId('={{ $json.calendar }}'),
			ruleType: 'exception',
			date: '={{ $json.date }}',
			available: '={{ $json.open }}',
			daysOfWeek: [1],
			startTime: '09:00',
			endTime: 'none',
			options: { timezone: 'Asia/Kolkata' },
		});
		const { calendar } = service.seed;
		const items = [
			{ calendar, date: '2031-12-24', open: false },
			{ calendar: nobody, date: '2031-12-24', open: true },
			{ calendar, date: 'Christmas', open: true },
			{ calendar, date: '2031-12-25T00:00:00', open: 'true' },
		];
		const sent = await expectItems(service, parameters, items, [
			{ type: 'exception', date: '2031-12-24', available: false },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT', message('\'Date\' cannot be "Christmas"')),
			{ date: '2031-12-25', available: true },
		]);
		expect(sent).toEqualInAnyOrder([
			['POST', path(), { type: 'exception', date: '2031-12-24', available: false }],
			['POST', `calendars/${nobody}/availability-rules`, { type: 'exception', date: '2031-12-24', available: true }],
			['POST', path(), { type: 'exception', date: '2031-12-25', available: true }],
		]);
	});

	test('Get Many Rules lists the rules', async () => {
		await service.api('POST', path(), { type: 'exception', date: '2031-12-24', available: false });
		const { outputs } = await service.run(operation('getAllRules', { returnAll: true }), [{}, {}, {}]);
		const all = await rules();
		expect(all.map(({ type }) => type)).toEqual(['recurring', 'exception']);
		expect(outputs[0]).toEqual([0, 1, 2].flatMap((item) => all.map((json) => ({ json, pairedItem: { item } }))));
		expect((await service.run(operation('getAllRules', { limit: 1 }))).outputs[0]).toHaveLength(1);
	});

	test('Update Rule sends only the added fields of the rule type', async () => {
		const { availabilityRule } = service.seed;
		const update = (kind: string, updateFields: object) =>
			operation('updateRule', { availabilityRule: byId('={{ $json.id }}'), ruleType: kind, updateFields });
		const items = [
			{ id: availabilityRule, end: '16:00' },
			{ id: nobody, end: '16:00' },
			{ id: availabilityRule, end: '25:00' },
			{ id: availabilityRule, end: '08:00' },
			{ id: availabilityRule, end: '18:30' },
		];
		const sent = await expectItems(
			service,
			update('recurring', { endTime: '={{ $json.end }}', available: true }),
			items,
			[
				{ id: availabilityRule, end_time: '16:00' },
				failed('NOT_FOUND'),
				failed('INVALID_INPUT', message('\'End Time\': "25:00" is not a time of day')),
				failed('VALIDATION_ERROR'),
				{ end_time: '18:30' },
			],
		);
		expect(sent).toEqualInAnyOrder(
			[0, 1, 3, 4].map((index) => ['PUT', path(`/${items[index]?.id}`), { end_time: items[index]?.end }]),
		);

		const { body } = await service.api('POST', path(), { type: 'exception', date: '2031-12-24', available: false });
		const { id } = body.data as { id: string };
		const moved = await expectItems(
			service,
			update('exception', { date: '2031-12-31', available: true, endTime: '16:00' }),
			[{ id }],
			[{ id, date: '2031-12-31' }],
		);
		expect(moved).toEqual([['PUT', path(`/${id}`), { date: '2031-12-31', available: true }]]);
		const nothing = await expectItems(
			service,
			update('exception', { endTime: '16:00' }),
			[{ id }],
			[failed('INVALID_INPUT', message('nothing to update'))],
		);
		expect(nothing).toEqual([]);
	});

	test('Delete Rule removes the rule', async () => {
		await service.api('POST', path(), { type: 'exception', date: '2031-12-24', available: false });
		const [first, second] = await rules();
		const items = [{ id: first?.id }, { id: nobody }, { id: '' }, { id: second?.id }];
		const remove = operation('deleteRule', { availabilityRule: byId('={{ $json.id }}') });
		const sent = await expectItems(service, remove, items, [
			{ deleted: true },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT'),
			{ deleted: true },
		]);
		expect(sent).toEqualInAnyOrder([first?.id, nobody, second?.id].map((id) => ['DELETE', path(`/${id}`)]));
		expect(await rules()).toEqual([]);
	});
});
