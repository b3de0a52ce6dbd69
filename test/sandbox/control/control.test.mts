import { asList, type SandboxClient, startClient } from '../client.mts';
import { activeCampaign, callsOf, queue, webhookOn } from '../objects.mts';
import { useReceiver } from '../use.mts';
import { place, statusesOf, timelineOf } from './calls.mts';

const receiver = useReceiver();
let service: SandboxClient;
const start = async (...options: Parameters<typeof startClient>) => void (service = await startClient(...options));
afterEach(() => service.close());
/** Waits until something is true. */
const until = async (isSo: () => Promise<boolean>) => {
	while (!(await isSo())) {
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
};
const statuses = async (id: string) => statusesOf(await timelineOf(service, id)).map(([status]) => status);

describe('a reset', () => {
	it('brings the initial state back, with its limits and without faults and retries', async () => {
		await start({ rateLimit: 8, credits: 1 });
		receiver.answer(500);
		const id = service.seed.campaigns.active;
		const webhook = await webhookOn(service, id, receiver.url);
		await queue(service, id, '+12025550001');
		await service.advance(5);
		const before = receiver.received.length;
		await service.control('faults', { kind: 'status', status: 500 });
		await service.control('reset', {});
		expect([await service.control('requests'), await service.control('deliveries')]).toEqual([[], []]);
		const { status, headers } = await service.api('GET', `/campaigns/${id}/webhooks/${webhook}`);
		expect([status, headers['x-ratelimit-remaining']]).toEqual([404, '7']);
		await service.advance(10_000);
		expect([receiver.received.length, await callsOf(service, id)]).toEqual([before, []]);
	});

	it('ends a call that is under way: it emits no further event', async () => {
		await start({ speed: 0 });
		const id = await activeCampaign(service);
		await webhookOn(service, id, receiver.url);
		await queue(service, id, '+12025550002');
		await service.advance(1);
		expect(asList(await service.control('calls')).at(-1)!.status).toBe('ringing');
		await service.control('reset', {});
		await service.advance(10_000);
		expect(receiver.events()).toEqual(['campaign_call.queued', 'campaign_call.started']);
	});
});

describe('the clock', () => {
	it.each([10_000, 0])(
		'runs, but a call stays at least 100 ms of real time in each status: at speed %i',
		async (speed) => {
			await start({ speed, minimumStatusMs: 100 });
			const started = Date.now();
			const id = await place(service, '+12025550001');
			await (speed > 0 ? until(async () => (await statuses(id)).includes('completed')) : service.advance(60));
			expect(Date.now() - started).toBeGreaterThanOrEqual(290);
			expect(await statuses(id)).toEqual(['initiated', 'ringing', 'answered', 'completed']);
		},
	);
});
