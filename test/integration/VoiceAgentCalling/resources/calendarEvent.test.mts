import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const operation = (name: string, more = {}) => ({
	resource: 'calendarEvent',
	operation: name,
	calendar: byId(service.seed.calendar),
	calendarEvent: byId('={{ $json.id }}'),
	...more,
});
const path = (rest = '') => `calendars/${service.seed.calendar}/events${rest}`;
const events = async () =>
	(await service.api('GET', path())).body.data as Array<{ id: string; title: string; status: string }>;
const stored = async (id: unknown) =>
	(await service.api('GET', path(`/${String(id)}`))).body.data as { attendees: Array<{ id: string; name: string }> };
const message = (text: string) => ({ message: expect.stringContaining(text) });

describe('Calendar Event, Create', () => {
	const create = (more = {}) =>
		operation('create', {
			calendar: byId('={{ $json.calendar }}'),
			title: 'Visit',
			start: '={{ $json.start }}',
			end: '={{ $json.end }}',
			...more,
		});
	const start = '2031-07-07T09:00:00+02:00';
	const end = '2031-07-07T08:00:00Z';

	test('sends only what was set, and checks that the end is after the start', async () => {
		const { calendar } = service.seed;
		const items = [
			{ calendar, start, end },
			{ calendar: nobody, start, end },
			{ calendar, start, end: '2031-07-07T07:00:00Z' },
			{ calendar, start: 'tomorrow', end },
			{ calendar, start: '', end },
			{ calendar, start: '2031-07-07T07:30:00Z', end },
		];
		const sent = await expectItems(service, create(), items, [
			{ calendar_id: calendar, title: 'Visit', start_at: '2031-07-07T07:00:00Z', end_at: end, status: 'confirmed' },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT', message("'End' is not after 'Start'")),
			failed('INVALID_INPUT', message('\'Start\' cannot be "tomorrow"')),
			failed('INVALID_INPUT', message("'Start' is empty")),
			{ start_at: '2031-07-07T07:30:00Z' },
		]);
		expect(sent).toEqualInAnyOrder(
			[items[0], items[1], items[5]].map((item) => [
				'POST',
				`calendars/${item?.calendar}/events`,
				{ title: 'Visit', start_at: item?.start, end_at: item?.end },
			]),
		);
	});

	test('sends all options', async () => {
		const { user } = service.seed;
		const attendees = {
			values: [
				{ name: 'Ada', email: 'ada@example.com' },
				{ name: '={{ 7 }}', email: ' bo@example.com ' },
			],
		};
		const options = {
			attendees,
			createdBy: user,
			description: 'In the\nnew office',
			eventType: 'appointment',
			ownerId: nobody,
			ownerType: 'agent',
			status: 'tentative',
		};
		const [[, , body]] = await expectItems(
			service,
			create({ options }),
			[{ calendar: service.seed.calendar, start, end }],
			[{ status: 'tentative', type: 'appointment' }],
		);
		expect(body).toEqual({
			title: 'Visit',
			start_at: start,
			end_at: end,
			attendees: [
				{ name: 'Ada', email: 'ada@example.com' },
				{ name: '7', email: 'bo@example.com' },
			],
			created_by: user,
			description: 'In the\nnew office',
			type: 'appointment',
			owner_id: nobody,
			owner_type: 'agent',
			status: 'tentative',
		});
	});

	test.each([
		['an owner without its type', { ownerId: nobody }, "'Owner ID' and 'Owner Type' go together"],
		['an owner type without an owner', { ownerType: 'user' }, "'Owner ID' and 'Owner Type' go together"],
		['a name instead of an ID', { createdBy: 'Ada' }, '\'Created By\' cannot be "Ada"'],
		['an invalid email address', { attendees: { values: [{ name: 'Ada', email: 'ada' }] } }, 'Attendee 1, Email'],
		[
			'an attendee without a name',
			{ attendees: { values: [{ name: '', email: 'ada@example.com' }] } },
			'Attendee 1, Name',
		],
		['an invalid status', { status: 'maybe' }, 'confirmed, tentative'],
	])('rejects %s without a request', async (_what, options, text) => {
		const items = [{ calendar: service.seed.calendar, start, end }];
		expect(await expectItems(service, create({ options }), items, [failed('INVALID_INPUT', message(text))])).toEqual(
			[],
		);
	});

	describe('with Check Slot', () => {
		const checked = (more = {}) => create({ options: { checkSlot: true, ...more } });
		const at = (from: string, to: string) => ({
			calendar: service.seed.calendar,
			start: `2031-07-07T${from}:00Z`,
			end: `2031-07-07T${to}:00Z`,
		});
		const book = async (from: string, to: string, more = {}) =>
			await service.api('POST', path(), {
				title: 'Dentist',
				start_at: `2031-07-${from}:00Z`,
				end_at: `2031-07-${to}:00Z`,
				...more,
			});
		const taken = failed('SLOT_TAKEN', message('The slot is taken: "Dentist" is from 2031-07-07T09:00:00Z to'));
		const posts = async () => await service.requests('POST', '/events');

		test('creates no event that overlaps another, and any other', async () => {
			await book('07T09:00', '07T10:00');
			const before = (await posts()).length;
			const slots = [
				at('08:00', '08:30'),
				at('08:45', '09:15'),
				at('09:15', '09:30'),
				at('08:30', '11:00'),
				at('09:59', '10:30'),
				at('10:00', '10:30'),
			];
			await expectItems(service, checked(), slots, [
				{ status: 'confirmed' },
				taken,
				taken,
				failed('SLOT_TAKEN'),
				taken,
				{ status: 'confirmed' },
			]);
			expect((await posts()).length).toBe(before + 2);
		});

		test('tells what to do next', async () => {
			await book('07T09:00', '07T10:00');
			const { run } = await service.run(checked(), [at('09:00', '10:00')]);
			expect(run.error).toMatchObject({ description: expect.stringContaining('Availability → Get Slots') });
		});

		test.each([
			['a tentative event', ['07T09:00', '07T10:00', { status: 'tentative' }], true],
			['a cancelled event', ['07T09:00', '07T10:00', { status: 'cancelled' }], false],
			['an event that began weeks before', ['01T00:00', '07T09:01'], true],
			['an event that goes on for weeks', ['07T09:59', '30T00:00'], true],
		] as const)('respects %s: %j', async (_what, [from, to, more], isTaken) => {
			await book(from, to, more);
			await expectItems(
				service,
				checked(),
				[at('09:00', '10:00')],
				[isTaken ? failed('SLOT_TAKEN') : { title: 'Visit' }],
			);
		});

		test('finds an event on a later page', async () => {
			const page = (current_page: number, start_at: string, end_at: string) => ({
				success: true,
				data: [{ id: `e${current_page}`, title: 'Dentist', start_at, end_at, status: 'confirmed' }],
				pagination: { current_page, last_page: 2, per_page: 1, total: 2 },
			});
			for (const body of [
				page(1, '2031-07-01T09:00:00Z', '2031-07-01T10:00:00Z'),
				page(2, '2031-07-07T09:00:00Z', '2031-07-07T10:00:00Z'),
			]) {
				const match = { method: 'GET', path: `/api/v1/${path()}` };
				await service.fault({ match, kind: 'status', status: 200, body });
			}
			await expectItems(service, checked(), [at('09:30', '10:30')], [taken]);
			expect(await posts()).toEqual([]);
		});

		test('books one slot once in a run, for the first item that asks for it', async () => {
			const slots = Array.from({ length: 12 }, (_, index) =>
				index % 3 === 0 ? at('09:00', '10:00') : index % 3 === 1 ? at('09:30', '10:30') : at('11:00', '11:30'),
			);
			const { outputs } = await service.run(checked(), slots, {
				node: { onError: 'continueRegularOutput' },
			});
			expect(outputs[0]?.map(({ json }) => json.code ?? json.status)).toEqual(
				slots.map((_, index) => (index === 0 || index === 2 ? 'confirmed' : 'SLOT_TAKEN')),
			);
			expect(await posts()).toHaveLength(2);
		});

		test('books one slot once, also where the list of events does not have the new event yet', async () => {
			const list = { method: 'GET', path: `/api/v1/${path()}` };
			await service.fault({ match: list, kind: 'status', status: 200, body: { success: true, data: [] }, times: 3 });
			const slots = [at('09:00', '10:00'), at('09:00', '10:00'), at('10:00', '11:00')];
			await expectItems(service, checked(), slots, [{ title: 'Visit' }, failed('SLOT_TAKEN'), { title: 'Visit' }]);
		});

		test('gives a slot to the next item if the service refused the first, but not if its outcome is unknown', async () => {
			const items = [at('09:00', '10:00'), at('09:00', '10:00'), at('09:00', '10:00')];
			const match = { method: 'POST', path: `/api/v1/${path()}` };
			await service.fault({ match, kind: 'status', status: 422, times: 1 });
			await expectItems(service, checked(), items, [
				failed('VALIDATION_ERROR'),
				{ status: 'confirmed' },
				failed('SLOT_TAKEN'),
			]);
			await service.reset();
			await service.fault({ match, kind: 'drop-before', times: 1 });
			const { outputs } = await service.run(checked(), items, { node: { onError: 'continueRegularOutput' } });
			expect(outputs[0]?.map(({ json }) => json.code)).toEqual(['OUTCOME_UNKNOWN', 'SLOT_TAKEN', 'SLOT_TAKEN']);
		});

		test('does not take its own event of an earlier try for another', async () => {
			const items = [at('09:00', '10:00'), at('10:00', '11:00'), at('11:00', '12:00')];
			const match = { method: 'POST', path: `/api/v1/${path()}` };
			await service.fault({ match, kind: 'latency', ms: 1, times: 1 });
			await service.fault({ match, kind: 'status', status: 422, times: 1 });
			const { run, outputs } = await service.run(checked(), items, {
				node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
			});
			expect(run.error).toBeUndefined();
			expect(outputs[0]).toMatchObject(
				items.map((_, item) => ({ json: { id: expect.any(String) }, pairedItem: { item } })),
			);
			const sent = (await posts()).map(({ body, status }) => [(body as { start_at: string }).start_at, status]);
			expect(sent).toEqual([
				[items[0]?.start, 201],
				[items[1]?.start, 422],
				[items[1]?.start, 201],
				[items[2]?.start, 201],
			]);
		});

		test('reads nothing for an event that does not take place', async () => {
			await book('07T09:00', '07T10:00');
			const sent = await expectItems(
				service,
				checked({ status: 'cancelled' }),
				[at('09:00', '10:00')],
				[{ status: 'cancelled' }],
			);
			expect(sent.map(([method]) => method)).toEqual(['POST']);
		});
	});

	test('reads a time without an offset in the time zone of the workflow, also around clock changes', async () => {
		const times = [
			['2031-07-07T09:00', '2031-07-07T10:00:00', '2031-07-07T09:00:00+02:00', '2031-07-07T10:00:00+02:00'],
			['2031-01-07 09:00', '2031-01-07T09:30:00.000', '2031-01-07T09:00:00+01:00', '2031-01-07T09:30:00+01:00'],
			['2031-10-26T01:30', '2031-10-26T03:30', '2031-10-26T01:30:00+02:00', '2031-10-26T03:30:00+01:00'],
		];
		const items = times.map(([start, end]) => ({ calendar: service.seed.calendar, start, end }));
		const { run } = await service.run(create(), items, { timezone: 'Europe/Berlin' });
		expect(run.status).toBe('success');
		const bodies = (await service.requests('POST')).map(({ body }) => body);
		expect(bodies).toMatchObject(times.map(([, , start_at, end_at]) => ({ start_at, end_at })));
	});
});

