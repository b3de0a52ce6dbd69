import { asList, asText } from '../../client.mts';
import { activeCampaign, callsOf, queue } from '../../objects.mts';
import { useService } from '../../use.mts';

const service = useService({ callsPerHour: 12, startTime: Date.UTC(2027, 0, 4, 8) });
const number = (index: number) => `+120220${index}0001`;

/** The phone calls in the order in which they were placed, with the minutes since the first. */
async function placed(): Promise<Array<[to: string, minutes: number]>> {
	const calls = asList(await service.control('calls')).slice(30);
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
		expect((await placed()).slice(4)).toEqual([4, 5].map((index) => [number(index), 40 + index * 5]));
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
		const statuses = (await callsOf(service, campaign)).map(({ status }) => status).join();
		expect(statuses).toBe('completed,failed,completed,completed,completed,cancelled');
	});
});
