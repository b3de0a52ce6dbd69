import { byId, hintsOf, useService } from '../../service.mts';

const service = useService();

/** The seeded calendar is open on weekdays from 9 to 17, UTC; this is a Monday. */
const [from, to] = ['2031-07-07T09:00:00Z', '2031-07-07T11:00:00Z'];
const getSlots = (more = {}) => ({
	resource: 'availability',
	operation: 'getSlots',
	calendar: byId(service.seed.calendar),
	from: '={{ $json.from }}',
	to: '={{ $json.to }}',
	...more,
});
const slot = (start: string, end: string, item: number, more = {}) => ({
	json: { calendar_id: service.seed.calendar, start_at: start, end_at: end, ...more },
	pairedItem: { item },
});

describe('Availability → Get Slots', () => {
	test('returns an item for each free slot, and none where nothing is free', async () => {
		const [start, end] = ['2031-07-07T10:00:00Z', '2031-07-07T10:30:00Z'];
		const busy = { title: 'Busy', start_at: start, end_at: end };
		await service.api('POST', `calendars/${service.seed.calendar}/events`, busy);
		const half = '2031-07-07T09:30:00Z';
		const sunday = { from: '2031-07-06T00:00:00Z', to: '2031-07-06T23:00:00Z' };
		const { outputs } = await service.run(getSlots(), [{ from, to }, sunday, { from, to: half }]);
		expect(outputs[0]).toEqual([slot(from, half, 0), slot(half, start, 0), slot(end, to, 0), slot(from, half, 2)]);
	});

	test('returns at most as many slots as the limit, and adds their times in the chosen time zone', async () => {
		const options = { limit: 1, localTimezone: 'Europe/Berlin' };
		const winter = { from: '2031-01-07T09:00:00Z', to: '2031-01-07T12:00:00Z' };
		const { outputs } = await service.run(getSlots({ options }), [{ from, to }, winter]);
		const summer = { start_local: '2031-07-07T11:00:00+02:00', end_local: '2031-07-07T11:30:00+02:00' };
		const local = { start_local: '2031-01-07T10:00:00+01:00', end_local: '2031-01-07T10:30:00+01:00' };
		expect(outputs[0]).toEqual([
			slot(from, '2031-07-07T09:30:00Z', 0, summer),
			slot(winter.from, '2031-01-07T09:30:00Z', 1, local),
		]);
	});

	test('says for a calendar without a rule that it needs one, as its creation does, and nothing where slots are free', async () => {
		const ran = await service.run({
			resource: 'calendar',
			operation: 'create',
			name: 'Visits',
			owner: byId(service.seed.user),
		});
		const needsRule = [expect.stringContaining('Availability → Create Rule')];
		expect(hintsOf(ran)).toEqual(needsRule);
		const { id } = ran.outputs[0]![0]!.json;
		expect(hintsOf(await service.run(getSlots({ calendar: byId(String(id)) }), [{ from, to }]))).toEqual(needsRule);
		expect(hintsOf(await service.run(getSlots(), [{ from, to }]))).toEqual([]);
	});

	test('reads the next seven days unless told otherwise', async () => {
		const before = Date.now();
		const byDefault = { from: undefined, to: undefined };
		await service.run(getSlots(byDefault), [{}, {}, {}]);
		const queries = (await service.requests('GET', '/availability')).map(({ query }) => query);
		expect(queries).toHaveLength(3);
		for (const { from: first, to: last } of queries) {
			const start = Date.parse(String(first));
			expect([start >= before - 1000, start <= Date.now()]).toEqual([true, true]);
			// Time passes between the two.
			expect(Math.abs(Date.parse(String(last)) - start - 7 * 86_400_000)).toBeLessThanOrEqual(5000);
		}
	});

	test('reads seven days from a given start, and fails if an expression has no value', async () => {
		const starts = getSlots({ from: '2031-07-07T09:00:00Z', to: '' });
		expect((await service.run(starts)).run.status).toBe('success');
		expect((await service.requests('GET', '/availability')).map(({ query }) => query.to)).toEqual([
			'2031-07-14T09:00:00.000Z',
		]);
		const { run } = await service.run(getSlots(), [{ from: '', to }]);
		expect(run.error?.message).toContain("'From' cannot be");
	});
});

describe('Availability → Create Rule', () => {
	const rule = (ruleType: string, more = {}) => ({
		resource: 'availability',
		operation: 'createRule',
		calendar: byId(service.seed.calendar),
		ruleType,
		...more,
	});
	const weekly = (options = {}) =>
		rule('recurring', { daysOfWeek: [1], startTime: '09:00', endTime: '12:00', options });

	test('says whose time zone the hours have if none is given', async () => {
		expect(hintsOf(await service.run(weekly()))).toEqual([expect.stringContaining('time zone of the calendar')]);
		for (const other of [weekly({ timezone: 'Europe/Berlin' }), rule('exception', { date: '2031-07-08' })]) {
			expect(hintsOf(await service.run(other))).toEqual([]);
		}
	});
});
