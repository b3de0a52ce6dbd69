import { asList, asText } from '../../client.mts';
import { type Step, useStories } from '../../story.mts';

const USER = '11111111-2222-4333-8444-555555555555';
const { service, play, stories } = useStories({ startTime: Date.UTC(2030, 0, 7, 9) });
const room: Step = ['POST /calendars 201 > room', { name: 'Room', owner_id: USER, timezone: 'Europe/Berlin' }];
const talk = (title: string, from: string, to: string, more: object = {}, calendar = 'room'): Step => [
	`POST /calendars/{${calendar}}/events 201 > event`,
	{ title, start_at: `2026-01-05T${from}Z`, end_at: `2026-01-05T${to}Z`, ...more },
];

describe('calendars', () => {
	stories({
		'are created with their owner as a member': [
			room,
			['GET /calendars/{room} 200', { data: { name: 'Room', owner_id: USER, metadata: {} } }],
			['GET /calendars/{room}/members 200', { data: [{ user_id: USER, role: 'owner', name: 'User 11111111' }] }],
		],
		'are listed up to per_page, 25 unless given': [
			...Array.from({ length: 30 }, () => room),
			['GET /calendars 200', { data: { length: 25 } }],
			['GET /calendars?per_page=1 200', { data: { length: 1 } }],
		],
		'are deleted with everything that belongs to them': [
			room,
			talk('Talk', '09:00:00', '10:00:00'),
			['DELETE /calendars/{room} 200'],
			...[
				'DELETE /calendars/{room}',
				...['', '/members', '/events/{event}', '/availability-rules'].map((part) => `GET /calendars/{room}${part}`),
			].map((request): Step => [`${request} 404`, 'Calendar not found.']),
		],
	});
});

describe('the events of calendars', () => {
	const listed = (path: string, titles: string): Step => [
		`GET ${path} 200`,
		{ data: titles.split(' ').map((title) => ({ title })) },
	];
	const both = '/calendars/events?calendar_ids[]={room}&calendar_ids[]={other}';
	stories({
		'are listed by their start, within an interval, by status, of one calendar or several': [
			room,
			talk('late', '15:00:00', '16:00:00', { status: 'tentative' }),
			talk('early', '09:00:00', '10:00:00'),
			listed('/calendars/{room}/events', 'early late'),
			listed('/calendars/{room}/events?from=2026-01-05T09:00:00Z', 'early late'),
			listed('/calendars/{room}/events?from=2026-01-05T09:00:01Z', 'late'),
			listed('/calendars/{room}/events?to=2026-01-05T16:00:00Z', 'early late'),
			listed('/calendars/{room}/events?to=2026-01-05T17%3A59%3A59%2B02%3A00', 'early'),
			listed('/calendars/{room}/events?status=tentative', 'late'),
			['POST /calendars 201 > other', { name: 'Other', owner_id: USER }],
			talk('noon', '12:00:00', '13:00:00', {}, 'other'),
			listed(both, 'early noon late'),
			listed(`/calendars/events?${encodeURIComponent('calendar_ids[]')}={other}`, 'noon'),
			listed(`${both}&from=2026-01-05T10:00:00Z&to=2026-01-05T13:00:00Z`, 'noon'),
			...['', 'calendar_ids[]=', 'calendar_ids=any&calendar_ids=other', 'calendar_ids[0]=any'].map(
				(query): Step => [`GET /calendars/events?${query} 422`, 'calendar_ids'],
			),
		],
	});
});

describe('availability rules', () => {
	it('make the free slots, of half an hour unless asked otherwise, minus the busy events', async () => {
		const { room: id, event } = await play([
			room,
			[
				'POST /calendars/{room}/availability-rules 201',
				{ type: 'recurring', days_of_week: [1, 2, 3, 4, 5], start_time: '09:00', end_time: '10:00' },
			],
			['POST /calendars/{room}/availability-rules 201', { type: 'exception', date: '2026-01-06', available: false }],
			talk('Talk', '08:15:00', '08:20:00'),
		]);
		const path = `/calendars/${String(id)}`;
		const slots = async (minutes: number | undefined, day: number) => {
			const range = `from=2026-01-0${day}T00:00:00%2B01:00&to=2026-01-0${day + 1}T00:00:00%2B01:00`;
			const length = minutes === undefined ? '' : `&duration_minutes=${minutes}`;
			const { data } = await service.api('GET', `${path}/availability?${range}${length}`);
			return asList(data.data).map(
				({ start_at, end_at }) => `${asText(start_at).slice(11, 16)}-${asText(end_at).slice(11, 16)}`,
			);
		};
		expect([await slots(undefined, 6), await slots(undefined, 7)]).toEqual([[], ['08:00-08:30', '08:30-09:00']]);
		const counts = () => Promise.all([undefined, 5, 60].map(async (minutes) => (await slots(minutes, 5)).length));
		expect(await counts()).toEqual([1, 11, 0]);
		await service.api('PUT', `${path}/events/${String(event)}`, { status: 'cancelled' });
		expect(await counts()).toEqual([2, 12, 1]);
	});
});

describe('the sync of calendars', () => {
	const sync = (syncing: string[], up_to_date: string[]): Step => [
		'POST /calendars/sync 200',
		undefined,
		{ data: { syncing, up_to_date } },
	];
	const status = (is_syncing: boolean, last_sync_at: string): Step => [
		'GET /calendars/sync-status 200',
		{ data: expect.arrayContaining([expect.objectContaining({ is_syncing, last_sync_at })]) },
	];
	const DONE = '2030-01-07T09:00:05Z';
	it('takes a few seconds, and then nothing is to be done for a while', async () => {
		const [first] = asList((await service.api('GET', '/calendars/sync-status')).data.data);
		const before = asText(first!.last_sync_at);
		await play([
			['GET /calendars 200 > clinic=data.1.id'],
			sync(['{calendar}'], ['{clinic}']),
			status(true, before),
			['wait 3'],
			sync(['{calendar}'], ['{clinic}']),
			['wait 2'],
			status(false, DONE),
			['GET /calendars/{calendar}/providers 200', { data: [{ last_sync_at: DONE }, { last_sync_at: before }] }],
			sync([], ['{calendar}', '{clinic}']),
			['wait 300'],
			sync(['{calendar}', '{clinic}'], []),
		]);
	});
});
