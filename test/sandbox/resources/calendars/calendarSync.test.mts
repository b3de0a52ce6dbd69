import { asList } from '../../client.mts';
import { useService } from '../../use.mts';

describe('the sync of calendars', () => {
	const service = useService({ startTime: Date.UTC(2030, 0, 7, 9) });
	const status = async () => asList((await service.api('GET', '/calendars/sync-status')).data.data);
	const start = async () => (await service.api('POST', '/calendars/sync')).data.data;

	it('takes a few seconds, and then nothing is to be done for a while', async () => {
		const { calendar } = service.seed;
		const clinic = asList((await service.api('GET', '/calendars')).data.data)[1]!.id;
		const [before] = await status();
		expect(await start()).toEqual({ syncing: [calendar], up_to_date: [clinic] });
		const done = { is_syncing: false, last_sync_at: '2030-01-07T09:00:05Z' };
		expect((await status())[0]).toMatchObject({ is_syncing: true, last_sync_at: before!.last_sync_at });
		await service.advance(3);
		expect(await start()).toEqual({ syncing: [calendar], up_to_date: [clinic] });
		await service.advance(2);
		expect((await status())[0]).toMatchObject(done);
		const providers = asList((await service.api('GET', `/calendars/${calendar}/providers`)).data.data);
		const moments = providers.map(({ last_sync_at }) => last_sync_at);
		expect(moments).toEqual([done.last_sync_at, before!.last_sync_at]);
		expect(await start()).toEqual({ syncing: [], up_to_date: [calendar, clinic] });
		await service.advance(300);
		expect(await start()).toEqual({ syncing: [calendar, clinic], up_to_date: [] });
	});
});
