import { harness } from '../../harness.mts';
import { actionNode, byId, goesOn, retried, until, useService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

const service = useService();

const create = (options = {}) => ({
	resource: 'calendarEvent',
	operation: 'create',
	calendar: byId(service.seed.calendar),
	title: 'Visit',
	start: '={{ $json.start }}',
	end: '={{ $json.end }}',
	options,
});
const path = () => `calendars/${service.seed.calendar}/events`;
const posts = async () => await service.requests('POST', '/events');

describe('Create with Check Slot', () => {
	const checked = () => create({ checkSlot: true });
	const at = (from: string, to: string) => ({ start: `2031-07-07T${from}:00Z`, end: `2031-07-07T${to}:00Z` });
	const book = async (from: string, to: string, more = {}) => {
		const times = { start_at: `2031-07-${from}:00Z`, end_at: `2031-07-${to}:00Z` };
		await service.api('POST', path(), { title: 'Dentist', ...times, ...more });
	};
	const [taken, made] = [failed('SLOT_TAKEN'), { status: 'confirmed' }];

	test('creates no event that overlaps another, and any other', async () => {
		await book('07T09:00', '07T10:00');
		const before = (await posts()).length;
		const free = [at('08:00', '08:30'), at('10:00', '10:30')];
		const overlapping = [at('08:45', '09:15'), at('09:15', '09:30'), at('08:30', '11:00'), at('09:59', '10:30')];
		await expectItems(service, checked(), [...free, ...overlapping], [made, made, taken, taken, taken, taken]);
		expect((await posts()).length).toBe(before + 2);
	});

	test.each([
		['a tentative event', ['07T09:00', '07T10:00', { status: 'tentative' }], taken],
		['a cancelled event', ['07T09:00', '07T10:00', { status: 'cancelled' }], made],
		['an event that began weeks before', ['01T00:00', '07T09:01'], taken],
		['an event that goes on for weeks', ['07T09:59', '30T00:00'], taken],
	] as const)('respects %s: %j', async (_what, [from, to, more], result) => {
		await book(from, to, more);
		await expectItems(service, checked(), [at('09:00', '10:00')], [result]);
	});

	test('finds an event on a later page', async () => {
		for (const current_page of [1, 2]) {
			const day = `2031-07-0${current_page === 1 ? 1 : 7}`;
			const times = { start_at: `${day}T09:00:00Z`, end_at: `${day}T10:00:00Z` };
			const data = [{ id: `e${current_page}`, title: 'Dentist', status: 'confirmed', ...times }];
			const body = { success: true, data, pagination: { current_page, last_page: 2, per_page: 1, total: 2 } };
			await service.answer(`GET ${path()}`, 200, body);
		}
		await expectItems(service, checked(), [at('09:30', '10:30')], [taken]);
		expect(await posts()).toEqual([]);
	});

	test('books one slot once, also where the list of events does not have the new event yet', async () => {
		await service.answer(`GET ${path()}`, 200, { success: true, data: [] }, 3);
		const slots = [at('09:00', '10:00'), at('09:00', '10:00'), at('10:00', '11:00')];
		await expectItems(service, checked(), slots, [made, taken, made]);
	});

	test('books one slot once, also where executions book it at the same moment', async () => {
		await service.fault({ match: { method: 'GET', path: `/api/v1/${path()}` }, kind: 'latency', ms: 300, times: 3 });
		const executions = [1, 2, 3].map(() => service.run(checked(), [at('09:00', '10:00')], { node: goesOn }));
		const codes = (await Promise.all(executions)).map(({ outputs }) => outputs[0]?.[0]?.json.code);
		expect(codes.sort()).toEqual(['SLOT_TAKEN', 'SLOT_TAKEN', undefined]);
		expect(await posts()).toHaveLength(1);
	});

	test('does not wait for a booking of another execution that takes longer than a person on the phone waits', async () => {
		const match = { method: 'POST', path: `/api/v1/${path()}` };
		await service.fault({ match, kind: 'latency', ms: 60_000, times: 1 });
		const patient = { ...checked(), sending: { requestTimeout: 60 } };
		const hanging = await harness.startWorkflow({
			nodes: [harness.sourceOf([at('09:00', '10:00')]), { name: 'Event', type: actionNode, parameters: patient }],
			credentials: service.credentials(),
		});
		await until(async () => (await posts()).length === 1);
		await expectItems(service, checked(), [at('11:00', '12:00')], [made]);
		// The other one is not over yet.
		expect((await posts()).map(({ status }) => status)).toEqual([null, 201]);
		hanging.cancel();
		await hanging.result;
	});

	test('gives a slot to the next item if the service refused the first, but not if its outcome is unknown', async () => {
		const items = Array(3).fill(at('09:00', '10:00'));
		const match = { method: 'POST', path: `/api/v1/${path()}` };
		await service.fault({ match, kind: 'status', status: 422, times: 1 });
		await expectItems(service, checked(), items, [failed('VALIDATION_ERROR'), made, taken]);
		await service.reset();
		await service.fault({ match, kind: 'drop-before', times: 1 });
		const { outputs } = await service.run(checked(), items, { node: goesOn });
		expect(outputs[0]?.map(({ json }) => json.code)).toEqual(['OUTCOME_UNKNOWN', 'SLOT_TAKEN', 'SLOT_TAKEN']);
	});

	test('does not take its own event of an earlier try for another', async () => {
		const items = [at('09:00', '10:00'), at('10:00', '11:00'), at('11:00', '12:00')];
		const match = { method: 'POST', path: `/api/v1/${path()}` };
		await service.fault({ match, kind: 'latency', ms: 1, times: 1 });
		await service.fault({ match, kind: 'status', status: 422, times: 1 });
		const { run, outputs } = await service.run(checked(), items, { node: retried });
		expect([run.error, outputs[0]?.length]).toEqual([undefined, 3]);
		const sent = (await posts()).map(({ body, status }) => `${Object(body).start_at} ${status}`);
		const [first, second, third] = items.map(({ start }) => start);
		expect(sent).toEqual([`${first} 201`, `${second} 422`, `${second} 201`, `${third} 201`]);
	});
});

test('A time without an offset is one in the time zone of the workflow, also around clock changes', async () => {
	const times = [
		['2031-07-07T09:00', '2031-07-07T10:00:00', '2031-07-07T09:00:00+02:00', '2031-07-07T10:00:00+02:00'],
		['2031-01-07 09:00', '2031-01-07T09:30:00.000', '2031-01-07T09:00:00+01:00', '2031-01-07T09:30:00+01:00'],
		['2031-10-26T01:30', '2031-10-26T03:30', '2031-10-26T01:30:00+02:00', '2031-10-26T03:30:00+01:00'],
	];
	const items = times.map(([start, end]) => ({ start, end }));
	await service.run(create(), items, { timezone: 'Europe/Berlin' });
	const bodies = (await posts()).map(({ body }) => body);
	expect(bodies).toMatchObject(times.map(([, , start_at, end_at]) => ({ start_at, end_at })));
});
