import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { expectAllRefused } from '../../refusals.mts';

const USER = '11111111-2222-4333-8444-555555555555';
const OTHER = '99999999-2222-4333-8444-555555555555';

describe('calendars', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(() => service.close());

	const create = (changes: Record<string, unknown> = {}) =>
		service.api('POST', '/calendars', { name: 'Room', owner_id: USER, ...changes });
	const newCalendar = async () => `/calendars/${asText((await create()).data.data.id)}`;
	const shown = async (path: string) => (await service.api('GET', path)).data.data;

	it('are created in UTC with their owner as a member', async () => {
		const { status, data } = await create();
		expect([status, data]).toEqual([
			201,
			{
				success: true,
				data: {
					id: expect.any(String),
					name: 'Room',
					timezone: 'UTC',
					owner_id: USER,
					created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
				},
			},
		]);
		const path = `/calendars/${asText(data.data.id)}`;
		expect(await shown(path)).toEqual({ ...data.data, metadata: {}, updated_at: data.data.created_at });
		expect(asList(await shown('/calendars?per_page=100'))).toContainEqual(data.data);
		expect(await shown(`${path}/members`)).toEqual([
			{
				id: expect.any(String),
				user_id: USER,
				name: 'User 11111111',
				email: 'user-11111111@example.com',
				role: 'owner',
				added_at: data.data.created_at,
			},
		]);
	});

	it('start with three, in zones of their own', async () => {
		const first = asList((await service.api('GET', '/calendars?per_page=3')).data.data);
		expect(first).toMatchObject([
			{ id: service.seed.calendar, timezone: 'UTC', owner_id: service.seed.user },
			{ timezone: 'America/New_York' },
			{ timezone: 'Asia/Kolkata' },
		]);
	});

	it('are listed up to per_page, 25 unless given', async () => {
		for (let index = 0; index < 30; index += 1) {
			await create();
		}
		const answer = await service.api('GET', '/calendars');
		expect(Object.keys(answer.data)).toEqual(['success', 'data']);
		expect(answer.data.data).toHaveLength(25);
		expect(await shown('/calendars?per_page=1')).toHaveLength(1);
		for (const query of ['per_page=0', 'per_page=101', 'per_page=x']) {
			const { status, data } = await service.api('GET', `/calendars?${query}`);
			expect([status, Object.keys(data.errors)]).toEqual([422, ['per_page']]);
		}
	});

	it.each<[string, unknown]>([
		['name', undefined],
		['name', ''],
		['name', 'x'.repeat(256)],
		['owner_id', undefined],
		['owner_id', 'someone'],
		['timezone', 'Mars/Olympus'],
		['timezone', 1],
		['metadata', []],
		['metadata', 'text'],
	])('are refused with %s %j, on creation and on update', async (field, value) => {
		const { status, data } = await create({ [field]: value });
		expect([status, data.success, Object.keys(data.errors)]).toEqual([422, false, [field]]);
		if (value === undefined || field === 'owner_id') {
			return;
		}
		const update = await service.api('PUT', await newCalendar(), { [field]: value });
		expect([update.status, Object.keys(update.data.errors)]).toEqual([422, [field]]);
	});

	it('change only in the fields that an update sends, and keep their owner', async () => {
		const path = await newCalendar();
		const settings = { name: 'x'.repeat(255), timezone: 'Asia/Tokyo', metadata: { floor: 3 } };
		await service.api('PUT', path, settings);
		expect(await shown(path)).toMatchObject({ ...settings, owner_id: USER });
		const { status, data } = await service.api('PUT', path, { name: 'Hall', owner_id: OTHER });
		expect([status, data]).toEqual([
			200,
			{ success: true, data: { id: expect.any(String), name: 'Hall', updated_at: expect.any(String) } },
		]);
		expect(await shown(path)).toMatchObject({ ...settings, name: 'Hall', owner_id: USER });
		await service.api('PUT', path, { metadata: { wing: 'B' } });
		expect((await shown(path)).metadata).toEqual({ wing: 'B' });
	});

	it('are deleted with everything that belongs to them', async () => {
		const path = await newCalendar();
		const times = { start_at: '2026-01-05T09:00:00Z', end_at: '2026-01-05T10:00:00Z' };
		const event = (await service.api('POST', `${path}/events`, { title: 'Talk', ...times })).data.data;
		const { status, data } = await service.api('DELETE', path);
		expect([status, data]).toEqual([200, { success: true, message: expect.any(String) }]);
		for (const rest of ['', '/members', '/events', `/events/${asText(event.id)}`, '/availability-rules']) {
			expect((await service.api('GET', `${path}${rest}`)).data.message).toBe('Calendar not found.');
		}
	});

	describe('have members', () => {
		const add = (path: string, user_id: unknown, role: unknown) =>
			service.api('POST', `${path}/members`, { user_id, role });
		const roles = async (path: string) =>
			asList(await shown(`${path}/members`)).map(({ user_id, role }) => [asText(user_id), asText(role)]);

		it('who are added, get another role, and are removed', async () => {
			const path = await newCalendar();
			const { status, data } = await add(path, OTHER, 'viewer');
			const id = data.data.id;
			expect([status, data]).toEqual([
				201,
				{ success: true, data: { id: expect.any(String), user_id: OTHER, role: 'viewer' } },
			]);
			const one = `${path}/members/${asText(id)}`;
			const changed = await service.api('PUT', one, { role: 'editor' });
			expect([changed.status, changed.data]).toEqual([200, { success: true, data: { id, role: 'editor' } }]);
			expect(await roles(path)).toEqual([
				[USER, 'owner'],
				[OTHER, 'editor'],
			]);
			const removed = await service.api('DELETE', one);
			expect([removed.status, removed.data]).toEqual([200, { success: true, message: expect.any(String) }]);
			expect((await service.api('DELETE', one)).data.message).toBe('Member not found.');
			expect(await roles(path)).toEqual([[USER, 'owner']]);
		});

		it('include one owner, who cannot be removed and changes only when another becomes the owner', async () => {
			const path = await newCalendar();
			const owner = `${path}/members/${asText(asList(await shown(`${path}/members`))[0]!.id)}`;
			const removed = await service.api('DELETE', owner);
			expect([removed.status, removed.data]).toEqual([409, { success: false, message: expect.any(String) }]);
			const lowered = await service.api('PUT', owner, { role: 'viewer' });
			expect([lowered.status, Object.keys(lowered.data.errors)]).toEqual([422, ['role']]);
			expect((await service.api('PUT', owner, { role: 'owner' })).status).toBe(200);

			const other = `${path}/members/${asText((await add(path, OTHER, 'viewer')).data.data.id)}`;
			await service.api('PUT', other, { role: 'owner' });
			expect(await roles(path)).toEqual([
				[USER, 'editor'],
				[OTHER, 'owner'],
			]);
			expect((await shown(path)).owner_id).toBe(OTHER);
			expect((await service.api('DELETE', owner)).status).toBe(200);
		});

		it('can be added as the new owner', async () => {
			const path = await newCalendar();
			expect((await add(path, OTHER, 'owner')).data.data.role).toBe('owner');
			expect(await roles(path)).toEqual([
				[USER, 'editor'],
				[OTHER, 'owner'],
			]);
		});

		it('who are added only once', async () => {
			const { status, data } = await add(await newCalendar(), USER, 'viewer');
			expect([status, data]).toEqual([409, { success: false, message: expect.any(String) }]);
		});

		it.each<[string, unknown]>([
			['user_id', undefined],
			['user_id', 'someone'],
			['role', undefined],
			['role', 'admin'],
		])('who are refused with %s %j', async (field, value) => {
			const path = await newCalendar();
			const body = { user_id: OTHER, role: 'viewer', [field]: value };
			const { status, data } = await service.api('POST', `${path}/members`, body);
			expect([status, data.success, Object.keys(data.errors)]).toEqual([422, false, [field]]);
			if (field !== 'role') {
				return;
			}
			const owner = asText(asList(await shown(`${path}/members`))[0]!.id);
			const update = await service.api('PUT', `${path}/members/${owner}`, { role: value });
			expect([update.status, Object.keys(update.data.errors)]).toEqual([422, ['role']]);
		});
	});

	it('refuse wrong tokens, and what does not exist', async () => {
		const none = `/calendars/${OTHER}`;
		const own = `/calendars/${service.seed.calendar}`;
		const event = `/events/${service.seed.calendarEvent}`;
		const missing = (what: string, path: string, ...methods: string[]) =>
			methods.map((method): [string, string, string] => [method, path, `${what} not found.`]);
		const routes: Array<[string, string, string?]> = [
			['GET', '/calendars'],
			['POST', '/calendars'],
			['GET', '/calendars/events'],
			...missing('Calendar', none, 'GET', 'PUT', 'DELETE'),
			...missing('Calendar', `/calendars/events?calendar_ids[]=${OTHER}`, 'GET'),
			...missing('Calendar', `${none}/availability`, 'GET'),
			...['members', 'events', 'availability-rules'].flatMap((part) => [
				...missing('Calendar', `${none}/${part}`, 'GET', 'POST'),
				...missing('Calendar', `${none}/${part}/${OTHER}`, 'PUT', 'DELETE'),
			]),
			...missing('Calendar', `${none}${event}`, 'GET', 'PUT', 'DELETE'),
			...missing('Calendar', `${none}${event}/meeting`, 'POST'),
			...missing('Calendar', `${none}${event}/attendees`, 'POST'),
			...missing('Calendar', `${none}${event}/attendees/${OTHER}`, 'DELETE'),
			...missing('Member', `${own}/members/${OTHER}`, 'PUT', 'DELETE'),
			...missing('Event', `${own}/events/${OTHER}`, 'GET', 'PUT', 'DELETE'),
			...missing('Event', `${own}/events/${OTHER}/meeting`, 'POST'),
			...missing('Event', `${own}/events/${OTHER}/attendees`, 'POST'),
			...missing('Event', `${own}/events/${OTHER}/attendees/${OTHER}`, 'DELETE'),
			...missing('Attendee', `${own}${event}/attendees/${OTHER}`, 'DELETE'),
			...missing('Availability rule', `${own}/availability-rules/${OTHER}`, 'PUT', 'DELETE'),
		];
		const error = { code: 'INVALID_API_KEY', message: expect.any(String), details: {} };
		await expectAllRefused(service, routes, { success: false, error });
	});
});
