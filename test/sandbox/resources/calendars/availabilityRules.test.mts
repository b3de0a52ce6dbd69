import { asList, asText, type SandboxClient, startClient } from '../../client.mts';

const USER = '11111111-2222-4333-8444-555555555555';
const recurring = { type: 'recurring', days_of_week: [1, 2, 3, 4, 5], start_time: '09:00', end_time: '10:00' };
const exception = { type: 'exception', date: '2026-01-06', available: false };

describe('availability rules', () => {
	let service: SandboxClient;
	let calendar: string;
	let path: string;
	beforeAll(async () => {
		service = await startClient();
	});
	beforeEach(async () => {
		const body = { name: 'Room', owner_id: USER, timezone: 'Europe/Berlin' };
		calendar = `/calendars/${asText((await service.api('POST', '/calendars', body)).data.data.id)}`;
		path = `${calendar}/availability-rules`;
	});
	afterAll(() => service.close());

	const add = async (rule: object) => asText((await service.api('POST', path, rule)).data.data.id);
	const rules = async () => asList((await service.api('GET', path)).data.data);
	const free = (query: string) => service.api('GET', `${calendar}/availability?${query}`);

	it('are created recurring, in the timezone that the calendar has then', async () => {
		const { status, data } = await service.api('POST', path, recurring);
		expect([status, data]).toEqual([201, { success: true, data: { id: expect.any(String), ...recurring } }]);
		await service.api('PUT', calendar, { timezone: 'Asia/Tokyo' });
		await add({ ...recurring, timezone: 'America/New_York' });
		expect(await rules()).toEqual([
			{ ...data.data, timezone: 'Europe/Berlin' },
			{ id: expect.any(String), ...recurring, timezone: 'America/New_York' },
		]);
	});

	it('are created as exceptions', async () => {
		const { status, data } = await service.api('POST', path, exception);
		expect([status, data]).toEqual([201, { success: true, data: { id: expect.any(String), ...exception } }]);
		expect(await rules()).toEqual([data.data]);
	});

	it.each<[object, string, unknown, string?]>([
		[recurring, 'type', undefined],
		[recurring, 'type', 'weekly'],
		[recurring, 'days_of_week', undefined],
		[recurring, 'days_of_week', []],
		[recurring, 'days_of_week', 'Monday'],
		[recurring, 'days_of_week', [0], 'days_of_week.0'],
		[recurring, 'days_of_week', [1, 8], 'days_of_week.1'],
		[recurring, 'days_of_week', [1.5], 'days_of_week.0'],
		[recurring, 'start_time', undefined],
		[recurring, 'start_time', '9:00'],
		[recurring, 'start_time', '24:00'],
		[recurring, 'start_time', '10:00', 'end_time'],
		[recurring, 'end_time', undefined],
		[recurring, 'end_time', '10:00:00'],
		[recurring, 'end_time', '24:01'],
		[recurring, 'end_time', '08:00'],
		[recurring, 'timezone', 'Berlin'],
		[exception, 'date', undefined],
		[exception, 'date', '2026-02-29'],
		[exception, 'date', '06.01.2026'],
		[exception, 'available', undefined],
		[exception, 'available', 'no'],
	])('as %j are refused with %s %j, on creation and on update', async (rule, field, value, key = field) => {
		const { status, data } = await service.api('POST', path, { ...rule, [field]: value });
		expect([status, data.success, Object.keys(data.errors)]).toEqual([422, false, [key]]);
		if (value === undefined) {
			return;
		}
		const update = await service.api('PUT', `${path}/${await add(rule)}`, { [field]: value });
		expect([update.status, Object.keys(update.data.errors)]).toEqual([422, [key]]);
		expect(await rules()).toEqual([expect.objectContaining(rule)]);
	});

	it('change only in the fields that an update sends, and answer with those and their end', async () => {
		const id = await add(recurring);
		const { status, data } = await service.api('PUT', `${path}/${id}`, { end_time: '11:30' });
		expect([status, data]).toEqual([200, { success: true, data: { id, end_time: '11:30' } }]);
		expect(await rules()).toEqual([{ id, ...recurring, end_time: '11:30', timezone: 'Europe/Berlin' }]);
		const { data: again } = await service.api('PUT', `${path}/${id}`, { days_of_week: [2] });
		expect(again.data).toEqual({ id, end_time: '11:30', days_of_week: [2] });
		const dated = await add(exception);
		expect((await service.api('PUT', `${path}/${dated}`, { available: true })).data.data).toEqual({
			id: dated,
			available: true,
		});
	});

	it('keep their type, and the fields that belong to it', async () => {
		const id = await add(recurring);
		const { status, data } = await service.api('PUT', `${path}/${id}`, exception);
		expect([status, Object.keys(data.errors)]).toEqual([422, ['type']]);
		const same = await service.api('PUT', `${path}/${id}`, { ...exception, type: 'recurring', end_time: '12:00' });
		expect(same.data.data).toEqual({ id, end_time: '12:00' });
		expect((await rules())[0]).not.toHaveProperty('date');
	});

	it('do not exist after deletion', async () => {
		const id = await add(recurring);
		const { status, data } = await service.api('DELETE', `${path}/${id}`);
		expect([status, data]).toEqual([200, { success: true, message: expect.any(String) }]);
		expect((await service.api('DELETE', `${path}/${id}`)).data.message).toBe('Availability rule not found.');
		expect(await rules()).toEqual([]);
	});

	it('make the free slots, of half an hour unless asked otherwise, minus the busy events', async () => {
		await add(recurring);
		await add(exception);
		const week = 'from=2026-01-05T00:00:00%2B01:00&to=2026-01-08T00:00:00%2B01:00';
		const { status, data } = await free(week);
		expect([status, data]).toEqual([
			200,
			{
				success: true,
				data: [
					{ start_at: '2026-01-05T08:00:00Z', end_at: '2026-01-05T08:30:00Z' },
					{ start_at: '2026-01-05T08:30:00Z', end_at: '2026-01-05T09:00:00Z' },
					{ start_at: '2026-01-07T08:00:00Z', end_at: '2026-01-07T08:30:00Z' },
					{ start_at: '2026-01-07T08:30:00Z', end_at: '2026-01-07T09:00:00Z' },
				],
			},
		]);
		const times = { start_at: '2026-01-07T09:15:00+01:00', end_at: '2026-01-07T09:20:00+01:00' };
		const event = (await service.api('POST', `${calendar}/events`, { title: 'Talk', ...times })).data.data;
		const number = async (query = '') => asList((await free(week + query)).data.data).length;
		expect(await number()).toBe(3);
		expect(await number('&duration_minutes=5')).toBe(23);
		expect(await number('&duration_minutes=60')).toBe(1);
		await service.api('PUT', `${calendar}/events/${asText(event.id)}`, { status: 'cancelled' });
		expect(await number()).toBe(4);
	});

	it('make the free slots of the seeded calendars', async () => {
		const url = `/calendars/${service.seed.calendar}/availability?from=2026-01-05&to=2026-01-10`;
		expect((await service.api('GET', url)).data.data).toHaveLength(5 * 16);
	});

	it.each([
		['to=2026-01-06', 'from'],
		['from=2026-01-05', 'to'],
		['from=2026-01-05&to=soon', 'to'],
		['from=2026-01-05&to=2026-01-05', 'to'],
		['from=2026-01-05&to=2026-01-04', 'to'],
		['from=2026-01-05&to=2026-03-08T00:00:01Z', 'to'],
		['from=2026-01-05T00:00:00+02:00&to=2026-01-06', 'from'],
		['from=2026-01-05&to=2026-01-06&duration_minutes=4', 'duration_minutes'],
		['from=2026-01-05&to=2026-01-06&duration_minutes=1441', 'duration_minutes'],
		['from=2026-01-05&to=2026-01-06&duration_minutes=half', 'duration_minutes'],
	])('are not asked with %s', async (query, field) => {
		const { status, data } = await free(query);
		expect([status, data.success, Object.keys(data.errors)]).toEqual([422, false, [field]]);
	});

	it('cover at most 62 days, in slots of 5 minutes to a day', async () => {
		await add({ ...recurring, days_of_week: [1, 2, 3, 4, 5, 6, 7], start_time: '00:00', end_time: '24:00' });
		const range = 'from=2026-01-05&to=2026-03-08';
		expect((await free(`${range}&duration_minutes=1440`)).data.data).toHaveLength(61);
		expect((await free(`${range}&duration_minutes=5`)).data.data).toHaveLength(62 * 288);
	});
});
