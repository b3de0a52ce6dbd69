import { asList, asText } from '../../client.mts';
import { useService } from '../../use.mts';

const USER = '11111111-2222-4333-8444-555555555555';
const service = useService();
let path: string;
beforeEach(async () => {
	const { data } = await create();
	path = `/calendars/${asText(data.data.id)}`;
});

const create = () => service.api('POST', '/calendars', { name: 'Room', owner_id: USER, timezone: 'Europe/Berlin' });
const shown = async (url: string) => (await service.api('GET', url)).data.data;
const idOf = async (part: string, body: object) => asText((await service.api('POST', path + part, body)).data.data.id);
const gone = async (url: string) => {
	const { status } = await service.api('DELETE', url);
	return [status, (await service.api('DELETE', url)).status];
};

describe('calendars', () => {
	it('are created with their owner as a member, and listed up to per_page, 25 unless given', async () => {
		expect(await shown(path)).toMatchObject({ name: 'Room', owner_id: USER, metadata: {} });
		expect(await shown(`${path}/members`)).toMatchObject([{ user_id: USER, role: 'owner', name: 'User 11111111' }]);
		for (let index = 0; index < 30; index += 1) {
			await create();
		}
		expect(asList(await shown('/calendars'))).toHaveLength(25);
		expect(asList(await shown('/calendars?per_page=1'))).toHaveLength(1);
	});

	it('are deleted with everything that belongs to them', async () => {
		const times = { start_at: '2026-01-05T09:00:00Z', end_at: '2026-01-05T10:00:00Z' };
		const event = await idOf('/events', { title: 'Talk', ...times });
		expect(await gone(path)).toEqual([200, 404]);
		for (const rest of ['', '/members', `/events/${event}`, '/availability-rules']) {
			expect((await service.api('GET', `${path}${rest}`)).data.message).toBe('Calendar not found.');
		}
	});
});

describe('availability rules', () => {
	const recurring = { type: 'recurring', days_of_week: [1, 2, 3, 4, 5], start_time: '09:00', end_time: '10:00' };
	const exception = { type: 'exception', date: '2026-01-06', available: false };
	const add = (rule: object) => idOf('/availability-rules', rule);
	const free = async (query: string) => asList(await shown(`${path}/availability?${query}`));

	it('make the free slots, of half an hour unless asked otherwise, minus the busy events', async () => {
		await add(recurring);
		await add(exception);
		const week = 'from=2026-01-05T00:00:00%2B01:00&to=2026-01-08T00:00:00%2B01:00';
		const slots = (await free(week)).map(({ start_at, end_at }) => `${asText(start_at)} ${asText(end_at)}`);
		expect(slots.map((slot) => slot.slice(8, 13) + slot.slice(13).replace(/2026-.*T/, '')).join()).toBe(
			'05T08:00:00Z 08:30:00Z,05T08:30:00Z 09:00:00Z,07T08:00:00Z 08:30:00Z,07T08:30:00Z 09:00:00Z',
		);
		const times = { start_at: '2026-01-07T09:15:00+01:00', end_at: '2026-01-07T09:20:00+01:00' };
		const event = await idOf('/events', { title: 'Talk', ...times });
		const lengths = ['', '&duration_minutes=5', '&duration_minutes=60'];
		const counts = () => Promise.all(lengths.map(async (more) => (await free(week + more)).length));
		expect(await counts()).toEqual([3, 23, 1]);
		await service.api('PUT', `${path}/events/${event}`, { status: 'cancelled' });
		expect(await counts()).toEqual([4, 24, 2]);
	});
});
