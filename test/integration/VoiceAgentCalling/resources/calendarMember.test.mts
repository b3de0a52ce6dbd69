import { byId, type Service, startService } from '../../service.mts';
import { expectItems, failed } from './items.mts';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => await service.reset());

const nobody = '00000000-0000-4000-8000-000000000000';
const newcomer = '11111111-1111-4111-8111-111111111111';
const operation = (name: string, more = {}) => ({
	resource: 'calendarMember',
	operation: name,
	calendar: byId(service.seed.calendar),
	calendarMember: byId('={{ $json.id }}'),
	role: '={{ $json.role }}',
	...more,
});
const path = (rest = '') => `calendars/${service.seed.calendar}/members${rest}`;
const members = async () =>
	(await service.api('GET', path())).body.data as Array<{ id: string; role: string; user_id: string }>;

describe('Calendar Member', () => {
	test('Add gives users access, each with a role', async () => {
		const items = [
			{ user: newcomer, role: 'viewer' },
			{ user: service.seed.user, role: 'editor' },
			{ user: nobody, role: 'admin' },
			{ user: 'Ada', role: 'editor' },
			{ user: nobody, role: 'editor' },
		];
		const sent = await expectItems(service, operation('add', { userId: '={{ $json.user }}' }), items, [
			{ id: expect.any(String), user_id: newcomer, role: 'viewer' },
			failed('CONFLICT', { message: expect.stringContaining('already a member') }),
			failed('INVALID_INPUT', { message: expect.stringContaining('editor, owner, viewer') }),
			failed('INVALID_INPUT', { message: expect.stringContaining('\'User ID\' cannot be "Ada"') }),
			{ user_id: nobody, role: 'editor' },
		]);
		expect(sent).toEqualInAnyOrder(
			[items[0], items[1], items[4]].map((item) => ['POST', path(), { user_id: item?.user, role: item?.role }]),
		);
	});

	test('Get Many lists the members with their user IDs', async () => {
		const { outputs } = await service.run(operation('getAll', { returnAll: true }), [{}, {}, {}]);
		const each = [0, 1, 2].map((item) =>
			outputs[0]?.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item).map(({ json }) => json),
		);
		const all = await members();
		expect(each).toEqual([all, all, all]);
		expect(all).toContainEqual(expect.objectContaining({ user_id: service.seed.user, role: 'owner' }));
		expect((await service.run(operation('getAll', { limit: 1 }))).outputs[0]).toHaveLength(1);
	});

	test('Update changes the role', async () => {
		const [owner, editor, viewer] = await members();
		const items = [
			{ id: viewer?.id, role: 'editor' },
			{ id: owner?.id, role: 'viewer' },
			{ id: editor?.id, role: '' },
			{ id: editor?.id, role: 'viewer' },
		];
		const sent = await expectItems(service, operation('update'), items, [
			{ id: viewer?.id, role: 'editor' },
			failed('VALIDATION_ERROR', { message: expect.stringContaining('another member the owner') }),
			failed('INVALID_INPUT', { message: expect.stringContaining("'Role'") }),
			{ id: editor?.id, role: 'viewer' },
		]);
		expect(sent).toEqualInAnyOrder(
			[items[0], items[1], items[3]].map((item) => ['PUT', path(`/${item?.id}`), { role: item?.role }]),
		);
	});

	test('Update can make another member the owner of the calendar', async () => {
		const [, editor] = await members();
		await expectItems(
			service,
			operation('update'),
			[{ id: editor?.id, role: 'owner' }],
			[{ id: editor?.id, role: 'owner' }],
		);
		expect((await members()).filter(({ role }) => role === 'owner')).toMatchObject([{ id: editor?.id }]);
	});

	test('Remove revokes access, except that of the owner', async () => {
		const [owner, editor, viewer] = await members();
		const items = [{ id: editor?.id }, { id: owner?.id }, { id: '' }, { id: viewer?.id }];
		const sent = await expectItems(service, operation('remove'), items, [
			{ deleted: true },
			failed('CONFLICT'),
			failed('INVALID_INPUT'),
			{ deleted: true },
		]);
		expect(sent).toEqualInAnyOrder([editor, owner, viewer].map((member) => ['DELETE', path(`/${member?.id}`)]));
		expect(await members()).toMatchObject([{ id: owner?.id }]);
	});
});
