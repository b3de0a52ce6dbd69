import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const operation = (name: string, more = {}) => ({
	resource: 'calendar',
	operation: name,
	calendar: byId('={{ $json.id }}'),
	...more,
});
const calendars = async () => (await service.api('GET', 'calendars')).body.data as Array<{ id: string; name: string }>;
const stored = async (id: unknown) => (await service.api('GET', `calendars/${String(id)}`)).body.data;

describe('Calendar', () => {
	test('Create sends only what was set', async () => {
		const parameters = operation('create', { name: '={{ $json.name }}', owner: byId('={{ $json.owner }}') });
		const { user } = service.seed;
		const items = [
			{ name: 'Visits', owner: user },
			{ name: 'Nobody', owner: 'ada@example.com' },
			{ name: 42, owner: ` ${user} ` },
			{ name: '', owner: user },
		];
		const sent = await expectItems(service, parameters, items, [
			{ name: 'Visits', owner_id: user, timezone: 'UTC' },
			failed('INVALID_INPUT', { message: expect.stringContaining('\'Owner\' cannot be "ada@example.com"') }),
			{ name: '42', owner_id: user },
			failed('INVALID_INPUT', { message: expect.stringContaining("'Name' is empty") }),
		]);
		expect(sent).toEqualInAnyOrder(['Visits', '42'].map((name) => ['POST', 'calendars', { name, owner_id: user }]));
	});

	test('Create sends the time zone, and metadata from fields or JSON', async () => {
		const metadata = [
			{
				metadataFields: {
					values: [
						{ name: 'crm', value: '={{ $json.id }}' },
						{ name: '', value: '' },
					],
				},
			},
			{ metadataJson: '{"crm": {"id": 7}}' },
			{ metadataFields: { values: [{ name: 'crm', value: 'hidden' }] }, metadataJson: '={{ { "crm": { "id": 7 } } }}' },
		];
		for (const options of metadata) {
			const parameters = operation('create', {
				name: 'Visits',
				owner: byId(service.seed.user),
				options: { ...options, timezone: 'Europe/Berlin' },
			});
			const [[, , body]] = await expectItems(service, parameters, [{ id: '7' }], [{ timezone: 'Europe/Berlin' }]);
			const crm = 'metadataJson' in options ? { id: 7 } : '7';
			expect(body).toEqual({
				name: 'Visits',
				owner_id: service.seed.user,
				timezone: 'Europe/Berlin',
				metadata: { crm },
			});
		}
		const parameters = operation('create', {
			name: 'Visits',
			owner: byId(service.seed.user),
			options: { timezone: 'Mars/Base', metadataJson: '{}' },
		});
		expect(
			await expectItems(
				service,
				parameters,
				[{}],
				[
					failed('INVALID_INPUT', {
						message: expect.stringContaining('\'Time Zone Name or ID\' cannot be "Mars/Base"'),
					}),
				],
			),
		).toEqual([]);
	});

	test('Get reads the calendar of each item', async () => {
		const items = [{ id: service.seed.calendar }, { id: nobody }, { id: '' }, { id: (await calendars())[1]?.id }];
		const sent = await expectItems(service, operation('get'), items, [
			{
				id: service.seed.calendar,
				timezone: 'UTC',
				owner_id: service.seed.user,
				metadata: expect.any(Object),
				updated_at: expect.any(String),
			},
			failed('NOT_FOUND', { httpStatus: 404 }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Calendar' is empty") }),
			{ id: items[3]?.id },
		]);
		expect(sent).toEqualInAnyOrder([0, 1, 3].map((index) => ['GET', `calendars/${items[index]?.id}`]));
	});

	test('Get Many lists the calendars, and warns if the service may have more', async () => {
		const all = operation('getAll', { returnAll: true });
		const { outputs, run } = await service.run(all, [{}, {}, {}]);
		const own = outputs[0]?.filter(({ pairedItem }) => (pairedItem as { item: number }).item === 1);
		expect(own?.map(({ json }) => json)).toEqual(await calendars());
		expect(JSON.stringify(run.stored)).not.toContain('no further page');
		expect((await service.run(operation('getAll', { limit: 2 }))).outputs[0]).toHaveLength(2);
		expect((await service.requests('GET', '/calendars')).at(-1)?.query).toMatchObject({ per_page: '2' });
		for (let index = 0; index < 100; index++) {
			await service.api('POST', 'calendars', { name: `Calendar ${index}`, owner_id: service.seed.user });
		}
		const full = await service.run(all);
		expect(full.outputs[0]).toHaveLength(100);
		expect(JSON.stringify(full.run.stored)).toContain('only a part of this list, and no further page');
	});

	test('Update sends only what was added; metadata replaces the current metadata', async () => {
		const update = (updateFields: object) => operation('update', { updateFields });
		const id = service.seed.calendar;
		const items = [
			{ id, name: 'Renamed' },
			{ id: nobody, name: 'Renamed' },
			{ id, name: '' },
			{ id, name: 'x'.repeat(256) },
		];
		const sent = await expectItems(service, update({ name: '={{ $json.name }}' }), items, [
			{ id, name: 'Renamed', updated_at: expect.any(String) },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Name' is empty") }),
			failed('INVALID_INPUT', { message: expect.stringContaining('255 characters at most') }),
		]);
		expect(sent).toEqualInAnyOrder([id, nobody].map((one) => ['PUT', `calendars/${one}`, { name: 'Renamed' }]));
		const changed = await expectItems(
			service,
			update({ metadataJson: '{"a": 1}', timezone: 'Asia/Kolkata' }),
			[{ id }],
			[{ id }],
		);
		expect(changed).toEqual([['PUT', `calendars/${id}`, { metadata: { a: 1 }, timezone: 'Asia/Kolkata' }]]);
		expect(await stored(id)).toMatchObject({ name: 'Renamed', timezone: 'Asia/Kolkata', metadata: { a: 1 } });
		await expectItems(service, update({ metadataFields: {} }), [{ id }], [{ id }]);
		expect(await stored(id)).toMatchObject({ metadata: {} });
		const nothing = await expectItems(
			service,
			update({}),
			[{ id }],
			[failed('INVALID_INPUT', { message: expect.stringContaining('nothing to update') })],
		);
		expect(nothing).toEqual([]);
	});

	test('Delete removes a calendar with everything in it', async () => {
		const [first, second] = await calendars();
		const items = [{ id: first?.id }, { id: nobody }, { id: '..' }, { id: second?.id }];
		const sent = await expectItems(service, operation('delete'), items, [
			{ deleted: true },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT'),
			{ deleted: true },
		]);
		expect(sent).toEqualInAnyOrder([first?.id, nobody, second?.id].map((id) => ['DELETE', `calendars/${id}`]));
		expect((await calendars()).map(({ id }) => id)).not.toContain(first?.id);
		expect((await service.api('GET', `calendars/${first?.id}/events`)).status).toBe(404);
	});
});
