import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { activeCampaign, callsOf, queue } from '../../objects.mts';

let service: SandboxClient;
/** How many calls the seed has. */
let seeded: number;
beforeEach(async () => {
	service = await startClient({ callsPerHour: 12, startTime: Date.UTC(2027, 0, 4, 8) });
	seeded = asList(await service.control('calls')).length;
});
afterEach(async () => await service.close());

const number = (index: number) => `+120220${index}0001`;

/** The phone calls in the order in which they were placed, with the minutes since the first. */
async function placed(): Promise<Array<[to: string, minutes: number]>> {
	const calls = asList(await service.control('calls')).slice(seeded);
	const times = calls.map(({ created_at }) => Date.parse(asText(created_at)));
	return calls.map(({ to }, index) => [asText(to), Math.round((times[index]! - times[0]!) / 60_000)]);
}

describe('with so many calls per hour', () => {
	it('a campaign places its calls evenly, in the order in which they were queued', async () => {
		const campaign = await activeCampaign(service);
		for (const index of [0, 1, 2, 3]) {
			await queue(service, campaign, number(index));
		}
		await service.advance(3600);
		expect(await placed()).toEqual([0, 1, 2, 3].map((index) => [number(index), index * 5]));
		// After a pause nothing is made up for.
		await queue(service, campaign, number(4));
		await queue(service, campaign, number(5));
		await service.advance(3600);
		expect((await placed()).slice(4)).toEqual([
			[number(4), 60],
			[number(5), 65],
		]);
	});

	it('each campaign counts for itself', async () => {
		for (const index of [0, 1]) {
			await queue(service, await activeCampaign(service), number(index));
		}
		await service.advance(60);
		expect((await placed()).map(([, minutes]) => minutes)).toEqual([0, 0]);
	});

	it('what does not fit into the hours of a day is called on the next one', async () => {
		const campaign = await activeCampaign(service, { call_time_ranges: [{ start: '10:00', end: '11:00' }] });
		const all = Array.from({ length: 15 }, (_none, index) => `+12022${index + 10}0001`);
		for (const to of all) {
			await queue(service, campaign, to);
		}
		await service.advance(3 * 86_400);
		const minutes = all.map((_to, index) => (index < 12 ? index * 5 : 24 * 60 + (index - 12) * 5));
		expect(await placed()).toEqual(all.map((to, index) => [to, minutes[index]]));
	});

	it('no call is placed twice or lost by a pause, and one that is not placed takes no turn', async () => {
		const campaign = await activeCampaign(service, { do_not_call_enabled: true });
		for (const to of [number(0), '+12025550198', number(1), number(2)]) {
			await queue(service, campaign, to);
		}
		await service.advance(60);
		const set = async (status: string) => await service.api('PATCH', `/campaigns/${campaign}/status`, { status });
		await set('paused');
		await service.advance(60);
		await set('active');
		await service.advance(3600);
		expect(await placed()).toEqual([0, 1, 2].map((index) => [number(index), index * 5]));
		await queue(service, campaign, number(3));
		await queue(service, campaign, number(4));
		await service.advance(30);
		await set('cancelled');
		await service.advance(3600);
		expect((await placed()).map(([to]) => to)).toEqual([0, 1, 2, 3].map(number));
		expect((await callsOf(service, campaign)).map(({ status }) => status)).toEqual([
			'completed',
			'failed',
			'completed',
			'completed',
			'completed',
			'cancelled',
		]);
	});
});