describe('Calendar Event', () => {
	test('Get reads the event of each item with its attendees', async () => {
		const [first, second] = await events();
		const items = [{ id: first?.id }, { id: nobody }, { id: '..' }, { id: second?.id }];
		const sent = await expectItems(service, operation('get'), items, [
			{ id: first?.id, attendees: [{ email: 'dana@example.com' }], meeting_url: null },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT'),
			{ id: second?.id, attendees: [] },
		]);
		expect(sent).toEqualInAnyOrder([first, { id: nobody }, second].map((event) => ['GET', path(`/${event?.id}`)]));
	});

	test('Get Many lists the events of one calendar with the filters', async () => {
		const filters = { from: '2020-01-01T00:00:00Z', to: '={{ $json.to }}', status: '={{ $json.status }}' };
		const to = '2099-01-01T00:00:00Z';
		const parameters = operation('getAll', { filters, calendar: byId('={{ $json.calendar }}') });
		const { calendar } = service.seed;
		const items = [
			{ calendar, to, status: 'tentative' },
			{ calendar: nobody, to, status: 'tentative' },
			{ calendar, to: '2019-01-01T00:00:00Z', status: 'tentative' },
			{ calendar, to, status: 'confirmed' },
		];
		const { outputs } = await service.run(parameters, items, { node: { onError: 'continueRegularOutput' } });
		const all = await events();
		const tentative = all.filter(({ status }) => status === 'tentative');
		expect(tentative).toHaveLength(1);
		expect(outputs[0]).toEqual([
			...tentative.map((json) => ({ json, pairedItem: { item: 0 } })),
			{ json: expect.objectContaining(failed('NOT_FOUND')), pairedItem: { item: 1 } },
			{
				json: expect.objectContaining(failed('INVALID_INPUT', message("'To' is not after 'From'"))),
				pairedItem: { item: 2 },
			},
			...all.filter(({ status }) => status === 'confirmed').map((json) => ({ json, pairedItem: { item: 3 } })),
		]);
		const range = { from: filters.from, to };
		expect(
			(await service.requests('GET')).slice(0, 3).map((request) => [request.path, request.query]),
		).toEqualInAnyOrder([
			[`/api/v1/calendars/${calendar}/events`, { ...range, status: 'tentative' }],
			[`/api/v1/calendars/${nobody}/events`, { ...range, status: 'tentative' }],
			[`/api/v1/calendars/${calendar}/events`, { ...range, status: 'confirmed' }],
		]);
	});

	test('Get Many lists the events of several calendars with one request', async () => {
		const { body } = await service.api('GET', 'calendars');
		const ids = (body.data as Array<{ id: string }>).map(({ id }) => id);
		const parameters = operation('getAll', {
			eventsOf: 'several',
			calendars: '={{ $json.ids }}',
			returnAll: true,
			filters: { status: 'cancelled', to: '2099-01-01T00:00:00Z' },
		});
		const lists = [ids, [ids[1]], [], [nobody], ids.slice(0, 2).join(', ')];
		const { outputs } = await service.run(
			parameters,
			lists.map((ids) => ({ ids })),
			{ node: { onError: 'continueRegularOutput' } },
		);
		const from = (item: number) =>
			outputs[0]?.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item).map(({ json }) => json) ??
			[];
		expect(new Set(from(0).map(({ calendar_id }) => calendar_id))).toEqual(new Set(ids.slice(0, 2)));
		expect(from(0)).toHaveLength(4);
		expect(from(1)).toMatchObject([{ calendar_id: ids[1] }]);
		expect(from(2)).toMatchObject([failed('INVALID_INPUT', message("'Calendar Names or IDs'"))]);
		expect(from(3)).toMatchObject([failed('NOT_FOUND')]);
		expect(from(4)).toEqual(from(0));
		const requests = await service.requests('GET', '/calendars/events');
		const common = { to: '2099-01-01T00:00:00Z' };
		expect(requests.map(({ query }) => query)).toEqualInAnyOrder(
			[ids, ids[1], nobody, ids.slice(0, 2)].map((sent) => ({ ...common, 'calendar_ids[]': sent })),
		);
	});

	test('Update sends only what was added', async () => {
		const update = (updateFields: object) => operation('update', { updateFields });
		const id = service.seed.calendarEvent;
		const items = [
			{ id, status: 'cancelled' },
			{ id: nobody, status: 'cancelled' },
			{ id, status: '' },
			{ id, status: 'tentative' },
		];
		const sent = await expectItems(service, update({ status: '={{ $json.status }}' }), items, [
			{ id, status: 'cancelled', updated_at: expect.any(String) },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT', message("'Status' is empty")),
			{ id, status: 'tentative' },
		]);
		expect(sent).toEqualInAnyOrder(
			[items[0], items[1], items[3]].map((item) => ['PUT', path(`/${item?.id}`), { status: item?.status }]),
		);
		const moved = {
			start: '2031-07-07T09:00:00Z',
			end: '2031-07-07T10:00:00Z',
			title: 'Moved',
			description: 'Later',
			attendees: {},
		};
		const [[, , body]] = await expectItems(service, update(moved), [{ id }], [{ id }]);
		expect(body).toEqual({
			start_at: moved.start,
			end_at: moved.end,
			title: 'Moved',
			description: 'Later',
			attendees: [],
		});
		expect(await stored(id)).toMatchObject({ title: 'Moved', start_at: moved.start, attendees: [], type: 'meeting' });
	});

	test('Update checks start and end if both are set; otherwise the service does', async () => {
		const update = (updateFields: object) => operation('update', { updateFields });
		const [start, end] = ['2031-07-07T10:00:00Z', '2031-07-07T10:00:00Z'];
		const items = [{ id: service.seed.calendarEvent }];
		expect(
			await expectItems(service, update({ start, end }), items, [
				failed('INVALID_INPUT', message("'End' is not after 'Start'")),
			]),
		).toEqual([]);
		const sent = await expectItems(service, update({ start }), items, [
			failed('VALIDATION_ERROR', { httpStatus: 422 }),
		]);
		expect(sent).toHaveLength(1);
		expect(
			await expectItems(service, update({}), items, [failed('INVALID_INPUT', message('nothing to update'))]),
		).toEqual([]);
	});

	test('Delete removes the event', async () => {
		const [first, second, third] = await events();
		const items = [{ id: first?.id }, { id: nobody }, { id: '' }, { id: second?.id }];
		const sent = await expectItems(service, operation('delete'), items, [
			{ deleted: true },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT'),
			{ deleted: true },
		]);
		expect(sent).toEqualInAnyOrder([first?.id, nobody, second?.id].map((id) => ['DELETE', path(`/${id}`)]));
		expect(await events()).toEqual([third]);
	});

	test('Create Meeting creates a link, or reports that the calendar needs a provider', async () => {
		const { body } = await service.api('GET', 'calendars');
		const other = (body.data as Array<{ id: string }>)[1]?.id;
		const elsewhere = (await service.api('GET', `calendars/${other}/events`)).body.data as Array<{ id: string }>;
		const { calendar, calendarEvent } = service.seed;
		const items = [
			{ calendar, id: calendarEvent },
			{ calendar: other, id: elsewhere[0]?.id },
			{ calendar, id: '' },
			{ calendar, id: (await events())[1]?.id },
		];
		const sent = await expectItems(
			service,
			operation('createMeeting', { calendar: byId('={{ $json.calendar }}') }),
			items,
			[
				{ event_id: calendarEvent, meeting_url: expect.stringMatching(/^https:/), meeting_id: expect.any(String) },
				failed('MEETING_PROVIDER_REQUIRED', message('dashboard')),
				failed('INVALID_INPUT'),
				{ event_id: items[3]?.id },
			],
		);
		expect(sent).toEqualInAnyOrder(
			[items[0], items[1], items[3]].map((item) => ['POST', `calendars/${item?.calendar}/events/${item?.id}/meeting`]),
		);
		expect(await stored(calendarEvent)).toMatchObject({ meeting_url: expect.stringMatching(/^https:/) });
	});

	test('Create Meeting is not retried when the response is lost, since that could create a second one', async () => {
		await service.fault({ match: { method: 'POST' }, kind: 'drop-after' });
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { run } = await service.run(operation('createMeeting'), [{ id: service.seed.calendarEvent }], { node });
		expect(run.error?.message).toContain('Outcome unknown');
		expect(await service.requests('POST', '/meeting')).toHaveLength(1);
	});

	test('Add Attendee and Remove Attendee change one person at a time', async () => {
		const id = service.seed.calendarEvent;
		const people = [
			{ id, name: 'Ada', email: 'ada@example.com' },
			{ id: nobody, name: 'Bo', email: 'bo@example.com' },
			{ id, name: 'Cy', email: 'cy@' },
			{ id, name: '', email: 'di@example.com' },
			{ id, name: 'Eve', email: 'eve@example.com' },
		];
		const add = operation('addAttendee', { attendeeName: '={{ $json.name }}', attendeeEmail: '={{ $json.email }}' });
		const added = await expectItems(service, add, people, [
			{ id: expect.any(String), name: 'Ada', email: 'ada@example.com' },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT', message('\'Attendee Email\' cannot be "cy@"')),
			failed('INVALID_INPUT', message("'Attendee Name' is empty")),
			{ name: 'Eve' },
		]);
		expect(added).toEqual(
			[people[0], people[1], people[4]].map((one) => [
				'POST',
				path(`/${one?.id}/attendees`),
				{ name: one?.name, email: one?.email },
			]),
		);

		const [dana, ada, eve] = (await stored(id)).attendees;
		const removals = [{ attendee: dana?.id }, { attendee: nobody }, { attendee: '' }, { attendee: eve?.id }];
		const remove = operation('removeAttendee', {
			calendarEvent: byId(id),
			eventAttendee: byId('={{ $json.attendee }}'),
		});
		const removed = await expectItems(service, remove, removals, [
			{ deleted: true },
			failed('NOT_FOUND'),
			failed('INVALID_INPUT'),
			{ deleted: true },
		]);
		expect(removed).toEqual(
			[dana?.id, nobody, eve?.id].map((attendee) => ['DELETE', path(`/${id}/attendees/${attendee}`)]),
		);
		expect((await stored(id)).attendees).toEqual([ada]);
	});
});
