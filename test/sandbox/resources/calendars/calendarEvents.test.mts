import { asList, asText } from '../../client.mts';
import { useService } from '../../use.mts';

const USER = '11111111-2222-4333-8444-555555555555';
const minimal = { title: 'Talk', start_at: '2026-01-05T09:00:00Z', end_at: '2026-01-05T10:00:00Z' };

describe('calendar events', () => {
	const service = useService();
	let calendar: string;
	let path: string;
	beforeEach(async () => {
		calendar = await newCalendar();
		path = `/calendars/${calendar}/events`;
	});

	const newCalendar = async () =>
		asText((await service.api('POST', '/calendars', { name: 'Room', owner_id: USER })).data.data.id);
	const add = async (changes: Record<string, unknown> = {}, to = path) =>
		asText((await service.api('POST', to, { ...minimal, ...changes })).data.data.id);

	it('are listed by their start, within an interval, by status, of one calendar or several', async () => {
		const titles = async (url: string) =>
			asList((await service.api('GET', url)).data.data).map(({ title }) => asText(title));
		const at = (from: string, to: string) => ({ start_at: `2026-01-05T${from}Z`, end_at: `2026-01-05T${to}Z` });
		await add({ title: 'late', ...at('15:00', '16:00'), status: 'tentative' });
		await add({ title: 'early', ...at('09:00', '10:00') });
		for (const [query, expected] of [
			['', 'early,late'],
			['from=2026-01-05T09:00:00Z', 'early,late'],
			['from=2026-01-05T09:00:01Z', 'late'],
			['to=2026-01-05T16:00:00Z', 'early,late'],
			['to=2026-01-05T17%3A59%3A59%2B02%3A00', 'early'],
			['status=tentative', 'late'],
		]) {
			expect([query, (await titles(`${path}?${query}`)).join()]).toEqual([query, expected]);
		}
		const other = await newCalendar();
		await add({ title: 'noon', ...at('12:00', '13:00') }, `/calendars/${other}/events`);
		const both = `calendar_ids[]=${calendar}&calendar_ids[]=${other}`;
		expect(await titles(`/calendars/events?${both}`)).toEqual(['early', 'noon', 'late']);
		expect(await titles(`/calendars/events?${encodeURIComponent('calendar_ids[]')}=${other}`)).toEqual(['noon']);
		const noon = `/calendars/events?${both}&from=2026-01-05T10:00:00Z&to=2026-01-05T13:00:00Z`;
		expect(await titles(noon)).toEqual(['noon']);
		for (const query of ['', 'calendar_ids[]=', 'calendar_ids=any&calendar_ids=other', 'calendar_ids[0]=any']) {
			const { status, data } = await service.api('GET', `/calendars/events?${query}`);
			expect([query, status, Object.keys(data.errors)]).toEqual([query, 422, ['calendar_ids']]);
		}
	});
});
