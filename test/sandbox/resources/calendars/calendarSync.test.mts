import { asList } from '../../client.mts';
import { useService } from '../../use.mts';

describe('the sync of calendars', () => {
	const service = useService({ startTime: Date.UTC(2030, 0, 7, 9) });
	let clinic: string;
	let fieldService: string;
	beforeEach(async () => {
		const [, second, third] = asList((await service.api('GET', '/calendars')).data.data);
		clinic = String(second!.id);
		fieldService = String(third!.id);
	});

	const providers = async (calendar = service.seed.calendar) =>
		asList((await service.api('GET', `/calendars/${calendar}/providers`)).data.data);
	const status = async () => asList((await service.api('GET', '/calendars/sync-status')).data.data);
	const start = async () => (await service.api('POST', '/calendars/sync')).data.data;

	it('has the connections of one calendar, and of all of them', async () => {
		const [connection, inactive] = await providers();
		expect(connection).toEqual({
			id: expect.any(String),
			provider: 'example-calendar',
			external_calendar_id: 'sales@example.com',
			is_active: true,
			last_sync_at: expect.any(String),
		});
		const shown = { provider: 'example-calendar', is_syncing: false };
		expect(inactive).toMatchObject({ external_calendar_id: 'old@example.com', is_active: false });
		const own = { ...shown, calendar_id: service.seed.calendar, events_synced: 3 };
		expect(await status()).toEqual([
			...[connection, inactive].map((one) => ({ ...own, last_sync_at: one!.last_sync_at })),
			{ ...shown, calendar_id: clinic, last_sync_at: '2030-01-07T09:00:00Z', events_synced: 1 },
		]);
		expect(await providers(clinic)).toHaveLength(1);
		expect(await providers(fieldService)).toEqual([]);
		expect((await service.api('GET', '/calendars/nobody/providers')).status).toBe(404);
	});

	it('takes a few seconds, and then nothing is to be done for a while', async () => {
		const { calendar } = service.seed;
		const [before] = await status();
		expect(await start()).toEqual({ syncing: [calendar], up_to_date: [clinic] });
		const done = { is_syncing: false, last_sync_at: '2030-01-07T09:00:05Z' };
		expect((await status())[0]).toMatchObject({ is_syncing: true, last_sync_at: before!.last_sync_at });
		await service.advance(3);
		expect(await start()).toEqual({ syncing: [calendar], up_to_date: [clinic] });
		await service.advance(2);
		expect((await status())[0]).toMatchObject(done);
		const moments = (await providers()).map(({ last_sync_at }) => last_sync_at);
		expect(moments).toEqual([done.last_sync_at, before!.last_sync_at]);
		expect(await start()).toEqual({ syncing: [], up_to_date: [calendar, clinic] });
		await service.advance(300);
		expect(await start()).toEqual({ syncing: [calendar, clinic], up_to_date: [] });
	});
});
