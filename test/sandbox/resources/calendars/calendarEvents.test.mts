import { asList, asText, type SandboxClient, startClient } from '../../client.mts';

const USER = '11111111-2222-4333-8444-555555555555';
const minimal = { title: 'Talk', start_at: '2026-01-05T09:00:00Z', end_at: '2026-01-05T10:00:00Z' };

describe('calendar events', () => {
	let service: SandboxClient;
	let calendar: string;
	let path: string;
	beforeAll(async () => {
		service = await startClient();
	});
	beforeEach(async () => {
		const created = await service.api('POST', '/calendars', { name: 'Room', owner_id: USER });
		calendar = asText(created.data.data.id);
		path = `/calendars/${calendar}/events`;
	});
	afterAll(() => service.close());

	const add = async (changes: Record<string, unknown> = {}, to = path) =>
		asText((await service.api('POST', to, { ...minimal, ...changes })).data.data.id);
	const shown = async (id: string) => (await service.api('GET', `${path}/${id}`)).data.data;

	it('are created confirmed, and shown with all their fields', async () => {
		const { status, data } = await service.api('POST', path, minimal);
		const id = data.data.id;
		expect([status, data]).toEqual([
			201,
			{
				success: true,
				data: { id: expect.any(String), calendar_id: calendar, ...minimal, status: 'confirmed', type: null },
			},
		]);
		const one = await service.api('GET', `${path}/${asText(id)}`);
		expect(one.data).toEqual({
			success: true,
			data: { ...data.data, description: null, attendees: [], meeting_url: null },
		});
		expect((await service.api('GET', path)).data).toEqual({ success: true, data: [data.data] });
	});

	it('keep every setting', async () => {
		const settings = {
			title: 'x'.repeat(255),
			description: 'What it is about',
			status: 'tentative',
			type: 'appointment',
		};
		const id = await add({
			...settings,
			created_by: USER,
			owner_id: USER,
			owner_type: 'agent',
			attendees: [{ name: 'Ann', email: 'ann@example.com' }],
		});
		expect(await shown(id)).toMatchObject({
			...settings,
			attendees: [{ id: expect.any(String), name: 'Ann', email: 'ann@example.com' }],
		});
	});

	it.each([
		['2026-01-05T09:00:00Z', '2026-01-05T09:00:00Z'],
		['2026-01-05T09:00:00.987Z', '2026-01-05T09:00:00Z'],
		['2026-01-05T09:00:00+05:30', '2026-01-05T03:30:00Z'],
		['2026-01-05T01:00-0800', '2026-01-05T09:00:00Z'],
		['2026-01-05T09:00:00', '2026-01-05T09:00:00Z'],
		['2026-01-05', '2026-01-05T00:00:00Z'],
	])('take %s for %s', async (start_at, expected) => {
		expect(await shown(await add({ start_at }))).toMatchObject({ start_at: expected });
	});

	it.each<[string, unknown, string?]>([
		['title', undefined],
		['title', ''],
		['title', 'x'.repeat(256)],
		['start_at', undefined],
		['start_at', 'tomorrow'],
		['start_at', '2026-02-30T09:00:00Z'],
		['start_at', '2026-01-05 09:00:00'],
		['start_at', '2026-01-05T09:00:00 02:00'],
		['start_at', '2026-01-05T25:00:00Z'],
		['start_at', 1_767_603_600],
		['end_at', undefined],
		['end_at', '09:00'],
		['end_at', '2026-01-05T09:00:00Z'],
		['end_at', '2026-01-05T10:00:00+02:00'],
		['description', 1],
		['status', 'maybe'],
		['type', ''],
		['created_by', 'me'],
		['owner_id', 'me'],
		['owner_id', USER, 'owner_type'],
		['owner_type', 'agent', 'owner_id'],
		['owner_type', 'team'],
		['attendees', {}],
		['attendees', [{ name: 'Ann' }], 'attendees.0.email'],
		['attendees', [{ name: 'Ann', email: 'ann' }], 'attendees.0.email'],
		['attendees', [{ email: 'ann@example.com' }], 'attendees.0.name'],
	])('are refused with %s %j, on creation and on update', async (field, value, key = field) => {
		const { status, data } = await service.api('POST', path, { ...minimal, [field]: value });
		expect([status, data.success, Object.keys(data.errors)]).toEqual([422, false, [key]]);
		if (value === undefined) {
			return;
		}
		const before = await shown(await add());
		const update = await service.api('PUT', `${path}/${asText(before.id)}`, { [field]: value });
		expect([update.status, Object.keys(update.data.errors)]).toEqual([422, [key]]);
		expect(await shown(asText(before.id))).toEqual(before);
	});

	it('change only in the fields that an update sends; an attendee who stays keeps the id', async () => {
		const id = await add({ type: 'block', attendees: [{ name: 'Ann', email: 'ann@example.com' }] });
		const before = await shown(id);
		const { status, data } = await service.api('PUT', `${path}/${id}`, { status: 'cancelled' });
		expect([status, data]).toEqual([
			200,
			{ success: true, data: { id, status: 'cancelled', updated_at: expect.any(String) } },
		]);
		expect(await shown(id)).toEqual({ ...before, status: 'cancelled' });
		const attendees = [
			{ name: 'Bo', email: 'bo@example.com' },
			{ name: 'Ann B.', email: 'ann@example.com' },
		];
		await service.api('PUT', `${path}/${id}`, { end_at: '2026-01-05T09:30:00Z', type: null, attendees });
		const ann = asList(before.attendees)[0]!.id;
		expect(await shown(id)).toEqual({
			...before,
			status: 'cancelled',
			type: null,
			end_at: '2026-01-05T09:30:00Z',
			attendees: [
				{ ...attendees[0], id: expect.any(String) },
				{ ...attendees[1], id: ann },
			],
		});
		expect((await service.api('PUT', `${path}/${id}`, { start_at: '2026-01-05T09:30:00Z' })).status).toBe(422);
	});

	it('may overlap', async () => {
		await add();
		await add();
		expect((await service.api('GET', path)).data.data).toHaveLength(2);
	});

	it('do not exist after deletion', async () => {
		const id = await add();
		const { status, data } = await service.api('DELETE', `${path}/${id}`);
		expect([status, data]).toEqual([200, { success: true, message: expect.any(String) }]);
		expect((await service.api('DELETE', `${path}/${id}`)).data.message).toBe('Event not found.');
	});

	it('belong to one calendar', async () => {
		const id = await add();
		expect((await service.api('GET', `/calendars/${service.seed.calendar}/events/${id}`)).status).toBe(404);
	});

	describe('in lists', () => {
		const titles = async (url: string) =>
			asList((await service.api('GET', url)).data.data).map(({ title }) => asText(title));
		const hour = (from: number) => ({
			start_at: `2026-01-05T${String(from).padStart(2, '0')}:00:00Z`,
			end_at: `2026-01-05T${String(from + 1).padStart(2, '0')}:00:00Z`,
		});
		beforeEach(async () => {
			await add({ title: 'late', ...hour(15), status: 'tentative' });
			await add({ title: 'early', ...hour(9) });
		});

		it('are listed by their start, within an interval, by status', async () => {
			expect(await titles(path)).toEqual(['early', 'late']);
			expect(await titles(`${path}?from=2026-01-05T09:00:00Z`)).toEqual(['early', 'late']);
			expect(await titles(`${path}?from=2026-01-05T09:00:01Z`)).toEqual(['late']);
			expect(await titles(`${path}?to=2026-01-05T16:00:00Z`)).toEqual(['early', 'late']);
			expect(await titles(`${path}?to=2026-01-05T15:59:59Z`)).toEqual(['early']);
			expect(await titles(`${path}?to=2026-01-05T17%3A59%3A59%2B02%3A00`)).toEqual(['early']);
			expect(await titles(`${path}?status=tentative`)).toEqual(['late']);
			expect(await titles(`${path}?status=cancelled`)).toEqual([]);
		});

		it.each(['from=yesterday', 'to=2026-13-01', 'status=maybe'])('refuse %s', async (query) => {
			const { status, data } = await service.api('GET', `${path}?${query}`);
			expect([status, Object.keys(data.errors)]).toEqual([422, [query.split('=')[0]]]);
		});

		it('come from several calendars, without their type', async () => {
			const other = asText((await service.api('POST', '/calendars', { name: 'Hall', owner_id: USER })).data.data.id);
			await add({ title: 'noon', ...hour(12) }, `/calendars/${other}/events`);
			const both = `calendar_ids[]=${calendar}&calendar_ids[]=${other}`;
			expect(await titles(`/calendars/events?${both}`)).toEqual(['early', 'noon', 'late']);
			expect(await titles(`/calendars/events?${encodeURIComponent('calendar_ids[]')}=${other}`)).toEqual(['noon']);
			expect(await titles(`/calendars/events?${both}&from=2026-01-05T10:00:00Z&to=2026-01-05T13:00:00Z`)).toEqual([
				'noon',
			]);
			const { data } = await service.api('GET', `/calendars/events?calendar_ids[]=${other}`);
			expect(data).toEqual({
				success: true,
				data: [{ id: expect.any(String), calendar_id: other, title: 'noon', ...hour(12), status: 'confirmed' }],
			});
		});

		it.each([
			['', 'calendar_ids'],
			['calendar_ids[]=', 'calendar_ids'],
			['calendar_ids=any&calendar_ids=other', 'calendar_ids'],
			['calendar_ids[0]=any', 'calendar_ids'],
			['calendar_ids[]=any&from=x', 'from'],
		])('of several calendars refuse the query "%s"', async (query, field) => {
			const { status, data } = await service.api('GET', `/calendars/events?${query}`);
			expect([status, data.success, Object.keys(data.errors)]).toEqual([422, false, [field]]);
		});

		it('of several calendars have only GET', async () => {
			expect((await service.api('PUT', '/calendars/events', {})).status).toBe(405);
		});
	});

	it('get attendees and lose them', async () => {
		const id = await add();
		const attendees = `${path}/${id}/attendees`;
		const ann = { name: 'Ann', email: 'ann@example.com' };
		const { status, data } = await service.api('POST', attendees, ann);
		expect([status, data]).toEqual([201, { success: true, data: { id: expect.any(String), ...ann } }]);
		expect((await shown(id)).attendees).toEqual([data.data]);
		const removed = await service.api('DELETE', `${attendees}/${asText(data.data.id)}`);
		expect([removed.status, removed.data]).toEqual([200, { success: true, message: expect.any(String) }]);
		expect((await shown(id)).attendees).toEqual([]);
		for (const [field, value] of [
			['name', undefined],
			['name', 'x'.repeat(256)],
			['email', undefined],
			['email', 'ann@'],
			['email', `${'x'.repeat(250)}@example.com`],
		] as const) {
			const refused = await service.api('POST', attendees, { ...ann, [field]: value });
			expect([refused.status, Object.keys(refused.data.errors)]).toEqual([422, [field]]);
		}
	});

	it('get a meeting link if the calendar has a provider, and keep it', async () => {
		const id = await add();
		const create = () => service.api('POST', `${path}/${id}/meeting`);
		const refused = await create();
		expect([refused.status, refused.data]).toEqual([
			422,
			{ success: false, message: expect.any(String), code: 'MEETING_PROVIDER_REQUIRED' },
		]);
		expect((await shown(id)).meeting_url).toBeNull();
		await service.api('PUT', `/calendars/${calendar}`, { metadata: { meeting_provider: 'example' } });
		const { status, data } = await create();
		expect([status, data]).toEqual([
			201,
			{
				success: true,
				data: { event_id: id, meeting_url: expect.stringMatching(/^https:\/\//), meeting_id: expect.any(String) },
			},
		]);
		expect((await shown(id)).meeting_url).toBe(data.data.meeting_url);
		expect((await create()).data).toEqual(data);
		const seeded = `/calendars/${service.seed.calendar}/events/${service.seed.calendarEvent}`;
		expect((await service.api('POST', `${seeded}/meeting`)).status).toBe(201);
	});
});
